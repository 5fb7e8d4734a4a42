"""Serves a peer like ours: same HTTP server, same mode, same event loop."""

from __future__ import annotations

import sys
from typing import Any

import uvloop
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server


def serve(application: Any) -> None:
    async def run() -> None:
        server = Server(
            application,
            port=int(sys.argv[1]),
            interface=Interfaces.ASGI,
            http=HTTPModes.http1,
            websockets=False,
            backlog=1024,
            log_enabled=False,
        )
        await server.serve()

    uvloop.run(run())
