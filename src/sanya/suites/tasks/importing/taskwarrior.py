"""Taskwarrior's JSON, as `task export` writes it: one object a line, or an array of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from sanya.kernel.dispatch import iso_time
from sanya.suites.tasks.contract import Priority, TaskStatus
from sanya.suites.tasks.importing.decoding import as_utf8, numbered_lines
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    Notice,
    Parsed,
    ProjectName,
    Rows,
    checked_key,
    checked_text,
    checked_title,
    optional_text,
    project_named,
    rejected,
)

_STATUSES: dict[str, TaskStatus] = {"pending": "TODO", "waiting": "TODO", "completed": "DONE", "deleted": "ARCHIVED"}
_PRIORITIES: dict[str, Priority] = {"H": "URGENT", "M": "NORMAL", "L": "LOW", "": "NORMAL"}
_MOMENT_FORMAT = "%Y%m%dT%H%M%SZ"


def parse_taskwarrior(data: bytes, zone: ZoneInfo) -> Rows:
    """Taskwarrior writes all its times in UTC, so the time zone does not matter."""
    del zone
    try:
        for number, raw in _objects(as_utf8(data)):
            yield _parsed(number, raw)
    except orjson.JSONDecodeError as error:
        yield rejected(1, f"the file is not JSON: {error}", data[:200].decode("utf-8", "replace"))


def _parsed(number: int, raw: bytes) -> Parsed:
    try:
        return _read(number, orjson.loads(raw))
    except orjson.JSONDecodeError as error:
        reason = f"it is not JSON: {error}"
    except BadRow as problem:
        reason = str(problem)
    return rejected(number, reason, raw[:400].decode("utf-8", "replace"))


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each object with its line. A file laid out otherwise is read whole, and the number is the place in its array."""
    lines = [(number, text) for number, line in numbered_lines(data) if (text := _bare(line))]
    if any(text.startswith(b"{") and text.endswith(b"}") and b"},{" not in text for _, text in lines):
        yield from lines
        return
    found = orjson.loads(data)
    for number, one in enumerate(found if isinstance(found, list) else [found], start=1):
        yield number, orjson.dumps(one)


def _bare(line: bytes) -> bytes:
    """The line without what joins it to an array."""
    return line.strip().removeprefix(b"[").removesuffix(b"]").strip().removesuffix(b",").strip()


def _read(number: int, found: Any) -> ImportedTask | Notice:
    if not isinstance(found, dict):
        raise BadRow("it is not a task: an object with uuid and description is expected")
    if found.get("status") == "recurring":
        return Notice(number, "the template of a recurring task is left out; its instances are tasks of their own")
    status = _status(found)
    title = checked_title(_text(found, "description"))
    return ImportedTask(
        line=number,
        title=title,
        key=checked_key(_text(found, "uuid")),
        identity=("taskwarrior", _text(found, "entry"), title),
        notes_markdown=_notes(found),
        project=_project(found),
        status=status,
        priority=_priority(found),
        due_at=_moment(found, "due"),
        remind_at=_moment(found, "scheduled") or _moment(found, "wait"),
        recurrence=read_recurrence(_text(found, "recur")) or checked_text("recur", _text(found, "recur")),
        created_at=_moment(found, "entry"),
        updated_at=_moment(found, "modified"),
        status_since=_moment(found, "start") if status == "DOING" else _moment(found, "end"),
    )


def _status(found: dict[str, Any]) -> TaskStatus:
    word = _text(found, "status") or "pending"
    if word not in _STATUSES:
        raise BadRow(f"the status {word!r} is unknown; it must be one of {', '.join(_STATUSES)}, recurring")
    status = _STATUSES[word]
    return "DOING" if status == "TODO" and found.get("start") else status


def _priority(found: dict[str, Any]) -> Priority:
    letter = _text(found, "priority")
    if letter not in _PRIORITIES:
        raise BadRow(f"the priority {letter!r} is unknown; it must be H, M or L")
    return _PRIORITIES[letter]


def _project(found: dict[str, Any]) -> ProjectName | None:
    name = checked_text("project", _text(found, "project")).strip()
    return project_named(name) if name else None


def _notes(found: dict[str, Any]) -> str | None:
    """Annotations as a list with their days, then the tags."""
    lines = [f"- {_annotation(one)}" for one in _list(found, "annotations")]
    tags = [f"`{tag}`" for tag in _list(found, "tags") if isinstance(tag, str)]
    if tags:
        lines.append(("\n" if lines else "") + "Tags: " + ", ".join(tags))
    return optional_text("annotations", "\n".join(lines))


def _annotation(one: Any) -> str:
    if not isinstance(one, dict):
        raise BadRow("annotations must be a list of objects")
    moment = _moment(one, "entry")
    day = f"{iso_time(moment)[:10]}: " if moment else ""
    return day + " ".join(_text(one, "description").split())


def _list(found: dict[str, Any], name: str) -> list[Any]:
    value = found.get(name) or []
    if not isinstance(value, list):
        raise BadRow(f"{name} must be a list")
    return value


def _text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRow(f"{name} must be text")
    return value


def _moment(found: dict[str, Any], name: str) -> datetime | None:
    text = _text(found, name)
    if not text:
        return None
    try:
        return datetime.strptime(text, _MOMENT_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        raise BadRow(f"{name} is {text[:40]!r}; Taskwarrior writes 20250131T093000Z") from None
