"""What a copy of a home brought along, table by table."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.transfer import Copied

_SHOWN_DIGITS = 12


def show_copied(copied: Copied, options: Namespace, sentence: str) -> None:
    if options.json:
        write_json({name: {"rows": one.rows, "sha256": one.digest} for name, one in copied.items()})
        return
    filled = [(name, f"{one.rows:,}", one.digest[:_SHOWN_DIGITS]) for name, one in copied.items() if one.rows]
    write_table(("table", "rows", "sha256 of its rows"), filled)
    write_line(f"\n{sum(one.rows for one in copied.values()):,} rows, compared on both sides; {sentence}.")
