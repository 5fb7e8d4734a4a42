"""The weekly review, rebuilt from the changelog: what was open at the end of the week, not what is open today.

A task's status at a past moment is what its last status change until then left, else what the first one after it
found, else (no change is on record) its status today; its due date likewise. While the week runs, today's row counts.
One statement reads it all, so that lists and counts agree whatever is written meanwhile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sanya.kernel.database import Database, Row, Value
from sanya.kernel.dispatch import iso_time
from sanya.suites.tasks.contract import Task
from sanya.suites.tasks.rows import read_task
from sanya.suites.tasks.tables import TASK_COLUMNS, Tables
from sanya.suites.tasks.week import Week

_COUNTS = ("completed", "created", "pending", "overdue", "carry_over", "due_this_week_open")
_LISTS = ("completed", "pending", "overdue")


@dataclass(frozen=True, slots=True)
class Review:
    """`counts` by their names without `_count`; lists of at most `item_limit`, last changed first, then by id."""

    counts: dict[str, int]
    completed: list[Task]
    pending: list[Task]
    overdue: list[Task]


# A task's last change before a moment and its first one from then on: `value` is what the one left or the other found.
_LAST_CHANGE = """(
    SELECT task_id, {new_value} AS value FROM (
        SELECT task_id, new_value, row_number() OVER (PARTITION BY task_id ORDER BY created_at DESC, id DESC) AS turn
        FROM {changelogs} AS changes WHERE {change} AND created_at < :rebuilt_before) AS turns
    WHERE turn = 1)"""
_NEXT_CHANGE = """(
    SELECT task_id, {old_value} AS value FROM (
        SELECT task_id, old_value, row_number() OVER (PARTITION BY task_id ORDER BY created_at, id) AS turn
        FROM {changelogs} AS changes WHERE {change} AND created_at >= :known_before) AS turns
    WHERE turn = 1)"""
_VALUE_THEN = (
    "CASE WHEN {name}_last.task_id IS NOT NULL THEN {name}_last.value "
    "WHEN {name}_next.task_id IS NOT NULL THEN {name}_next.value ELSE {today} END"
)

_REVIEW = """
WITH status_last AS {status_last}, status_next AS {status_next}, due_last AS {due_last}, due_next AS {due_next},
completed AS (
    SELECT DISTINCT task_id FROM {changelogs} AS changes
    WHERE action = 'STATUS_CHANGED' AND new_value = 'DONE' AND (old_value IS NULL OR old_value <> 'DONE')
        AND created_at >= :start AND created_at < :known_before),
known AS (
    SELECT tasks.id, tasks.created_at, tasks.updated_at, coalesce({status_then}, 'TODO') AS status, {due_then} AS due_at
    FROM {tasks} AS tasks
    LEFT JOIN status_last ON status_last.task_id = tasks.id LEFT JOIN status_next ON status_next.task_id = tasks.id
    LEFT JOIN due_last ON due_last.task_id = tasks.id LEFT JOIN due_next ON due_next.task_id = tasks.id),
marked AS (
    SELECT known.*, CASE WHEN completed.task_id IS NULL THEN 0 ELSE 1 END AS is_completed,
        CASE WHEN created_at < :known_before AND status NOT IN ('DONE', 'ARCHIVED') THEN 1 ELSE 0 END AS is_open,
        CASE WHEN due_at < :period_end THEN 1 ELSE 0 END AS is_late,
        CASE WHEN created_at < :start THEN 1 ELSE 0 END AS is_old,
        CASE WHEN due_at >= :start AND due_at < :end THEN 1 ELSE 0 END AS is_due_now
    FROM known LEFT JOIN completed ON completed.task_id = known.id),
reviewed AS MATERIALIZED (SELECT * FROM marked WHERE is_completed = 1 OR is_open = 1)
SELECT 'counts', coalesce(sum(is_completed), 0),
    (SELECT count(*) FROM {tasks} AS tasks WHERE created_at >= :start AND created_at < :known_before),
    coalesce(sum(is_open * (1 - is_late)), 0), coalesce(sum(is_open * is_late), 0),
    coalesce(sum(is_open * is_old), 0), coalesce(sum(is_open * is_due_now), 0), {no_task}
FROM reviewed
UNION ALL {completed_list} UNION ALL {pending_list} UNION ALL {overdue_list}"""
_LIST = """
SELECT '{name}', 0, 0, 0, 0, 0, 0, {columns} FROM (
    SELECT id, status, due_at FROM reviewed WHERE {condition} ORDER BY updated_at DESC, id DESC LIMIT :item_limit
) AS found JOIN {tasks} AS tasks ON tasks.id = found.id"""


async def read_review(database: Database, tables: Tables, week: Week, item_limit: int) -> Review:
    values: dict[str, Value] = {
        "start": iso_time(week.start),
        "end": iso_time(week.end),
        "period_end": iso_time(week.period_end),
        "known_before": iso_time(week.known_before),
        # Nothing is before the empty text: while the week runs, the changes so far are in today's rows already.
        "rebuilt_before": iso_time(week.end) if week.is_over else "",
        "item_limit": item_limit,
    }
    sql, names = _statement(await tables.tasks(), await tables.changelogs(), tables.moment("{}"))
    return _read(await database.fetch(sql, [values[name] for name in names]))


@lru_cache(maxsize=8)
def _statement(tasks: str, changelogs: str, moment: str) -> tuple[str, tuple[str, ...]]:
    """The statement with `?` for each named value, and the names in their order."""
    due = {"change": "action = 'UPDATED' AND field_name = 'due_at'", "changelogs": changelogs}
    due |= {"new_value": moment.format("new_value"), "old_value": moment.format("old_value")}
    status = {"change": "action = 'STATUS_CHANGED'", "changelogs": changelogs}
    status |= {"new_value": "new_value", "old_value": "old_value"}
    shown = {"status": "found.status", "due_at": "found.due_at"}
    listing = {"columns": ", ".join(shown.get(one, f"tasks.{one}") for one in TASK_COLUMNS), "tasks": tasks}
    sql = _REVIEW.format(
        tasks=tasks,
        changelogs=changelogs,
        status_last=_LAST_CHANGE.format(**status),
        status_next=_NEXT_CHANGE.format(**status),
        due_last=_LAST_CHANGE.format(**due),
        due_next=_NEXT_CHANGE.format(**due),
        status_then=_VALUE_THEN.format(name="status", today="tasks.status"),
        due_then=_VALUE_THEN.format(name="due", today="tasks.due_at"),
        no_task=", ".join("NULL" for _ in TASK_COLUMNS),
        completed_list=_LIST.format(name="completed", condition="is_completed = 1", **listing),
        pending_list=_LIST.format(name="pending", condition="is_open = 1 AND is_late = 0", **listing),
        overdue_list=_LIST.format(name="overdue", condition="is_open = 1 AND is_late = 1", **listing),
    )
    return re.sub(r":[a-z_]+", "?", sql), tuple(re.findall(r":([a-z_]+)", sql))


def _read(rows: list[Row]) -> Review:
    width = 1 + len(_COUNTS)
    counts = next(row for row in rows if row[0] == "counts")[1:width]
    lists = {name: [read_task(row[width:]) for row in rows if row[0] == name] for name in _LISTS}
    for tasks in lists.values():
        tasks.sort(key=lambda one: (one.updated_at, one.id), reverse=True)
    return Review({name: int(str(count)) for name, count in zip(_COUNTS, counts, strict=True)}, **lists)
