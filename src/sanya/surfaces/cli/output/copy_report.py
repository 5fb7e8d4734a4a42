"""The report of a copied home: rows and digest of each table."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.transfer import CopyReport

_SHOWN_DIGITS = 12


def show_copy_report(copied: CopyReport, options: Namespace, sentence: str) -> None:
    if options.json:
        write_json({name: {"rows": table.rows, "sha256": table.digest} for name, table in copied.items()})
        return
    filled = [(name, f"{table.rows:,}", table.digest[:_SHOWN_DIGITS]) for name, table in copied.items() if table.rows]
    write_table(("table", "rows", "sha256 of its rows"), filled)
    total = sum(table.rows for table in copied.values())
    write_line(f"\nCopied {total:,} rows and compared both sides. {sentence}")
