"""Serves an open home in this process, with its background work."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING

from sanya.kernel.faults import Fault
from sanya.logs import configure_logging
from sanya.shadow import run_shadow
from sanya.surfaces.http.listeners import Listeners
from sanya.surfaces.http.server import serve

if TYPE_CHECKING:
    from sanya.app import App

_log = logging.getLogger(__name__)
# Threads that index, or embed a few texts, share the interpreter with the event loop, which waits so long for its turn.
# The p95 of `get_tasks` beside embedding threads (calls inside the process) was 2.1 times that of an idle server with
# Python's own 5 ms, and 1.4 times with 0.5 ms.
_SWITCH_INTERVAL_S = 0.0005


def prepare_process() -> None:
    """Set up this process to serve. Call it before a home is opened."""
    from sanya.assembly.freed_memory import use_few_heaps
    from sanya.assembly.search.embedders import embed_in_background

    use_few_heaps()
    embed_in_background()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)


async def serve_home(app: App, listeners: Listeners | None = None, *, announced: bool = True) -> None:
    """Serve until a signal, or until the supervisor of this worker is gone."""
    configure_logging(app.settings.log_level, app.settings.log_format)
    app.check_contracts()
    stop = asyncio.Event()
    async with app.run_background_work(), run_shadow(app), _preparing(app) as begin, _watching_peers(app, stop) as tell:

        def on_ready(url: str) -> None:
            begin(url)
            tell()

        await serve(app, on_ready=on_ready, stop=stop, listeners=listeners, announced=announced)


@asynccontextmanager
async def _preparing(app: App) -> AsyncIterator[Callable[[str], None]]:
    """Yield a function that begins to prepare the search, where the settings want it, until the server stops."""
    tasks: list[asyncio.Task[None]] = []

    def begin(_: str) -> None:
        if app.settings.prepare_search:
            tasks.append(asyncio.create_task(_prepare(app), name="prepare search"))

    try:
        yield begin
    finally:
        await _cancel(tasks)


async def _prepare(app: App) -> None:
    begun = monotonic()
    try:
        await app.prepare_search()
    except Fault as fault:
        _log.warning("search is not prepared: %s", fault.message)
    else:
        _log.info("search is ready after %.1f s", monotonic() - begun)


@asynccontextmanager
async def _watching_peers(app: App, stop: asyncio.Event) -> AsyncIterator[Callable[[], None]]:
    """Set `stop` when the supervisor is gone. Yield a function that tells the supervisor that this worker serves."""
    peers, tasks = app.peers, list[asyncio.Task[None]]()

    async def watch() -> None:
        assert peers is not None
        await peers.channel.ended.wait()
        if not stop.is_set():
            _log.warning("the supervisor is gone; worker %d stops", peers.index)
        stop.set()

    def tell() -> None:
        if peers is not None:
            tasks.append(asyncio.create_task(peers.report_ready(), name="report ready"))

    if peers is not None:
        tasks.append(asyncio.create_task(watch(), name="supervisor"))
    try:
        yield tell
    finally:
        await _cancel(tasks)


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
