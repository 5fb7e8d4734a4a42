"""Builds the SQL of the weekly review.

One statement reads all of it, so that lists and counts agree whatever is written meanwhile.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sanya.suites.tasks.tables import TASK_COLUMNS

_TURNED_DONE = """
    action = 'STATUS_CHANGED' AND new_value = 'DONE' AND (old_value IS NULL OR old_value <> 'DONE')
        AND created_at >= :start AND created_at < :known_before"""
_CHANGES = {"status": "action = 'STATUS_CHANGED'", "due": "action = 'UPDATED' AND field_name = 'due_at'"}

# For a complete log: today's row, with the changes after the period undone. Only tasks that changed since then are
# looked up in the log, so the current week costs one scan of a narrow index.
_UNDONE = """
    SELECT id, created_at, updated_at, {status} AS status, nullif({due}, '') AS due_at,
        CASE WHEN id IN (SELECT task_id FROM {changelogs} AS changes WHERE {turned_done})
        THEN 1 ELSE 0 END AS is_completed
    FROM {tasks} AS tasks"""
_VALUE_BEFORE = """
        CASE WHEN id IN (SELECT task_id FROM {changelogs} AS changes WHERE {change} AND created_at >= :known_before)
        THEN (SELECT coalesce(old_value, {nothing}) FROM {changelogs} AS changes
            WHERE changes.task_id = tasks.id AND {change} AND changes.created_at >= :known_before
            ORDER BY changes.created_at, changes.id LIMIT 1)
        ELSE {today} END"""

# For a log that may have gaps and no index: each task's last change before the end of the period and its first one
# after it. Grouping and not joins combines rows and changes: an engine without statistics would assume few changes and
# scan all of them for every task. A value is never NULL, to tell "no change" from "changed to nothing", which is the
# empty text.
_REBUILT = """
    SELECT id, max(created_at) AS created_at, max(updated_at) AS updated_at,
        coalesce(max(status_last), max(status_next), max(status)) AS status,
        nullif(coalesce(max(due_last), max(due_next), max(due_at)), '') AS due_at, max(completed) AS is_completed
    FROM (
        SELECT id, created_at, updated_at, status, due_at, NULL AS status_last, NULL AS status_next, NULL AS due_last,
            NULL AS due_next, 0 AS completed FROM {tasks} AS tasks
        UNION ALL SELECT task_id, NULL, NULL, NULL, NULL, value, NULL, NULL, NULL, 0 FROM ({status_last}) AS changes
        UNION ALL SELECT task_id, NULL, NULL, NULL, NULL, NULL, value, NULL, NULL, 0 FROM ({status_next}) AS changes
        UNION ALL SELECT task_id, NULL, NULL, NULL, NULL, NULL, NULL, value, NULL, 0 FROM ({due_last}) AS changes
        UNION ALL SELECT task_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, value, 0 FROM ({due_next}) AS changes
        UNION ALL SELECT task_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1 FROM {changelogs} AS changes
        WHERE {turned_done}) AS facts
    GROUP BY id HAVING max(created_at) IS NOT NULL"""
_LAST_CHANGE = """
            SELECT task_id, coalesce({new_value}, {nothing}) AS value FROM (
                SELECT task_id, new_value,
                    row_number() OVER (PARTITION BY task_id ORDER BY created_at DESC, id DESC) AS turn
                FROM {changelogs} AS changes WHERE {change} AND created_at < :rebuilt_before) AS turns
            WHERE turn = 1"""
_NEXT_CHANGE = """
            SELECT task_id, coalesce({old_value}, {nothing}) AS value FROM (
                SELECT task_id, old_value, row_number() OVER (PARTITION BY task_id ORDER BY created_at, id) AS turn
                FROM {changelogs} AS changes WHERE {change} AND created_at >= :known_before) AS turns
            WHERE turn = 1"""

# `known` is materialised: inlined into each of its readers, it would be computed as many times.
_REVIEW = """
WITH known AS MATERIALIZED ({known}),
marked AS (
    SELECT known.*,
        CASE WHEN created_at < :known_before AND status NOT IN ('DONE', 'ARCHIVED') THEN 1 ELSE 0 END AS is_open,
        CASE WHEN due_at < :period_end THEN 1 ELSE 0 END AS is_late,
        CASE WHEN created_at < :start THEN 1 ELSE 0 END AS is_old,
        CASE WHEN due_at >= :start AND due_at < :end THEN 1 ELSE 0 END AS is_due_now
    FROM known),
reviewed AS MATERIALIZED (SELECT * FROM marked WHERE is_completed = 1 OR is_open = 1)
SELECT 'counts', coalesce(sum(is_completed), 0),
    (SELECT count(*) FROM {tasks} AS tasks WHERE created_at >= :start AND created_at < :known_before),
    coalesce(sum(is_open * (1 - is_late)), 0), coalesce(sum(is_open * is_late), 0),
    coalesce(sum(is_open * is_old), 0), coalesce(sum(is_open * is_due_now), 0), {no_task}
FROM reviewed
UNION ALL {completed_list} UNION ALL {pending_list} UNION ALL {overdue_list}
UNION ALL {created_list} UNION ALL {due_list}"""
_LIST = """
SELECT '{name}', 0, 0, 0, 0, 0, 0, {columns} FROM (
    SELECT id, status, due_at FROM {source} WHERE {condition} ORDER BY updated_at DESC, id DESC LIMIT :item_limit
) AS found JOIN {tasks} AS tasks ON tasks.id = found.id"""


@lru_cache(maxsize=8)
def build_review_statement(
    tasks: str, changelogs: str, timestamp: str, *, log_is_whole: bool
) -> tuple[str, tuple[str, ...]]:
    """Return the statement with `?` for each named value, and the names in order. `timestamp` is SQL to read `{}`."""
    known = _build_undone(tasks, changelogs) if log_is_whole else _build_rebuilt(tasks, changelogs, timestamp)
    rebuilt = {"status": "found.status", "due_at": "found.due_at"}
    created = "created_at >= :start AND created_at < :known_before"
    listing = {"columns": ", ".join(rebuilt.get(name, f"tasks.{name}") for name in TASK_COLUMNS), "tasks": tasks}
    sql = _REVIEW.format(
        tasks=tasks,
        known=known,
        no_task=", ".join("NULL" for _ in TASK_COLUMNS),
        completed_list=_build_list("completed", "is_completed = 1", listing),
        pending_list=_build_list("pending", "is_open = 1 AND is_late = 0", listing),
        overdue_list=_build_list("overdue", "is_open = 1 AND is_late = 1", listing),
        created_list=_build_list("created", created, listing, source="known"),
        due_list=_build_list("due_this_week", "is_open = 1 AND is_due_now = 1", listing),
    )
    return re.sub(r":[a-z_]+", "?", sql), tuple(re.findall(r":([a-z_]+)", sql))


def _build_list(name: str, condition: str, listing: dict[str, str], *, source: str = "reviewed") -> str:
    return _LIST.format(name=name, condition=condition, source=source, **listing)


def _build_undone(tasks: str, changelogs: str) -> str:
    def build_value(change: str, nothing: str, today: str) -> str:
        return _VALUE_BEFORE.format(changelogs=changelogs, change=change, nothing=nothing, today=today)

    return _UNDONE.format(
        tasks=tasks,
        changelogs=changelogs,
        turned_done=_TURNED_DONE,
        status=build_value(_CHANGES["status"], "'TODO'", "status"),
        due=build_value(_CHANGES["due"], "''", "due_at"),
    )


def _build_rebuilt(tasks: str, changelogs: str, timestamp: str) -> str:
    def build_value(template: str, change: str, nothing: str, read: str) -> str:
        values = {"new_value": read.format("new_value"), "old_value": read.format("old_value"), "nothing": nothing}
        return template.format(changelogs=changelogs, change=_CHANGES[change], **values)

    return _REBUILT.format(
        tasks=tasks,
        changelogs=changelogs,
        turned_done=_TURNED_DONE,
        status_last=build_value(_LAST_CHANGE, "status", "'TODO'", "{}"),
        status_next=build_value(_NEXT_CHANGE, "status", "'TODO'", "{}"),
        due_last=build_value(_LAST_CHANGE, "due", "''", timestamp),
        due_next=build_value(_NEXT_CHANGE, "due", "''", timestamp),
    )
