"""`sanya backup`: all of a home in one file, while servers go on."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.copy_report import show_copied
from sanya.surfaces.cli.output.progress import progress_bar

EXAMPLES = """examples:
  sanya backup monday.sanya
  sanya --home ~/elsewhere restore monday.sanya"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, help="The file to write; one that stands there is replaced when all is well."
    )
    parser.add_argument("--json", action="store_true", help="Print what was copied as JSON.")


def run(options: Namespace) -> int:
    from sanya.settings import load_settings
    from sanya.transfer import back_up

    with progress_bar("backing up") as progress:
        copied = asyncio.run(back_up(load_settings({"home": options.home}), options.file, progress))
    show_copied(
        copied, options, f"{options.file} holds this home, its secrets included: keep it where only you can read"
    )
    return OK
