"""Serves a home in this process, with its background work, like `sanya serve`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sanya.app import App
from sanya.surfaces.http.server import serve


@asynccontextmanager
async def serve_console(home: App) -> AsyncIterator[str]:
    """Serve the home and yield the URL of its console."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    async with home.run_background_work():
        serving = asyncio.create_task(serve(home, on_ready=ready.set_result, stop=stop))
        try:
            yield await ready
        finally:
            stop.set()
            await serving
