"""`sanya restore`: create a home from a backup."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.copy_report import show_copy_report
from sanya.surfaces.cli.output.progress import progress_bar

EXAMPLES = """examples:
  sanya --home ~/elsewhere restore monday.sanya
  SANYA_DATABASE_URL=postgresql://localhost/sanya sanya restore monday.sanya"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="A file that `sanya backup` wrote.")
    parser.add_argument("--json", action="store_true", help="Print the report as JSON.")


def run(options: Namespace) -> int:
    from sanya.settings import load_settings
    from sanya.transfer import restore

    settings = load_settings({"home": options.home})
    with progress_bar("restoring") as progress:
        copied = asyncio.run(restore(settings, options.file, progress))
    show_copy_report(copied, options, f"Restored into {settings.home}. The first search rebuilds its index.")
    return OK
