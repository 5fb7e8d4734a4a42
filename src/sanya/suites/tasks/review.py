"""The weekly review, rebuilt from the changelog: what was open at the end of the week, not what is open today.

A task's status at a past moment is what its last status change until then left, else what the first one after it
found, else (no change is on record) its status today; its due date likewise. While the week runs, today's row counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.database import Database, Row, Value
from sanya.kernel.dispatch import iso_time
from sanya.suites.tasks.contract import Task
from sanya.suites.tasks.review_sql import review_statement
from sanya.suites.tasks.rows import read_task
from sanya.suites.tasks.tables import Tables
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
    sql, names = review_statement(
        await tables.tasks(), await tables.changelogs(), tables.moment("{}"), log_is_whole=tables.log_is_whole
    )
    return _read(await database.fetch(sql, [values[name] for name in names]))


def _read(rows: list[Row]) -> Review:
    width = 1 + len(_COUNTS)
    counts = next(row for row in rows if row[0] == "counts")[1:width]
    lists = {name: [read_task(row[width:]) for row in rows if row[0] == name] for name in _LISTS}
    for tasks in lists.values():
        tasks.sort(key=lambda one: (one.updated_at, one.id), reverse=True)
    return Review({name: int(str(count)) for name, count in zip(_COUNTS, counts, strict=True)}, **lists)
