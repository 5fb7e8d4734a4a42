"""Serves a peer exactly as ours is served: the same server, in the same mode, on the same loop."""

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
