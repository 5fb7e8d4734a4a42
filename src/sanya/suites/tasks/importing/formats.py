"""Detects the format of a file and parses its rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from sanya.suites.tasks.importing.check_lists import parse_markdown
from sanya.suites.tasks.importing.decoding import convert_to_utf8
from sanya.suites.tasks.importing.rows import ParsedRows
from sanya.suites.tasks.importing.table import detect_delimiter, parse_table
from sanya.suites.tasks.importing.table_vocabulary import find_column
from sanya.suites.tasks.importing.taskwarrior import parse_taskwarrior
from sanya.suites.tasks.importing.things import parse_things
from sanya.suites.tasks.importing.todoist import parse_todoist
from sanya.suites.tasks.importing.todotxt import parse_todotxt

TaskFormat = Literal["todotxt", "taskwarrior", "ical", "csv", "markdown", "todoist", "things"]
FORMATS: tuple[TaskFormat, ...] = get_args(TaskFormat)


def _parse_ical(data: bytes, zone: ZoneInfo) -> ParsedRows:
    from sanya.suites.tasks.importing.ical import parse_ical  # lazy: icalendar takes 0.1 s to import

    return parse_ical(data, zone)


_PARSERS: dict[TaskFormat, Callable[[bytes, ZoneInfo], ParsedRows]] = {
    "todotxt": parse_todotxt,
    "taskwarrior": parse_taskwarrior,
    "ical": _parse_ical,
    "csv": parse_table,
    "markdown": parse_markdown,
    "todoist": parse_todoist,
    "things": parse_things,
}
SUFFIXES: dict[str, TaskFormat] = {
    ".txt": "todotxt",
    ".todo": "todotxt",
    ".json": "taskwarrior",
    ".ndjson": "taskwarrior",
    ".ics": "ical",
    ".ical": "ical",
    ".csv": "csv",
    ".tsv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
}
_HEAD_BYTES = 4096
_CHECK_LIST = re.compile(rb"^[ \t]*[-*+] \[.\] ", re.MULTILINE)
# Types that only Things has; Taskwarrior's objects have none.
_THINGS_TYPE = re.compile(rb'"type":\s*"(to-do|project|heading|area)"')


@dataclass(frozen=True, slots=True)
class TaskFile:
    """A file to import. `expected_rows` estimates how many rows it has, for a progress bar."""

    data: bytes
    format: TaskFormat
    zone: ZoneInfo

    def parse_rows(self) -> ParsedRows:
        """Yield the rows; each call begins anew."""
        return _PARSERS[self.format](self.data, self.zone)

    @property
    def expected_rows(self) -> int:
        separator = b"BEGIN:VTODO" if self.format == "ical" else b"\n"
        return max(self.data.count(separator), 1)


def open_task_file(data: bytes, zone: ZoneInfo, *, name: str = "", format: TaskFormat | None = None) -> TaskFile:
    """Return the file with its format; `zone` is for times without one, and `format` overrides the detected format."""
    return TaskFile(data, format or detect_format(data, name), zone)


def detect_format(data: bytes, name: str = "") -> TaskFormat:
    """Detect the format by unambiguous contents, then by the suffix of the name; any other text is todo.txt."""
    head = convert_to_utf8(data[:_HEAD_BYTES]).lstrip()
    if head[:15].upper().startswith((b"BEGIN:VCALENDAR", b"BEGIN:VTODO")):
        return "ical"
    if head.startswith((b"[{", b"{")) or (head.startswith(b"[") and head[1:].lstrip().startswith((b"{", b"]"))):
        return "things" if _THINGS_TYPE.search(head) else "taskwarrior"
    if head[:64].upper().replace(b'"', b"").startswith(b"TYPE,CONTENT"):
        return "todoist"
    suffix = SUFFIXES.get(PurePath(name).suffix.lower())
    if suffix is not None:
        return suffix
    if _CHECK_LIST.search(head):
        return "markdown"
    return "csv" if _has_column_names(head) else "todotxt"


def _has_column_names(head: bytes) -> bool:
    first = head.decode("utf-8", "replace").partition("\n")[0]
    columns = [find_column(cell.strip().strip('"')) for cell in first.split(detect_delimiter(first))]
    return "title" in columns and len(columns) > 1
