"""Reads the weekly review, rebuilt from the changelog: the tasks that were open at the end of the week, not today.

The status of a task at a past time is the new value of its last status change until then, else the old value of the
first change after it, else its status today. The due date is found likewise. While the week runs, today's row counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suite.runtime import format_timestamp
from sanya.suite.store import Database, Row, Value
from sanya.suites.tasks.contract import Task
from sanya.suites.tasks.review_sql import build_review_statement
from sanya.suites.tasks.rows import read_task
from sanya.suites.tasks.tables import TaskTables
from sanya.suites.tasks.week import Week

_COUNTS = ("completed", "created", "pending", "overdue", "carry_over", "due_this_week_open")
_LISTS = ("completed", "pending", "overdue", "created", "due_this_week")


@dataclass(frozen=True, slots=True)
class WeekReview:
    """`counts` have names without `_count`. Lists have at most `item_limit` tasks, last changed first, then by id."""

    counts: dict[str, int]
    completed: list[Task]
    pending: list[Task]
    overdue: list[Task]
    created: list[Task]
    due_this_week: list[Task]


async def read_review(database: Database, tables: TaskTables, week: Week, item_limit: int) -> WeekReview:
    values: dict[str, Value] = {
        "start": format_timestamp(week.start),
        "end": format_timestamp(week.end),
        "period_end": format_timestamp(week.period_end),
        "known_before": format_timestamp(week.known_before),
        # Nothing is before the empty text: while the week runs, today's rows have all changes already.
        "rebuilt_before": format_timestamp(week.end) if week.is_over else "",
        "item_limit": item_limit,
    }
    sql, names = build_review_statement(
        await tables.get_tasks(),
        await tables.get_changelogs(),
        tables.normalise_timestamp("{}"),
        log_is_whole=tables.log_is_whole,
    )
    return _read_review(await database.fetch(sql, [values[name] for name in names]))


def _read_review(rows: list[Row]) -> WeekReview:
    width = 1 + len(_COUNTS)
    counts = next(row for row in rows if row[0] == "counts")[1:width]
    lists = {name: [read_task(row[width:]) for row in rows if row[0] == name] for name in _LISTS}
    for tasks in lists.values():
        tasks.sort(key=lambda task: (task.updated_at, task.id), reverse=True)
    return WeekReview({name: int(str(count)) for name, count in zip(_COUNTS, counts, strict=True)}, **lists)
