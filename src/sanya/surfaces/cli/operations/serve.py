"""`sanya serve`: serve MCP and HTTP on one address, in one process."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.setting_options import add_setting_options, read_setting_options, report_unknown_variables

if TYPE_CHECKING:
    from sanya.app import App

EXAMPLES = """examples:
  sanya serve
  sanya serve --port 9000 --time-zone Asia/Bangkok"""

# Threads that index and embed share the interpreter with the event loop, which waits so long for its turn. The p95 of
# `get_tasks` beside embedding (calls inside the process) was 2.1 times that of an idle server with Python's own 5 ms,
# and 1.4 times with 0.5 ms.
_SWITCH_INTERVAL_S = 0.0005


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
        async with app.run_background_work(), run_shadow(app):
            await serve(app)

    run_in_home(options, work, busy=True, **read_setting_options(options))
    return OK
