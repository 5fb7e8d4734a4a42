"""Tables: drawn by Rich on a terminal, aligned plain text elsewhere.

Rich is imported only when a terminal shows its work: the import takes 150 ms, which a pipe has no use for.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Sequence

from sanya.surfaces.cli.output.terminal import can_show_colour, remove_control_characters, write_line

_GAP = "  "


def write_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if sys.stdout.isatty():
        _print_rich_table(columns, rows)
        return
    for line in format_table(columns, rows):
        write_line(line)


def format_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the table as aligned text. A cell never breaks its line, so each line is exactly one row."""
    lines = [list(columns), *([remove_control_characters(cell) for cell in row] for row in rows)]
    widths = [max(map(measure_width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield _GAP.join(_pad(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip()


def measure_width(text: str) -> int:
    """Count the terminal columns that the text takes: Thai vowel signs take none, CJK characters take two."""
    if text.isascii():
        return len(text)
    return sum(map(_measure_character, text))


def _measure_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _pad(cell: str, width: int) -> str:
    return cell + " " * (width - measure_width(cell))


def _print_rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for column in columns:
        # Fold a narrow column instead of cutting it: a person cannot copy an id that was cut.
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text, not str: Rich would read a title such as "[red]" as markup.
        table.add_row(*(Text(remove_control_characters(cell)) for cell in row))
    Console(no_color=not can_show_colour(sys.stdout)).print(table)
