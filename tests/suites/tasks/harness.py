"""The tasks suite on a kernel of its own, with a clock that the test sets, and rows to fill it with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.cursors import Cursors
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database, Transaction, Value
from sanya.suites.tasks import suite
from sanya.suites.tasks.search import fold_texts
from sanya.suites.tasks.store import TaskStore
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS, TaskTables
from tests.kernel.conftest import InMemoryLedgerStore

NOW = datetime(2025, 1, 16, 12, 0, tzinfo=UTC)
UTC_ZONE = ZoneInfo("UTC")
SECRET = b"s" * 32

TaskData = dict[str, Any]


@dataclass
class TasksHarness:
    kernel: Kernel
    clock: list[datetime]

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def refusal(self, tool: str, arguments: Any, *, caller: Caller = OWNER) -> Refused:
        outcome = await self.kernel.call(Call(tool, arguments, caller=caller))
        assert isinstance(outcome, Refused), outcome
        return outcome

    async def all_ids(self, tool: str, limit: int, **arguments: Any) -> list[str]:
        """Return the ids of all pages in order."""
        ids: list[str] = []
        cursor = None
        for _ in range(10_000):
            page = await self.call(tool, limit=limit, cursor=cursor, **arguments)
            ids += [item["id"] for item in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                return ids
        raise AssertionError("the pages do not end")


@asynccontextmanager
async def open_harness(
    database: Database, *, now: datetime = NOW, zone: ZoneInfo = UTC_ZONE, tables: TaskTables | None = None
) -> AsyncIterator[TasksHarness]:
    clock = [now]
    ledger = Ledger(InMemoryLedgerStore(), group_ms=1)
    kernel = Kernel(
        [suite.build(TaskStore(database, tables), Cursors(SECRET), zone)],
        ledger=ledger,
        limiter=LocalRateLimiter(),
        window=RequestWindow(),
        clock=lambda: clock[0],
    )
    ledger.start()
    try:
        yield TasksHarness(kernel, clock)
    finally:
        await ledger.close()


def task(id: str, **fields: Any) -> TaskData:
    return {
        "id": id,
        "title": f"Task {id}",
        "description": None,
        "notes_markdown": None,
        "project_id": None,
        "status": "TODO",
        "priority": "NORMAL",
        "is_important": 0,
        "due_at": None,
        "remind_at": None,
        "recurrence": "NONE",
        "created_at": "2025-01-01T00:00:00.000Z",
        "updated_at": fields.get("created_at", "2025-01-01T00:00:00.000Z"),
    } | fields


def project(id: str, **fields: Any) -> TaskData:
    return {
        "id": id,
        "name": f"Project {id}",
        "description": None,
        "color": None,
        "status": "ACTIVE",
        "created_at": "2025-01-01T00:00:00.000Z",
        "updated_at": "2025-01-01T00:00:00.000Z",
    } | fields


def change(id: str, task_id: str, at: str, old: str | None, new: str | None, **fields: Any) -> TaskData:
    """Return a changelog entry, by default of the status."""
    return {
        "id": id,
        "task_id": task_id,
        "action": "STATUS_CHANGED",
        "field_name": "status",
        "old_value": old,
        "new_value": new,
        "created_at": at,
    } | fields


async def fill(
    database: Database,
    tasks: Iterable[TaskData] = (),
    projects: Iterable[TaskData] = (),
    changelogs: Iterable[TaskData] = (),
) -> None:
    async with database.transaction() as transaction:
        await write(transaction, "tasks", (*TASK_COLUMNS, "folded"), [_with_folded(row) for row in tasks])
        await write(transaction, "projects", PROJECT_COLUMNS, list(projects))
        logged = [{**row, "revision": 0} for row in changelogs]
        await write(transaction, "task_changelogs", (*CHANGELOG_COLUMNS, "revision"), logged)


async def write(transaction: Transaction, table: str, columns: tuple[str, ...], rows: list[TaskData]) -> None:
    marks = ", ".join("?" for _ in columns)
    values: list[tuple[Value, ...]] = [tuple(row[name] for name in columns) for row in rows]
    await transaction.execute_many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)


def _with_folded(row: TaskData) -> TaskData:
    return {**row, "folded": fold_texts(row["title"], row["description"], row["notes_markdown"])}
