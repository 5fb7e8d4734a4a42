"""Taskwarrior's JSON, as `task export` writes it: one object a line, or an array of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from sanya.kernel.clock import format_timestamp
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
_MOMENT_FORMAT = "%Y%m%dT%H%M%SZ"


def parse_taskwarrior(data: bytes, zone: ZoneInfo) -> ParsedRows:
    """Taskwarrior writes all its times in UTC, so the time zone does not matter."""
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
    """Each object with its line. A file laid out otherwise is read whole, and the number is the place in its array."""
    lines = [(number, text) for number, line in number_lines(data) if (text := _strip_array(line))]
    if any(text.startswith(b"{") and text.endswith(b"}") and b"},{" not in text for _, text in lines):
        yield from lines
        return
    found = orjson.loads(data)
    for number, one in enumerate(found if isinstance(found, list) else [found], start=1):
        yield number, orjson.dumps(one)


def _strip_array(line: bytes) -> bytes:
    """The line without what joins it to an array."""
    return line.strip().removeprefix(b"[").removesuffix(b"]").strip().removesuffix(b",").strip()


def _read_task(number: int, found: Any) -> ImportedTask | ImportNotice:
    if not isinstance(found, dict):
        raise BadRow("it is not a task: an object with uuid and description is expected")
    if found.get("status") == "recurring":
        return ImportNotice(
            number, "the template of a recurring task is left out; its instances are tasks of their own"
        )
    status = _read_status(found)
    title = check_title(_read_text(found, "description"))
    return ImportedTask(
        line=number,
        title=title,
        key=check_key(_read_text(found, "uuid")),
        identity=("taskwarrior", _read_text(found, "entry"), title),
        notes_markdown=_read_notes(found),
        project=_read_project(found),
        status=status,
        priority=_read_priority(found),
        due_at=_read_timestamp(found, "due"),
        remind_at=_read_timestamp(found, "scheduled") or _read_timestamp(found, "wait"),
        recurrence=read_recurrence(_read_text(found, "recur")) or check_text("recur", _read_text(found, "recur")),
        created_at=_read_timestamp(found, "entry"),
        updated_at=_read_timestamp(found, "modified"),
        status_since=_read_timestamp(found, "start") if status == "DOING" else _read_timestamp(found, "end"),
    )


def _read_status(found: dict[str, Any]) -> TaskStatus:
    word = _read_text(found, "status") or "pending"
    if word not in _STATUSES:
        raise BadRow(f"the status {word!r} is unknown; it must be one of {', '.join(_STATUSES)}, recurring")
    status = _STATUSES[word]
    return "DOING" if status == "TODO" and found.get("start") else status


def _read_priority(found: dict[str, Any]) -> Priority:
    letter = _read_text(found, "priority")
    if letter not in _PRIORITIES:
        raise BadRow(f"the priority {letter!r} is unknown; it must be H, M or L")
    return _PRIORITIES[letter]


def _read_project(found: dict[str, Any]) -> ProjectName | None:
    name = check_text("project", _read_text(found, "project")).strip()
    return make_project(name) if name else None


def _read_notes(found: dict[str, Any]) -> str | None:
    """Annotations as a list with their days, then the tags."""
    lines = [f"- {_format_annotation(one)}" for one in _read_list(found, "annotations")]
    tags = [f"`{tag}`" for tag in _read_list(found, "tags") if isinstance(tag, str)]
    if tags:
        lines.append(("\n" if lines else "") + "Tags: " + ", ".join(tags))
    return check_optional_text("annotations", "\n".join(lines))


def _format_annotation(one: Any) -> str:
    if not isinstance(one, dict):
        raise BadRow("annotations must be a list of objects")
    moment = _read_timestamp(one, "entry")
    day = f"{format_timestamp(moment)[:10]}: " if moment else ""
    return day + " ".join(_read_text(one, "description").split())


def _read_list(found: dict[str, Any], name: str) -> list[Any]:
    value = found.get(name) or []
    if not isinstance(value, list):
        raise BadRow(f"{name} must be a list")
    return value


def _read_text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRow(f"{name} must be text")
    return value


def _read_timestamp(found: dict[str, Any], name: str) -> datetime | None:
    text = _read_text(found, name)
    if not text:
        return None
    try:
        return datetime.strptime(text, _MOMENT_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        raise BadRow(f"{name} is {text[:40]!r}; Taskwarrior writes 20250131T093000Z") from None
