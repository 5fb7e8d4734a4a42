"""`sanya migrate`: copy a home to another engine, and back."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace

from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.copy_report import show_copy_report
from sanya.surfaces.cli.output.progress import progress_bar

EXAMPLES = """examples:
  sanya migrate --to postgresql://sanya@db.internal/sanya
  SANYA_DATABASE_URL=postgresql://sanya@db.internal/sanya sanya migrate --to ~/sanya-embedded"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--to", required=True, metavar="WHERE", help="A PostgreSQL address, or a folder for SQLite.")
    parser.add_argument("--json", action="store_true", help="Print the report as JSON.")


def run(options: Namespace) -> int:
    from sanya.settings import load_settings
    from sanya.transfer import move

    settings = load_settings({"home": options.home})
    with progress_bar("moving") as progress:
        copied = asyncio.run(move(settings, options.to, progress))
    show_copy_report(copied, options, f"Serve from now on with {_describe_setting(options.to)}.")
    return OK


def _describe_setting(to: str) -> str:
    return "SANYA_DATABASE_URL set to that address" if "://" in to else f"--home {to} and no database_url"
