"""`sanya migrate`: a home onto another engine, and back."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace

from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.copy_report import show_copied
from sanya.surfaces.cli.output.progress import progress_bar

EXAMPLES = """examples:
  sanya migrate --to postgresql://sanya@db.internal/sanya
  SANYA_DATABASE_URL=postgresql://sanya@db.internal/sanya sanya migrate --to ~/sanya-embedded"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--to", required=True, metavar="WHERE", help="A PostgreSQL address, or a folder for SQLite.")
    parser.add_argument("--json", action="store_true", help="Print what was copied as JSON.")


def run(options: Namespace) -> int:
    from sanya.settings import load_settings
    from sanya.transfer import move

    settings = load_settings({"home": options.home})
    with progress_bar("moving") as progress:
        copied = asyncio.run(move(settings, options.to, progress))
    show_copied(copied, options, f"every row arrived. From now on serve with {_setting(options.to)}")
    return OK


def _setting(to: str) -> str:
    return "SANYA_DATABASE_URL set to that address" if "://" in to else f"--home {to} and no database_url"
