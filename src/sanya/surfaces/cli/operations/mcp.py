"""`sanya mcp`: MCP on stdin and stdout, for a client that starts the server itself."""

from __future__ import annotations

import gc
import importlib
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.setting_options import add_setting_options, chosen_settings

if TYPE_CHECKING:
    from sanya.app import App

_OPTIONS = ("tool_names", "max_result_tokens", "time_zone", "tasks_database", "log_level", "log_format")

EXAMPLES = """A client starts this by itself; `sanya connect` writes its configuration."""


def add_arguments(parser: ArgumentParser) -> None:
    add_setting_options(parser, _OPTIONS)


def run(options: Namespace) -> int:
    _import_without_pauses()

    async def work(app: App) -> None:
        from sanya.logs import configure_logging
        from sanya.shadow import beside
        from sanya.surfaces.mcp.stdio import serve_stdio

        settings = app.settings
        configure_logging(settings.log_level, settings.log_format, lazily=True)
        app.keep_promises()
        portable = settings.tool_names == "portable"
        async with app.at_work(), beside(app):
            await serve_stdio(app.kernel, portable=portable, max_result_tokens=settings.max_result_tokens)

    in_home(options, work, lazily=True, **chosen_settings(options))
    return OK


def _import_without_pauses() -> None:
    """A client waits for its first answer, and nearly all of that is imports: what they make all stays, so looking for
    garbage in it only costs time (a tenth of it)."""
    gc.disable()
    importlib.import_module("sanya.app")
    importlib.import_module("sanya.surfaces.mcp.stdio")
    gc.freeze()
    gc.enable()
