"""`sanya backup`: copy a whole home into one file while servers run."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.copy_report import show_copy_report
from sanya.surfaces.cli.output.progress import progress_bar

EXAMPLES = """examples:
  sanya backup monday.sanya
  sanya --home ~/elsewhere restore monday.sanya"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, help="File to write. An existing file is replaced only after the backup succeeded."
    )
    parser.add_argument("--json", action="store_true", help="Print the report as JSON.")


def run(options: Namespace) -> int:
    from sanya.settings import load_settings
    from sanya.transfer import back_up

    with progress_bar("backing up") as progress:
        copied = asyncio.run(back_up(load_settings({"home": options.home}), options.file, progress))
    show_copy_report(copied, options, f"{options.file} contains secrets as well: keep it where only you can read it.")
    return OK
