"""Our server with a measured tool that answers at once: `python -m benchmarks.peers.ready_server PORT HOME`."""

from __future__ import annotations

import sys

import uvloop

import sanya
from benchmarks.ready import ready
from sanya.surfaces.http.server import serve


async def run(port: int, home: str) -> None:
    async with sanya.open(home, port=port, log_level="warning") as app:
        await serve(await ready(app))


if __name__ == "__main__":
    uvloop.run(run(int(sys.argv[1]), sys.argv[2]))
