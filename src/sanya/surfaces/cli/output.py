"""How commands speak: JSON for programs, tables for people, progress on stderr.

Rich is imported only when a terminal shows its work: it takes 150 ms, which a pipe has no use for.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import orjson

from sanya.kernel.call import Progress, ProgressSink, ignore_progress

_GAP = "  "
GOOD, BAD, WARNING = "green", "red", "yellow"


def write_line(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")


def write_note(text: str) -> None:
    """A remark for the person, on stderr, so that stdout stays clean for programs."""
    sys.stderr.write(f"{text}\n")


def write_json(value: Any, *, pretty: bool = False) -> None:
    """Pretty on a terminal and where asked, compact elsewhere."""
    option = orjson.OPT_INDENT_2 if pretty or sys.stdout.isatty() else 0
    write_line(orjson.dumps(value, option=option).decode("utf-8"))


def write_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if sys.stdout.isatty():
        _rich_table(columns, rows)
        return
    for line in plain_table(columns, rows):
        write_line(line)


def coloured(text: str, colour: str) -> str:
    """The text in a colour where colours are seen and wanted."""
    codes = {GOOD: 32, BAD: 31, WARNING: 33}
    return f"\x1b[{codes[colour]}m{text}\x1b[0m" if wants_colour(sys.stdout) else text


def wants_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """One line a row, columns aligned; cells keep to their line, so that a line is always a row."""
    lines = [list(columns), *([_one_line(cell) for cell in row] for row in rows)]
    widths = [max(map(text_width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield _GAP.join(_padded(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip()


def text_width(text: str) -> int:
    """Columns that the text takes on a terminal: Thai vowel signs take none, CJK takes two."""
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - text_width(cell))


def _one_line(cell: str) -> str:
    """Control characters could move the cursor or hide text: outside text is shown, never obeyed."""
    return "".join(one if one.isprintable() else " " for one in cell)


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for column in columns:
        # Folded where it is too narrow, never cut: an id that is cut cannot be copied.
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text, not str: a title such as "[red]" is shown as it is.
        table.add_row(*(Text(_one_line(cell)) for cell in row))
    Console(no_color=not wants_colour(sys.stdout)).print(table)


@contextmanager
def progress_bar(label: str) -> Iterator[ProgressSink]:
    """A bar on stderr, drawn from the first report on; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield ignore_progress
        return
    closers: list[Callable[[], None]] = []
    report: ProgressSink | None = None

    def show(progress: Progress) -> None:
        nonlocal report
        report = report or _rich_progress(label, closers)
        report(progress)

    try:
        yield show
    finally:
        for close in closers:
            close()


def _rich_progress(label: str, closers: list[Callable[[], None]]) -> ProgressSink:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, no_color=not wants_colour(sys.stderr)),
        transient=True,
    )
    closers.append(bars.stop)
    bar = bars.add_task(label, total=None)

    def show(progress: Progress) -> None:
        words = f"{label}: {_one_line(progress.message)}" if progress.message else label
        bars.update(bar, completed=progress.done, total=progress.total, description=words)
        bars.start()

    return show
