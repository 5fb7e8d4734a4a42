"""Computes how an import changes a task: its new row and the changelog entries. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sanya.suite.runtime import format_timestamp
from sanya.suite.store import Row, Value
from sanya.suites.tasks.contract import ChangeAction
from sanya.suites.tasks.importing.rows import ImportedTask
from sanya.suites.tasks.tables import TASK_COLUMNS

# The columns that a source can change; the two timestamps after them are ours.
_CONTENTS = TASK_COLUMNS[1:-2]
_UPDATED_AT = TASK_COLUMNS.index("updated_at")
_STATUS = _CONTENTS.index("status")


class LogEntry(NamedTuple):
    action: ChangeAction
    field_name: str | None
    old_value: str | None
    new_value: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class TaskChange:
    """`values` are in the order of the columns; `moved_from` is the former position of a known task among the pages."""

    values: tuple[Value, ...]
    entries: list[LogEntry]
    moved_from: str | None


def compute_change(id: str, task: ImportedTask, stored: Row | None, now: datetime) -> TaskChange | None:
    """Return the change, or None where the stored row has the same contents."""
    contents = _collect_contents(task)
    if stored is None:
        return _describe_creation(id, task, contents, now)
    before = stored[1:-2]
    return None if contents == before else _describe_update(task, stored, contents, now)


def _collect_contents(task: ImportedTask) -> tuple[Value, ...]:
    return (
        task.title,
        task.description,
        task.notes_markdown,
        task.project.id if task.project else None,
        task.status,
        task.priority,
        int(task.is_important),
        _format_timestamp(task.due_at),
        _format_timestamp(task.remind_at),
        task.recurrence,
    )


def _format_timestamp(timestamp: datetime | None) -> str | None:
    return None if timestamp is None else format_timestamp(timestamp)


def _describe_creation(id: str, task: ImportedTask, contents: tuple[Value, ...], now: datetime) -> TaskChange:
    """Describe a new task. A timestamp of the source that lies in the future is taken as now."""
    created = min(now, task.created_at or min(task.status_since or now, task.updated_at or now))
    since = min(now, max(created, task.status_since)) if task.status_since else None
    known = [timestamp for timestamp in (task.created_at, since, task.updated_at) if timestamp is not None]
    updated = min(now, max(created, *known)) if known else now
    entries = [LogEntry("CREATED", None, None, None, format_timestamp(created))]
    if since is not None and task.status != "TODO":
        entries.append(LogEntry("STATUS_CHANGED", "status", "TODO", task.status, format_timestamp(since)))
    return TaskChange((id, *contents, format_timestamp(created), format_timestamp(updated)), entries, None)


def _describe_update(task: ImportedTask, stored: Row, contents: tuple[Value, ...], now: datetime) -> TaskChange:
    was = str(stored[_UPDATED_AT])
    reported = format_timestamp(min(now, task.updated_at)) if task.updated_at else ""
    # Never back in the page order, so that nobody who pages through it sees the task twice.
    updated = reported if reported > was else max(format_timestamp(now), was)
    entries = []
    for name, old, new in zip(_CONTENTS, stored[1:-2], contents, strict=True):
        if old == new:
            continue
        if name == "status":
            since = _format_timestamp(task.status_since) or updated
            entries.append(
                LogEntry(
                    "STATUS_CHANGED",
                    name,
                    _format_value(name, old),
                    _format_value(name, new),
                    min(max(since, was), updated),
                )
            )
        else:
            entries.append(LogEntry("UPDATED", name, _format_value(name, old), _format_value(name, new), updated))
    return TaskChange((stored[0], *contents, stored[-2], updated), entries, was)


def _format_value(name: str, value: Value) -> str | None:
    if name == "is_important":
        return "true" if value else "false"
    return None if value is None else str(value)
