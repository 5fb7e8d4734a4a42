"""The report of a copied home: rows and digest of each table."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.transfer import CopyReport

_SHOWN_DIGITS = 12


def show_copy_report(copied: CopyReport, options: Namespace, sentence: str) -> None:
    from sanya.transfer import explain_left_out

    if left_out := explain_left_out(copied):
        write_note(left_out)
    tables = copied.tables
    if options.json:
        write_json({name: {"rows": table.rows, "sha256": table.digest} for name, table in tables.items()})
        return
    filled = [(name, f"{table.rows:,}", table.digest[:_SHOWN_DIGITS]) for name, table in tables.items() if table.rows]
    write_table(("table", "rows", "sha256 of its rows"), filled)
    total = sum(table.rows for table in tables.values())
    write_line(f"\nCopied {total:,} rows and compared both sides. {sentence}")
