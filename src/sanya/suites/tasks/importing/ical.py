"""Reads iCalendar tasks (VTODO of RFC 5545). The id is the UID, with the RECURRENCE-ID of a changed instance."""

from __future__ import annotations

import re
import warnings
from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Component
from icalendar.error import GloballyUniqueTZIDGuessed
from icalendar.prop import vBroken, vCategory
from icalendar.timezone import tzp

from sanya.suites.tasks.contract import Priority, TaskStatus
from sanya.suites.tasks.importing.decoding import convert_to_utf8
from sanya.suites.tasks.importing.ical_blocks import FOLD, IcalBlock, parse_block, split_blocks
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ParsedRows,
    ProjectName,
    RejectedRow,
    check_key,
    check_optional_text,
    check_text,
    check_title,
    make_project,
    reject_row,
)
from sanya.suites.tasks.timestamps import get_day_end, get_day_start, to_common_year, to_utc

_STATUSES: dict[str, TaskStatus] = {
    "NEEDS-ACTION": "TODO",
    "IN-PROCESS": "DOING",
    "COMPLETED": "DONE",
    "CANCELLED": "ARCHIVED",
}
_SUMMARY = re.compile(rb"^SUMMARY\b[^:\n]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_RULE = re.compile(rb"^RRULE\b[^:\n]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def parse_ical(data: bytes, zone: ZoneInfo) -> ParsedRows:
    tzp.use_default()  # forgets the time zones that another file defined
    for block in split_blocks(convert_to_utf8(data)):
        row = _read_block(block, zone)
        if row is not None:
            yield row


def _read_block(block: IcalBlock, zone: ZoneInfo) -> ImportedTask | RejectedRow | None:
    """Read a task; the library keeps a time zone for the tasks behind it, and skips one that it cannot read."""
    try:
        with warnings.catch_warnings():
            # The library guesses /mozilla.org/20050126_1/Europe/Berlin right, and warns that it guesses.
            warnings.simplefilter("ignore", GloballyUniqueTZIDGuessed)
            component = parse_block(block)
            return _read_task(component, block, zone) if block.is_task else None
    except BadRow as problem:
        summary = _SUMMARY.search(block.content)
        excerpt = summary[1].decode("utf-8", "replace") if summary else "VTODO"
        return reject_row(block.line, str(problem), excerpt) if block.is_task else None


def _read_task(todo: Component, block: IcalBlock, zone: ZoneInfo) -> ImportedTask:
    unread = [message for name, message in todo.errors if name is None]
    if unread:
        raise BadRow(f"it cannot be read as iCalendar: {unread[0][:120]}")
    title = check_title(_read_text(todo, "SUMMARY"))
    status, since = _read_status(todo, zone)
    due = _read_due(todo, zone)
    return ImportedTask(
        line=block.line,
        title=title,
        key=_read_key(todo),
        identity=("ical", _read_raw(todo, "CREATED"), title),
        description=check_optional_text("DESCRIPTION", _read_text(todo, "DESCRIPTION")),
        project=_read_project(todo, block.calendar_name),
        status=status,
        priority=_read_priority(todo),
        due_at=due,
        remind_at=_read_reminder(todo, zone, due),
        recurrence=_read_rule(block.content),
        created_at=_read_time(todo, "CREATED", zone),
        updated_at=_read_time(todo, "LAST-MODIFIED", zone) or _read_time(todo, "DTSTAMP", zone),
        status_since=since,
    )


def _get(component: Component, name: str) -> Any:
    """Return the first property of this name, or None."""
    found = component.get(name)
    return found[0] if isinstance(found, list) else found


def _read_text(component: Component, name: str) -> str:
    return str(_get(component, name) or "")


def _read_raw(component: Component, name: str) -> str:
    """Return a value as the file writes it."""
    found = _get(component, name)
    raw = b"" if found is None else found.to_ical()
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)


def _read_value(found: Any) -> object:
    """Return the date, time or duration of a property; None for one of another type, which VALUE may ask for."""
    return None if isinstance(found, vBroken) else getattr(found, "dt", None)


def _read_key(todo: Component) -> str | None:
    uid, instance = _read_text(todo, "UID").strip(), _read_raw(todo, "RECURRENCE-ID")
    return check_key(f"{uid}#{instance}" if uid and instance else uid)


def _read_status(todo: Component, zone: ZoneInfo) -> tuple[TaskStatus, datetime | None]:
    completed = _read_time(todo, "COMPLETED", zone)
    word = _read_text(todo, "STATUS").strip().upper()
    if not word:
        done = completed is not None or _read_text(todo, "PERCENT-COMPLETE") == "100"
        return ("DONE", completed) if done else ("TODO", None)
    if word not in _STATUSES:
        raise BadRow(f"the STATUS {word[:40]!r} is unknown; write one of {', '.join(_STATUSES)}")
    return _STATUSES[word], completed if word == "COMPLETED" else None


def _read_priority(todo: Component) -> Priority:
    number = _get(todo, "PRIORITY") or 0
    if not isinstance(number, int) or not 0 <= number <= 9:
        raise BadRow(f"the PRIORITY {_read_raw(todo, 'PRIORITY')[:40]!r} is unknown; write a number from 0 to 9")
    if 1 <= number <= 4:
        return "URGENT"
    return "LOW" if number >= 6 else "NORMAL"


def _read_due(todo: Component, zone: ZoneInfo) -> datetime | None:
    due = _read_time(todo, "DUE", zone, at_end=True)
    start, duration = _read_time(todo, "DTSTART", zone), _get(todo, "DURATION")
    if due is None and start is not None and duration is not None:
        return _add_duration(start, "DURATION", duration)
    return due


def _read_reminder(todo: Component, zone: ZoneInfo, due: datetime | None) -> datetime | None:
    """Return the time of the earliest alarm that has one."""
    start = _read_time(todo, "DTSTART", zone)
    times = (_read_alarm(alarm, zone, start, due) for alarm in todo.subcomponents if alarm.name == "VALARM")
    return min((time for time in times if time is not None), default=None)


def _read_alarm(alarm: Component, zone: ZoneInfo, start: datetime | None, due: datetime | None) -> datetime | None:
    """Return when an alarm rings, or None where it depends on a start or due date that the task does not have."""
    trigger = _get(alarm, "TRIGGER")
    if trigger is None or isinstance(_read_value(trigger), date):
        return _read_time(alarm, "TRIGGER", zone)
    from_end = str(trigger.params.get("RELATED", "")).upper() == "END"
    anchor = due if from_end else start or due
    return None if anchor is None else _add_duration(anchor, "TRIGGER", trigger)


def _add_duration(start: datetime, name: str, duration: Any) -> datetime:
    length = _read_value(duration)
    if not isinstance(length, timedelta):
        raise BadRow(f"the {name} {str(duration)[:40]!r} is not a duration; iCalendar writes PT15M or P1D")
    try:
        return start + length
    except OverflowError:
        raise BadRow(f"the {name} of {length.days:,} days leaves the calendar; shorten it") from None


def _read_time(component: Component, name: str, zone: ZoneInfo, *, at_end: bool = False) -> datetime | None:
    """Return a time in UTC. A date alone is the start of its day or, with `at_end`, its last millisecond."""
    found = _get(component, name)
    if found is None:
        return None
    try:
        value = _read_value(found)
        if not isinstance(value, date):
            raise ValueError("not a date or time")
        value = value.replace(year=to_common_year(value.year))
        if isinstance(value, datetime):
            return to_utc(_attach_zone(value, str(found.params.get("TZID", ""))), zone)
        return get_day_end(value, zone) if at_end else get_day_start(value, zone)
    except BadRow:
        raise
    except (ValueError, OverflowError):
        text = _read_raw(component, name)[:40]
        raise BadRow(f"{name} is {text!r}, which is no date; iCalendar writes 20250131 or 20250131T093000Z") from None


def _attach_zone(time: datetime, tzid: str) -> datetime:
    if time.tzinfo is not None or not tzid:
        return time
    zone: tzinfo | None = None
    with suppress(OSError):  # a folder of the time zone database, or a name too long for a file
        # With a slash in front, the library also tries the ends of a longer path.
        zone = tzp.timezone("/" + tzid.strip(" /"))
    if zone is None:
        raise BadRow(f"the time zone {tzid[:60]!r} is unknown; use an IANA name such as Asia/Bangkok")
    return time.replace(tzinfo=zone)


def _read_project(todo: Component, calendar_name: str) -> ProjectName | None:
    """Return the calendar as the project, because most apps export a list as a calendar; else the first category."""
    categories = _get(todo, "CATEGORIES")
    names = categories.cats if isinstance(categories, vCategory) else []
    name = calendar_name or next((str(category).strip() for category in names), "")
    return make_project(check_text("the project", name)) if name else None


def _read_rule(content: bytes) -> str:
    """Return the rule as the file writes it: the library would order its parts anew, and each import log a change."""
    rule = _RULE.search(FOLD.sub(b"", content))
    if rule is None:
        return "NONE"
    text = rule[1].decode().strip()
    return read_recurrence(text) or check_text("RRULE", text)
