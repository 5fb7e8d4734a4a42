"""`sanya serve`: serve MCP and HTTP on one address, in one process."""

from __future__ import annotations

import asyncio
import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.setting_options import add_setting_options, read_setting_options, report_unknown_variables

if TYPE_CHECKING:
    from sanya.app import App

EXAMPLES = """examples:
  sanya serve
  sanya serve --port 9000 --time-zone Asia/Bangkok"""

_log = logging.getLogger(__name__)
# Threads that index and embed share the interpreter with the event loop, which waits so long for its turn. The p95 of
# `get_tasks` beside embedding (calls inside the process) was 2.1 times that of an idle server with Python's own 5 ms,
# and 1.4 times with 0.5 ms.
_SWITCH_INTERVAL_S = 0.0005


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
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _prepare(app: App) -> None:
    from sanya.kernel.faults import Fault

    begun = monotonic()
    try:
        await app.prepare_search()
    except Fault as fault:
        _log.warning("search is not prepared: %s", fault.message)
    else:
        _log.info("search is ready after %.1f s", monotonic() - begun)


def add_arguments(parser: ArgumentParser) -> None:
    add_setting_options(parser)


def run(options: Namespace) -> int:
    from sanya.assembly.freed_memory import use_few_heaps

    use_few_heaps()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    report_unknown_variables()

    async def work(app: App) -> None:
        from sanya.logs import configure_logging
        from sanya.shadow import run_shadow
        from sanya.surfaces.http.server import serve

        configure_logging(app.settings.log_level, app.settings.log_format)
        app.check_contracts()
        async with app.run_background_work(), run_shadow(app), _preparing(app) as begin:
            await serve(app, on_ready=begin)

    run_in_home(options, work, busy=True, **read_setting_options(options))
    return OK
