"""Reads to-dos of Things as JSON: a list of objects as `things.py` and scripts around the app write them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from sanya.suites.tasks.contract import TaskStatus
from sanya.suites.tasks.importing.decoding import convert_to_utf8
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ImportNotice,
    ParsedRow,
    ParsedRows,
    ProjectName,
    check_key,
    check_optional_text,
    check_title,
    make_project,
    reject_row,
)
from sanya.suites.tasks.timestamps import get_day_end, get_day_start, parse_iso, to_utc

_STATUSES: dict[str, TaskStatus] = {"incomplete": "TODO", "completed": "DONE", "canceled": "ARCHIVED"}
_CHECKED = {"completed": "x", "canceled": "-"}


def parse_things(data: bytes, zone: ZoneInfo) -> ParsedRows:
    try:
        entries = orjson.loads(convert_to_utf8(data))
    except orjson.JSONDecodeError as error:
        yield reject_row(1, f"the file is not JSON: {error}", data[:200].decode("utf-8", "replace"))
        return
    for number, entry in enumerate(entries if isinstance(entries, list) else [entries], start=1):
        yield _parse_entry(number, entry, zone)


def _parse_entry(number: int, entry: Any, zone: ZoneInfo) -> ParsedRow:
    shown = orjson.dumps(entry).decode("utf-8")
    if not isinstance(entry, dict):
        return reject_row(number, "it is not an object", shown)
    if entry.get("type") != "to-do":
        return ImportNotice(number, f"{_get_text(entry, 'title')[:60]!r} is a {entry.get('type')} and left out")
    try:
        return _read_task(number, entry, zone)
    except BadRow as problem:
        return reject_row(number, str(problem), shown)


def _read_task(number: int, entry: dict[str, Any], zone: ZoneInfo) -> ImportedTask:
    status = _STATUSES.get(_get_text(entry, "status"))
    if status is None:
        raise BadRow(f"the status {_get_text(entry, 'status')[:40]!r} is unknown; it is one of {', '.join(_STATUSES)}")
    stopped = _read_time(entry, "stop_date", zone)
    return ImportedTask(
        line=number,
        title=check_title(_get_text(entry, "title")),
        key=check_key(_get_text(entry, "uuid")),
        identity=("things", _get_text(entry, "created"), _get_text(entry, "title")),
        notes_markdown=check_optional_text("notes", _join_notes(entry)),
        project=_read_project(entry),
        status="ARCHIVED" if entry.get("trashed") is True else status,
        due_at=_read_time(entry, "deadline", zone, at_end=True),
        remind_at=_read_time(entry, "start_date", zone),
        created_at=_read_time(entry, "created", zone),
        updated_at=_read_time(entry, "modified", zone),
        status_since=stopped,
    )


def _read_project(entry: dict[str, Any]) -> ProjectName | None:
    for id_name, title_name in (("project", "project_title"), ("area", "area_title")):
        id, title = check_key(_get_text(entry, id_name)), _get_text(entry, title_name).strip()
        if id:
            return ProjectName(id, title or id)
        if title:
            return make_project(title)
    return None


def _join_notes(entry: dict[str, Any]) -> str:
    """Return the notes, then the check list as Markdown."""
    checklist = entry.get("checklist")
    items = [item for item in checklist if isinstance(item, dict)] if isinstance(checklist, list) else []
    lines = [f"- [{_CHECKED.get(_get_text(item, 'status'), ' ')}] {_get_text(item, 'title')}" for item in items]
    return "\n\n".join(part for part in (_get_text(entry, "notes"), "\n".join(lines)) if part.strip())


def _get_text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    return value if isinstance(value, str) else ""


def _read_time(entry: dict[str, Any], name: str, zone: ZoneInfo, *, at_end: bool = False) -> datetime | None:
    text = _get_text(entry, name).strip()
    if not text:
        return None
    try:
        value = parse_iso(text.replace(" ", "T", 1))
        if isinstance(value, datetime):
            return to_utc(value, zone)
        return get_day_end(value, zone) if at_end else get_day_start(value, zone)
    except (ValueError, OverflowError):
        raise BadRow(f"{name} is {text[:40]!r}; write it as 2025-01-31") from None
