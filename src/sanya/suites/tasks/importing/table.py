"""CSV and TSV, as spreadsheets and task apps write them. The first row names the columns, in English or Thai.

Without an id column, a row's id comes from its title and creation date: it changes when the title does.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sanya.kernel.folding import fold
from sanya.suites.tasks.contract import Priority, TaskStatus
from sanya.suites.tasks.importing.decoding import as_utf8
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    Notice,
    ProjectName,
    Rows,
    checked_key,
    checked_text,
    checked_title,
    optional_text,
    project_named,
    rejected,
)
from sanya.suites.tasks.importing.table_words import column_named, priority_named, status_named, truth_named
from sanya.suites.tasks.moments import common_year, end_of_day, in_utc, read_iso, start_of_day

_DELIMITERS = ",;\t|"
_DAY_FIRST = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/(2[4-9][0-9]{2})")

Cells = dict[str, str]


class _Broken(NamedTuple):
    """A row that does not parse, and its first line."""

    problem: str
    line: str


def parse_table(data: bytes, zone: ZoneInfo) -> Rows:
    # Bytes that are not UTF-8 are kept as halves of surrogate pairs, so that only the rows that hold them are refused.
    text = as_utf8(data).decode("utf-8", "surrogateescape")
    rows = _numbered_rows(text)
    number, header = next(rows, (1, []))
    if isinstance(header, _Broken) or "title" not in (columns := [column_named(cell) for cell in header]):
        yield rejected(number, _header_problem(text), text[:200])
        return
    yield from _left_out(number, header, columns)
    for number, row in rows:
        try:
            if isinstance(row, _Broken):
                raise BadRow(f"it is not a row of the table: {row.problem}")
            if any(cell.strip() for cell in row):
                yield _read(number, _cells(columns, row), zone)
        except BadRow as problem:
            yield rejected(number, str(problem), row.line if isinstance(row, _Broken) else ", ".join(row))


def _header_problem(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Excel on a Thai Windows writes another encoding unless it is told.
        return "the file is not UTF-8 text; save it as UTF-8 (in Excel: CSV UTF-8)"
    return "the first row must name the columns, and one of them must be the title (title, task, ชื่องาน …)"


def _numbered_rows(text: str) -> Iterator[tuple[int, list[str] | _Broken]]:
    """Rows with the number of their first line. Quoted cells may hold line ends; after a row that does not parse, such
    as one whose quote is never closed, reading goes on at the line after its first."""
    lines = io.StringIO(text, newline="").readlines()
    delimiter = delimiter_of(text)
    at = 0
    while at < len(lines):
        reader = csv.reader((lines[index] for index in range(at, len(lines))), delimiter=delimiter, strict=True)
        read = 0
        try:
            for row in reader:
                yield at + read + 1, row
                read = reader.line_num
        except csv.Error as problem:
            yield at + read + 1, _Broken(str(problem), lines[at + read])
            read += 1
        at += read


def delimiter_of(text: str) -> str:
    head = text[: text.find("\n")] if "\n" in text else text
    return max(_DELIMITERS, key=head.count)


def _left_out(number: int, header: list[str], columns: list[str | None]) -> Iterator[Notice]:
    for index, (cell, column) in enumerate(zip(header, columns, strict=True)):
        if column is None and cell.strip():
            yield Notice(number, f"the column {cell.strip()[:60]!r} is not one we know and is left out")
        elif column is not None and column in columns[:index]:
            yield Notice(number, f"the column {cell.strip()[:60]!r} is a second {column} and is left out")


def _cells(columns: list[str | None], row: list[str]) -> Cells:
    if len(row) > len(columns) and any(cell.strip() for cell in row[len(columns) :]):
        raise BadRow(
            f"it has {len(row)} cells, but there are {len(columns)} columns; quote cells that hold the delimiter"
        )
    cells: Cells = {}
    for column, cell in zip(columns, row, strict=False):
        if column is not None:
            cells.setdefault(column, checked_text(column, cell).strip())
    return cells


def _read(number: int, cells: Cells, zone: ZoneInfo) -> ImportedTask:
    title = checked_title(cells.get("title", ""))
    completed, is_done = _completion(cells, zone)
    return ImportedTask(
        line=number,
        title=title,
        key=checked_key(cells.get("id", "")),
        identity=("table", cells.get("created", ""), fold(title)),
        description=optional_text("description", cells.get("description")),
        notes_markdown=optional_text("notes", cells.get("notes")),
        project=_project(cells),
        status=_status(cells, is_done=is_done),
        priority=_priority(cells),
        is_important=_truth(cells, "important"),
        due_at=_moment(cells, "due", zone, at_end=True),
        remind_at=_moment(cells, "reminder", zone),
        recurrence=_recurrence(cells),
        created_at=_moment(cells, "created", zone),
        updated_at=_moment(cells, "updated", zone),
        status_since=completed,
    )


def _completion(cells: Cells, zone: ZoneInfo) -> tuple[datetime | None, bool]:
    """When it was done, and whether: a column of that name holds a date in some tables, yes or no in others."""
    truth = truth_named(cells.get("completed", ""))
    if truth is not None:
        return None, truth
    completed = _moment(cells, "completed", zone)
    return completed, completed is not None or _truth(cells, "done")


def _status(cells: Cells, *, is_done: bool) -> TaskStatus:
    text = cells.get("status", "")
    if not text:
        return "DONE" if is_done else "TODO"
    status = status_named(text)
    if status is None:
        raise BadRow(f"the status {text[:40]!r} is unknown; write TODO, DOING, DONE or ARCHIVED")
    return status


def _priority(cells: Cells) -> Priority:
    text = cells.get("priority", "")
    priority = priority_named(text) if text else "NORMAL"
    if priority is None:
        raise BadRow(f"the priority {text[:40]!r} is unknown; write URGENT, NORMAL or LOW")
    return priority


def _truth(cells: Cells, column: str) -> bool:
    text = cells.get(column, "")
    truth = truth_named(text) if text else False
    if truth is None:
        raise BadRow(f"{column} is {text[:40]!r}; write yes or no")
    return truth


def _project(cells: Cells) -> ProjectName | None:
    name, id = cells.get("project", ""), checked_key(cells.get("project_id", ""))
    if id:
        return ProjectName(id, name or id)
    return project_named(name) if name else None


def _recurrence(cells: Cells) -> str:
    text = cells.get("recurrence", "")
    read = read_recurrence(text)
    if read is None:
        raise BadRow(f"the recurrence {text[:40]!r} is unknown; write DAILY, WEEKLY, MONTHLY, YEARLY or an RRULE")
    return read


def _moment(cells: Cells, column: str, zone: ZoneInfo, *, at_end: bool = False) -> datetime | None:
    text = cells.get(column, "")
    if not text:
        return None
    try:
        read = _day_first(text) or read_iso(text)
        if isinstance(read, datetime):
            return in_utc(read, zone)
        return end_of_day(read, zone) if at_end else start_of_day(read, zone)
    except (ValueError, OverflowError):
        raise BadRow(f"{column} is {text[:40]!r}; write dates as 2025-01-31 or 2025-01-31T09:30") from None


def _day_first(text: str) -> date | None:
    """31/01/2568: the Thai way. Only with a Buddhist year, because 01/02/2025 may be either of two days."""
    found = _DAY_FIRST.fullmatch(text)
    return date(common_year(int(found[3])), int(found[2]), int(found[1])) if found else None
