"""Reads Todoist's CSV export of a project: a row for each section, task and comment.

The format has no ids. The id comes from the section and the content. Comments become notes of the task above them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sanya.suite.text import fold
from sanya.suites.tasks.contract import Priority
from sanya.suites.tasks.importing.decoding import convert_to_utf8
from sanya.suites.tasks.importing.recurrence import read_spoken_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ImportNotice,
    ParsedRow,
    ParsedRows,
    check_optional_text,
    check_text,
    check_title,
    make_project,
    reject_row,
)
from sanya.suites.tasks.timestamps import get_day_end, parse_iso, to_utc

# In the export, 1 is the highest priority.
_PRIORITIES: dict[str, Priority] = {"1": "URGENT", "2": "NORMAL", "3": "NORMAL", "4": "LOW", "": "NORMAL"}
_DAY_FORMATS = ("%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%b %d, %Y", "%m/%d/%Y")
_REPEATED = ("every ", "every! ")


@dataclass(slots=True)
class _Entry:
    line: int
    cells: dict[str, str]
    section: str | None
    comments: list[str] = field(default_factory=list)


def parse_todoist(data: bytes, zone: ZoneInfo) -> ParsedRows:
    text = convert_to_utf8(data).decode("utf-8", "surrogateescape")
    try:
        for entry in _collect_entries(text):
            yield from _parse_entry(entry, zone)
    except csv.Error as problem:
        yield reject_row(1, f"a row does not parse ({problem}); it and the rows after it are left out", text[:200])


def _parse_entry(entry: _Entry, zone: ZoneInfo) -> Iterator[ParsedRow]:
    try:
        yield from _read_task(entry, zone)
    except BadRow as problem:
        yield reject_row(entry.line, str(problem), entry.cells.get("CONTENT", ""))


def _collect_entries(text: str) -> Iterator[_Entry]:
    section, entry = None, None
    rows = csv.DictReader(io.StringIO(text, newline=""))
    for row in rows:
        cells = {name.strip().upper(): (value or "") for name, value in row.items() if isinstance(name, str)}
        kind, content = cells.get("TYPE", "").strip().casefold(), cells.get("CONTENT", "")
        if kind == "note" and entry is not None:
            entry.comments.append(content)
            continue
        if kind not in ("section", "task"):
            continue
        if entry is not None:
            yield entry
        entry = _Entry(rows.line_num, cells, section) if kind == "task" else None
        section = content.strip() or None if kind == "section" else section
    if entry is not None:
        yield entry


def _read_task(entry: _Entry, zone: ZoneInfo) -> Iterator[ParsedRow]:
    cells = entry.cells
    title = check_title(check_text("the content", cells.get("CONTENT", "")))
    spoken = cells.get("DATE", "").strip()
    due, recurrence = _read_due(spoken, zone)
    if spoken and due is None and recurrence == "NONE":
        yield ImportNotice(entry.line, f"the date {spoken[:60]!r} is not understood and left out")
    priority = _PRIORITIES.get(cells.get("PRIORITY", "").strip(), "NORMAL")
    yield ImportedTask(
        line=entry.line,
        title=title,
        identity=("todoist", fold(entry.section or ""), fold(title)),
        description=check_optional_text("description", cells.get("DESCRIPTION")),
        notes_markdown=check_optional_text("notes", "\n\n".join(entry.comments)),
        project=make_project(entry.section) if entry.section else None,
        priority=priority,
        is_important=priority == "URGENT",
        due_at=due,
        recurrence=recurrence,
    )


def _read_due(text: str, zone: ZoneInfo) -> tuple[datetime | None, str]:
    """Return the due time and the recurrence. A date in words that we do not know is neither."""
    if text.casefold().startswith(_REPEATED):
        return None, read_spoken_recurrence(text) or "NONE"
    value = _parse_day(text)
    if value is None:
        return None, "NONE"
    return (to_utc(value, zone) if isinstance(value, datetime) else get_day_end(value, zone)), "NONE"


def _parse_day(text: str) -> date | datetime | None:
    try:
        return parse_iso(text.replace(" ", "T", 1))
    except ValueError:
        pass
    for layout in _DAY_FORMATS:
        try:
            return datetime.strptime(text, layout).date()
        except ValueError:
            continue
    return None
