"""iCalendar tasks (VTODO of RFC 5545). The id is the UID, with the RECURRENCE-ID where one instance was changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from sanya.suites.tasks.contract import Priority, TaskStatus
from sanya.suites.tasks.importing.content_lines import Component, read_property, unfolded_lines
from sanya.suites.tasks.importing.decoding import as_utf8
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ProjectName,
    Rows,
    checked_key,
    checked_text,
    checked_title,
    optional_text,
    project_named,
    rejected,
)
from sanya.suites.tasks.importing.vtodo_times import Zones, alarm_moment, moved_by, read_moment

_STATUSES: dict[str, TaskStatus] = {
    "NEEDS-ACTION": "TODO",
    "IN-PROCESS": "DOING",
    "COMPLETED": "DONE",
    "CANCELLED": "ARCHIVED",
}
_WANTED = ("VTODO", "VTIMEZONE")


def parse_ical(data: bytes, zone: ZoneInfo) -> Rows:
    zones = Zones(zone)
    calendar_name = ""
    for component in _components(as_utf8(data)):
        match component.name:
            case "VTIMEZONE":
                zones.add(component)
            case "VCALENDAR":
                named = component.first("NAME") or component.first("X-WR-CALNAME")
                calendar_name = named.text() if named else ""
            case "VTODO":
                try:
                    yield _read(component, zones, calendar_name)
                except BadRow as problem:
                    summary = component.first("SUMMARY")
                    yield rejected(component.line, str(problem), summary.text() if summary else "VTODO")


def _components(data: bytes) -> Iterator[Component]:
    """Tasks and time zones, each when it ends. A calendar comes before each component in it: by then its own
    properties have been read."""
    open_ones: list[Component] = []
    for number, line in unfolded_lines(data):
        word, _, name = line.strip().upper().partition(b":")
        if word == b"BEGIN":
            if open_ones and open_ones[-1].name == "VCALENDAR":
                yield open_ones[-1]
            open_ones.append(Component(name.decode("ascii", "replace"), number))
        elif word == b"END" and open_ones:
            ended = open_ones.pop()
            if ended.name in _WANTED:
                yield ended
            elif open_ones and open_ones[-1].name in _WANTED:
                open_ones[-1].inner.append(ended)
        elif open_ones and line.strip():
            _add_property(open_ones[-1], number, line)
    for unended in open_ones:
        if unended.name == "VTODO":
            unended.problem = "it has no END:VTODO; the file may be cut short"
            yield unended


def _add_property(component: Component, number: int, line: bytes) -> None:
    try:
        component.properties.append(read_property(line))
    except BadRow as problem:
        component.problem = component.problem or f"line {number}: {problem}"


def _read(todo: Component, zones: Zones, calendar_name: str) -> ImportedTask:
    if todo.problem is not None:
        raise BadRow(todo.problem)
    title = checked_title(_text(todo, "SUMMARY"))
    status, since = _status(todo, zones)
    due = _due(todo, zones)
    return ImportedTask(
        line=todo.line,
        title=title,
        key=_key(todo),
        identity=("ical", _text(todo, "CREATED"), title),
        description=optional_text("DESCRIPTION", _text(todo, "DESCRIPTION")),
        project=_project(todo, calendar_name),
        status=status,
        priority=_priority(todo),
        due_at=due,
        remind_at=_reminder(todo, zones, due),
        recurrence=_recurrence(todo),
        created_at=_moment(todo, "CREATED", zones),
        updated_at=_moment(todo, "LAST-MODIFIED", zones) or _moment(todo, "DTSTAMP", zones),
        status_since=since,
    )


def _text(todo: Component, name: str) -> str:
    found = todo.first(name)
    return found.text() if found else ""


def _moment(todo: Component, name: str, zones: Zones, *, at_end: bool = False) -> datetime | None:
    found = todo.first(name)
    return read_moment(found, zones, at_end=at_end) if found else None


def _key(todo: Component) -> str | None:
    uid, instance = _text(todo, "UID").strip(), _text(todo, "RECURRENCE-ID").strip()
    return checked_key(f"{uid}#{instance}" if uid and instance else uid)


def _status(todo: Component, zones: Zones) -> tuple[TaskStatus, datetime | None]:
    completed = _moment(todo, "COMPLETED", zones)
    word = _text(todo, "STATUS").strip().upper()
    if not word:
        done = completed is not None or _text(todo, "PERCENT-COMPLETE").strip() == "100"
        return ("DONE", completed) if done else ("TODO", None)
    if word not in _STATUSES:
        raise BadRow(f"the STATUS {word[:40]!r} is unknown; it must be one of {', '.join(_STATUSES)}")
    return _STATUSES[word], completed if word == "COMPLETED" else None


def _priority(todo: Component) -> Priority:
    text = _text(todo, "PRIORITY").strip() or "0"
    if not (text.isascii() and text.isdigit() and int(text) <= 9):
        raise BadRow(f"the PRIORITY {text[:40]!r} is not a number from 0 to 9")
    number = int(text)
    if 1 <= number <= 4:
        return "URGENT"
    return "LOW" if number >= 6 else "NORMAL"


def _due(todo: Component, zones: Zones) -> datetime | None:
    due = _moment(todo, "DUE", zones, at_end=True)
    start, duration = _moment(todo, "DTSTART", zones), todo.first("DURATION")
    if due is None and start is not None and duration is not None:
        return moved_by(start, duration)
    return due


def _reminder(todo: Component, zones: Zones, due: datetime | None) -> datetime | None:
    """The first alarm that says when it rings."""
    start = _moment(todo, "DTSTART", zones)
    moments = (alarm_moment(one, zones, start, due) for one in todo.inner if one.name == "VALARM")
    return min((moment for moment in moments if moment is not None), default=None)


def _project(todo: Component, calendar_name: str) -> ProjectName | None:
    """The calendar's own name, which is the list in most apps; else the first category."""
    categories = todo.first("CATEGORIES")
    name = calendar_name.strip() or (categories.texts()[0].strip() if categories else "")
    return project_named(checked_text("the project", name)) if name else None


def _recurrence(todo: Component) -> str:
    rule = todo.first("RRULE")
    if rule is None:
        return "NONE"
    return read_recurrence(rule.value) or checked_text("RRULE", rule.value)
