"""Our server with a tool that returns a prepared answer: `python -m benchmarks.peers.ready_server PORT HOME`."""

from __future__ import annotations

import sys

import uvloop

import sanya
from benchmarks.prepared_app import make_ready_app
from sanya.surfaces.http.server import serve


async def run(port: int, home: str) -> None:
    async with sanya.open(home, port=port, log_level="warning") as app:
        await serve(await make_ready_app(app))


if __name__ == "__main__":
    uvloop.run(run(int(sys.argv[1]), sys.argv[2]))
