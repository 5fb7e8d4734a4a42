"""A home served as `sanya serve` does it, in this process, with its background work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sanya.app import App
from sanya.surfaces.http.server import serve


@asynccontextmanager
async def served(home: App) -> AsyncIterator[str]:
    """The address of the home's console."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    async with home.at_work():
        serving = asyncio.create_task(serve(home, on_ready=ready.set_result, stop=stop))
        try:
            yield await ready
        finally:
            stop.set()
            await serving
