"""Reads CSV and TSV of spreadsheets and task apps. The first row names the columns, in English or Thai.

Without an id column, the id of a row comes from its title and creation date, so another title makes another task.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sanya.suite.text import fold
from sanya.suites.tasks.contract import Priority, TaskStatus
from sanya.suites.tasks.importing.decoding import convert_to_utf8
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ImportNotice,
    ParsedRows,
    ProjectName,
    check_key,
    check_optional_text,
    check_text,
    check_title,
    make_project,
    reject_row,
)
from sanya.suites.tasks.importing.table_vocabulary import (
    find_boolean,
    find_column,
    find_priority,
    find_status,
)
from sanya.suites.tasks.importing.thai_dates import parse_thai_day
from sanya.suites.tasks.timestamps import get_day_end, get_day_start, parse_iso, to_common_year, to_utc

_DELIMITERS = ",;\t|"
_DAY_FIRST = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/(2[4-9][0-9]{2})")

TableCells = dict[str, str]


class _BrokenRow(NamedTuple):
    """A row that does not parse, with its first line."""

    problem: str
    line: str


def parse_table(data: bytes, zone: ZoneInfo) -> ParsedRows:
    # Bytes that are not UTF-8 become lone surrogates, so that only the rows that hold them are refused.
    text = convert_to_utf8(data).decode("utf-8", "surrogateescape")
    rows = _read_numbered_rows(text)
    number, header = next(rows, (1, []))
    if isinstance(header, _BrokenRow) or "title" not in (columns := [find_column(cell) for cell in header]):
        yield reject_row(number, _describe_header_problem(text), text[:200])
        return
    yield from _list_ignored_columns(number, header, columns)
    for number, row in rows:
        try:
            if isinstance(row, _BrokenRow):
                raise BadRow(f"it is not a row of the table ({row.problem}); check its quotes")
            if any(cell.strip() for cell in row):
                yield _read_task(number, _read_cells(columns, row), zone)
        except BadRow as problem:
            yield reject_row(number, str(problem), row.line if isinstance(row, _BrokenRow) else ", ".join(row))


def _describe_header_problem(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Excel on a Thai Windows writes another encoding by default.
        return "the file is not UTF-8 text; save it as UTF-8 (in Excel: CSV UTF-8)"
    return "the first row must name the columns, and one of them must be the title (title, task, ชื่องาน …)"


def _read_numbered_rows(text: str) -> Iterator[tuple[int, list[str] | _BrokenRow]]:
    """Yield rows with the number of their first line. Quoted cells may hold line ends.

    After a row that does not parse, for example one with an unclosed quote, reading continues at its second line.
    """
    lines = io.StringIO(text, newline="").readlines()
    delimiter = detect_delimiter(text)
    at = 0
    while at < len(lines):
        reader = csv.reader((lines[index] for index in range(at, len(lines))), delimiter=delimiter, strict=True)
        read = 0
        try:
            for row in reader:
                yield at + read + 1, row
                read = reader.line_num
        except csv.Error as problem:
            yield at + read + 1, _BrokenRow(str(problem), lines[at + read])
            read += 1
        at += read


def detect_delimiter(text: str) -> str:
    head = text[: text.find("\n")] if "\n" in text else text
    return max(_DELIMITERS, key=head.count)


def _list_ignored_columns(number: int, header: list[str], columns: list[str | None]) -> Iterator[ImportNotice]:
    for index, (cell, column) in enumerate(zip(header, columns, strict=True)):
        if column is None and cell.strip():
            yield ImportNotice(number, f"the column {cell.strip()[:60]!r} is unknown and left out")
        elif column is not None and column in columns[:index]:
            yield ImportNotice(number, f"the column {cell.strip()[:60]!r} is a second {column} and is left out")


def _read_cells(columns: list[str | None], row: list[str]) -> TableCells:
    if len(row) > len(columns) and any(cell.strip() for cell in row[len(columns) :]):
        raise BadRow(
            f"it has {len(row)} cells, but there are {len(columns)} columns; quote cells that hold the delimiter"
        )
    cells: TableCells = {}
    for column, cell in zip(columns, row, strict=False):
        if column is not None:
            cells.setdefault(column, check_text(column, cell).strip())
    return cells


def _read_task(number: int, cells: TableCells, zone: ZoneInfo) -> ImportedTask:
    title = check_title(cells.get("title", ""))
    completed, is_done = _read_completion(cells, zone)
    return ImportedTask(
        line=number,
        title=title,
        key=check_key(cells.get("id", "")),
        identity=("table", cells.get("created", ""), fold(title)),
        description=check_optional_text("description", cells.get("description")),
        notes_markdown=check_optional_text("notes", cells.get("notes")),
        project=_read_project(cells),
        status=_read_status(cells, is_done=is_done),
        priority=_read_priority(cells),
        is_important=_read_boolean(cells, "important"),
        due_at=_read_timestamp(cells, "due", zone, at_end=True),
        remind_at=_read_timestamp(cells, "reminder", zone),
        recurrence=_read_recurrence(cells),
        created_at=_read_timestamp(cells, "created", zone),
        updated_at=_read_timestamp(cells, "updated", zone),
        status_since=completed,
    )


def _read_completion(cells: TableCells, zone: ZoneInfo) -> tuple[datetime | None, bool]:
    """Return the time of completion and whether the task is done: the column holds a date or a yes or no."""
    truth = find_boolean(cells.get("completed", ""))
    if truth is not None:
        return None, truth
    completed = _read_timestamp(cells, "completed", zone)
    return completed, completed is not None or _read_boolean(cells, "done")


def _read_status(cells: TableCells, *, is_done: bool) -> TaskStatus:
    text = cells.get("status", "")
    if not text:
        return "DONE" if is_done else "TODO"
    status = find_status(text)
    if status is None:
        raise BadRow(f"the status {text[:40]!r} is unknown; write TODO, DOING, DONE or ARCHIVED")
    return status


def _read_priority(cells: TableCells) -> Priority:
    text = cells.get("priority", "")
    priority = find_priority(text) if text else "NORMAL"
    if priority is None:
        raise BadRow(f"the priority {text[:40]!r} is unknown; write URGENT, NORMAL or LOW")
    return priority


def _read_boolean(cells: TableCells, column: str) -> bool:
    text = cells.get(column, "")
    truth = find_boolean(text) if text else False
    if truth is None:
        raise BadRow(f"{column} is {text[:40]!r}; write yes or no")
    return truth


def _read_project(cells: TableCells) -> ProjectName | None:
    name, id = cells.get("project", ""), check_key(cells.get("project_id", ""))
    if id:
        return ProjectName(id, name or id)
    return make_project(name) if name else None


def _read_recurrence(cells: TableCells) -> str:
    text = cells.get("recurrence", "")
    recurrence = read_recurrence(text)
    if recurrence is None:
        raise BadRow(f"the recurrence {text[:40]!r} is unknown; write DAILY, WEEKLY, MONTHLY, YEARLY or an RRULE")
    return recurrence


def _read_timestamp(cells: TableCells, column: str, zone: ZoneInfo, *, at_end: bool = False) -> datetime | None:
    text = cells.get(column, "")
    if not text:
        return None
    try:
        value = _parse_day_first(text) or parse_thai_day(text, zone) or parse_iso(text)
        if isinstance(value, datetime):
            return to_utc(value, zone)
        return get_day_end(value, zone) if at_end else get_day_start(value, zone)
    except (ValueError, OverflowError):
        raise BadRow(
            f"{column} is {text[:40]!r}; write dates as 2025-01-31, 2025-01-31T09:30 or 30 พ.ย. 2569"
        ) from None


def _parse_day_first(text: str) -> date | None:
    """Parse 31/01/2568, the Thai form. Only with a Buddhist year, because 01/02/2025 may be either of two days."""
    match = _DAY_FIRST.fullmatch(text)
    return date(to_common_year(int(match[3])), int(match[2]), int(match[1])) if match else None
