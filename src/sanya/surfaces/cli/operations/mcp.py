"""`sanya mcp`: serve MCP on stdin and stdout, for a client that starts the server itself."""

from __future__ import annotations

import gc
import importlib
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.setting_options import add_setting_options, read_setting_options, report_unknown_variables

if TYPE_CHECKING:
    from sanya.app import App

_OPTIONS = (
    "tools",
    "suites",
    "listing_language",
    "tool_names",
    "max_result_tokens",
    "time_zone",
    "tasks_database",
    "log_level",
    "log_format",
)

EXAMPLES = """An AI client starts this command itself; `sanya connect` writes its configuration."""


def add_arguments(parser: ArgumentParser) -> None:
    add_setting_options(parser, _OPTIONS)


def run(options: Namespace) -> int:
    _import_without_pauses()
    report_unknown_variables()

    async def work(app: App) -> None:
        from sanya.logs import configure_logging
        from sanya.shadow import run_shadow
        from sanya.surfaces.mcp.listing.toolset_settings import read_toolset
        from sanya.surfaces.mcp.stdio import serve_stdio

        settings = app.settings
        configure_logging(settings.log_level, settings.log_format, lazily=True)
        app.check_contracts()
        portable = settings.tool_names == "portable"
        async with app.run_background_work(), run_shadow(app):
            await serve_stdio(
                app.kernel,
                portable=portable,
                max_result_tokens=settings.max_result_tokens,
                toolset=read_toolset(app),
            )

    run_in_home(options, work, lazily=True, **read_setting_options(options))
    return OK


def _import_without_pauses() -> None:
    """Import the server with the garbage collector off.

    Imports take nearly all of a client's wait for its first answer. Imported objects live as long as the process, so
    collecting among them finds nothing and costs a tenth of that time.
    """
    gc.disable()
    importlib.import_module("sanya.app")
    importlib.import_module("sanya.surfaces.mcp.stdio")
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()
