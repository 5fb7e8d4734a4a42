"""Starlette handler that reads the request and returns fixed bytes: `python -m …starlette_server PORT FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.peers.serving import serve


def build(body: bytes) -> Starlette:
    async def answer(request: Request) -> Response:
        await request.body()
        return Response(body, media_type="application/json")

    return Starlette(routes=[Route("/mcp", answer, methods=["POST"])])


if __name__ == "__main__":
    serve(build(Path(sys.argv[2]).read_bytes()))
