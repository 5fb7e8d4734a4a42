"""Which format a file is in, and its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from sanya.suites.tasks.importing.decoding import as_utf8
from sanya.suites.tasks.importing.rows import Rows
from sanya.suites.tasks.importing.table import delimiter_of, parse_table
from sanya.suites.tasks.importing.table_words import column_named
from sanya.suites.tasks.importing.taskwarrior import parse_taskwarrior
from sanya.suites.tasks.importing.todotxt import parse_todotxt
from sanya.suites.tasks.importing.vtodo import parse_ical

Format = Literal["todotxt", "taskwarrior", "ical", "csv"]
FORMATS: tuple[Format, ...] = get_args(Format)

_PARSERS: dict[Format, Callable[[bytes, ZoneInfo], Rows]] = {
    "todotxt": parse_todotxt,
    "taskwarrior": parse_taskwarrior,
    "ical": parse_ical,
    "csv": parse_table,
}
_SUFFIXES: dict[str, Format] = {
    ".txt": "todotxt",
    ".todo": "todotxt",
    ".json": "taskwarrior",
    ".ndjson": "taskwarrior",
    ".ics": "ical",
    ".ical": "ical",
    ".csv": "csv",
    ".tsv": "csv",
}
_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class TaskFile:
    """A file to import. `expected` is about how many rows it has, for a progress bar."""

    data: bytes
    format: Format
    zone: ZoneInfo

    def rows(self) -> Rows:
        """The rows one after the other; asking again begins again."""
        return _PARSERS[self.format](self.data, self.zone)

    @property
    def expected(self) -> int:
        mark = b"BEGIN:VTODO" if self.format == "ical" else b"\n"
        return max(self.data.count(mark), 1)


def task_file(data: bytes, zone: ZoneInfo, *, name: str = "", format: Format | None = None) -> TaskFile:
    """`zone` is for times that name none. `format` overrides what contents and name tell."""
    return TaskFile(data, format or detect_format(data, name), zone)


def detect_format(data: bytes, name: str = "") -> Format:
    """By the contents where they leave no doubt, then by the name's ending, else todo.txt, which any text is."""
    head = as_utf8(data[:_HEAD_BYTES]).lstrip()
    if head[:15].upper().startswith((b"BEGIN:VCALENDAR", b"BEGIN:VTODO")):
        return "ical"
    if head.startswith((b"[{", b"{")) or (head.startswith(b"[") and head[1:].lstrip().startswith((b"{", b"]"))):
        return "taskwarrior"
    suffix = _SUFFIXES.get(PurePath(name).suffix.lower())
    return suffix or ("csv" if _names_columns(head) else "todotxt")


def _names_columns(head: bytes) -> bool:
    first = head.decode("utf-8", "replace").partition("\n")[0]
    columns = [column_named(cell.strip().strip('"')) for cell in first.split(delimiter_of(first))]
    return "title" in columns and len(columns) > 1
