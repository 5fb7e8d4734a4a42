"""`sanya serve`: MCP and HTTP on one address, in one process."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.setting_options import add_setting_options, chosen_settings

if TYPE_CHECKING:
    from sanya.app import App

EXAMPLES = """examples:
  sanya serve
  sanya serve --port 9000 --time-zone Asia/Bangkok"""


def add_arguments(parser: ArgumentParser) -> None:
    add_setting_options(parser)


def run(options: Namespace) -> int:
    from sanya.assembly.freed_memory import use_few_heaps

    use_few_heaps()

    async def work(app: App) -> None:
        from sanya.logs import configure_logging
        from sanya.shadow import beside
        from sanya.surfaces.http.server import serve

        configure_logging(app.settings.log_level, app.settings.log_format)
        app.keep_promises()
        async with app.at_work(), beside(app):
            await serve(app)

    in_home(options, work, busy=True, **chosen_settings(options))
    return OK
