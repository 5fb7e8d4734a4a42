"""Reads Taskwarrior's JSON from `task export`: one object a line, or an array of objects."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from sanya.suite.runtime import format_timestamp
from sanya.suites.tasks.contract import Priority, TaskStatus
from sanya.suites.tasks.importing.decoding import convert_to_utf8, number_lines
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import (
    BadRow,
    ImportedTask,
    ImportNotice,
    ParsedRow,
    ParsedRows,
    ProjectName,
    check_key,
    check_optional_text,
    check_text,
    check_title,
    make_project,
    reject_row,
)

_STATUSES: dict[str, TaskStatus] = {"pending": "TODO", "waiting": "TODO", "completed": "DONE", "deleted": "ARCHIVED"}
_PRIORITIES: dict[str, Priority] = {"H": "URGENT", "M": "NORMAL", "L": "LOW", "": "NORMAL"}
_TIMESTAMP_FORMAT = "%Y%m%dT%H%M%SZ"


def parse_taskwarrior(data: bytes, zone: ZoneInfo) -> ParsedRows:
    """Parse the rows. Taskwarrior writes all times in UTC, so the time zone does not matter."""
    del zone
    try:
        for number, raw in _split_objects(convert_to_utf8(data)):
            yield _parse_row(number, raw)
    except orjson.JSONDecodeError as error:
        yield reject_row(1, f"the file is not JSON: {error}", data[:200].decode("utf-8", "replace"))


def _parse_row(number: int, raw: bytes) -> ParsedRow:
    try:
        return _read_task(number, orjson.loads(raw))
    except orjson.JSONDecodeError as error:
        reason = f"it is not JSON: {error}"
    except BadRow as problem:
        reason = str(problem)
    return reject_row(number, reason, raw[:400].decode("utf-8", "replace"))


def _split_objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each object with its line. In a file of another layout, the number is the position in its array."""
    lines = [(number, text) for number, line in number_lines(data) if (text := _strip_array(line))]
    if any(text.startswith(b"{") and text.endswith(b"}") and b"},{" not in text for _, text in lines):
        yield from lines
        return
    content = orjson.loads(data)
    for number, item in enumerate(content if isinstance(content, list) else [content], start=1):
        yield number, orjson.dumps(item)


def _strip_array(line: bytes) -> bytes:
    """Return the line without the brackets and comma of an array."""
    return line.strip().removeprefix(b"[").removesuffix(b"]").strip().removesuffix(b",").strip()


def _read_task(number: int, item: Any) -> ImportedTask | ImportNotice:
    if not isinstance(item, dict):
        raise BadRow("it is not a task; write an object with uuid and description")
    if item.get("status") == "recurring":
        return ImportNotice(
            number, "the template of a recurring task is left out; its instances are tasks of their own"
        )
    status = _read_status(item)
    title = check_title(_read_text(item, "description"))
    return ImportedTask(
        line=number,
        title=title,
        key=check_key(_read_text(item, "uuid")),
        identity=("taskwarrior", _read_text(item, "entry"), title),
        notes_markdown=_read_notes(item),
        project=_read_project(item),
        status=status,
        priority=_read_priority(item),
        due_at=_read_timestamp(item, "due"),
        remind_at=_read_timestamp(item, "scheduled") or _read_timestamp(item, "wait"),
        recurrence=read_recurrence(_read_text(item, "recur")) or check_text("recur", _read_text(item, "recur")),
        created_at=_read_timestamp(item, "entry"),
        updated_at=_read_timestamp(item, "modified"),
        status_since=_read_timestamp(item, "start") if status == "DOING" else _read_timestamp(item, "end"),
    )


def _read_status(item: dict[str, Any]) -> TaskStatus:
    word = _read_text(item, "status") or "pending"
    if word not in _STATUSES:
        raise BadRow(f"the status {word!r} is unknown; write one of {', '.join(_STATUSES)}, recurring")
    status = _STATUSES[word]
    return "DOING" if status == "TODO" and item.get("start") else status


def _read_priority(item: dict[str, Any]) -> Priority:
    letter = _read_text(item, "priority")
    if letter not in _PRIORITIES:
        raise BadRow(f"the priority {letter!r} is unknown; write H, M or L")
    return _PRIORITIES[letter]


def _read_project(item: dict[str, Any]) -> ProjectName | None:
    name = check_text("project", _read_text(item, "project")).strip()
    return make_project(name) if name else None


def _read_notes(item: dict[str, Any]) -> str | None:
    """Return the annotations as a list with their days, then the tags."""
    lines = [f"- {_format_annotation(annotation)}" for annotation in _read_list(item, "annotations")]
    tags = [f"`{tag}`" for tag in _read_list(item, "tags") if isinstance(tag, str)]
    if tags:
        lines.append(("\n" if lines else "") + "Tags: " + ", ".join(tags))
    return check_optional_text("annotations", "\n".join(lines))


def _format_annotation(annotation: Any) -> str:
    if not isinstance(annotation, dict):
        raise BadRow("annotations must be a list of objects")
    entered = _read_timestamp(annotation, "entry")
    day = f"{format_timestamp(entered)[:10]}: " if entered else ""
    return day + " ".join(_read_text(annotation, "description").split())


def _read_list(item: dict[str, Any], name: str) -> list[Any]:
    value = item.get(name) or []
    if not isinstance(value, list):
        raise BadRow(f"{name} must be a list")
    return value


def _read_text(item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRow(f"{name} must be text")
    return value


def _read_timestamp(item: dict[str, Any], name: str) -> datetime | None:
    text = _read_text(item, name)
    if not text:
        return None
    try:
        return datetime.strptime(text, _TIMESTAMP_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        raise BadRow(f"{name} is {text[:40]!r}; Taskwarrior writes 20250131T093000Z") from None
