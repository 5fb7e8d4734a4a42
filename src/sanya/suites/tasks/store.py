"""What the suite keeps, as its tools ask for it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Generic, TypeVar

from sanya.kernel.database import Database
from sanya.suites.tasks.contract import Changelog, Project, Task
from sanya.suites.tasks.pages import Listing, Mark, read_page
from sanya.suites.tasks.review import Review, read_review
from sanya.suites.tasks.rows import read_changelog, read_project, read_task
from sanya.suites.tasks.search import contains, folded_query
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS, OwnTables, Tables
from sanya.suites.tasks.week import Week

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Slice:
    """How much of a list is wanted: at most `limit` items, after the mark of the page before."""

    limit: int
    after: Mark | None = None


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """One page; `next` is None on the last one."""

    items: list[Item]
    next: Mark | None


@dataclass(frozen=True, slots=True)
class TaskFilter:
    status: str | None = None
    project_id: str | None = None
    text: str | None = None


class TaskStore:
    """Reads through the database port alone. `tables` says where the rows are: our own schema unless told."""

    def __init__(self, database: Database, tables: Tables | None = None) -> None:
        self._database = database
        self._tables: Tables = OwnTables() if tables is None else tables

    async def tasks(self, wanted: TaskFilter, part: Slice) -> Found[Task]:
        tables = self._tables
        listing = Listing(await tables.tasks(), TASK_COLUMNS, "updated_at", tables.indexed, tables.revision)
        if wanted.project_id is not None:
            listing.where("project_id = ?", wanted.project_id)
        if wanted.status is not None:
            listing.where("status = ?", wanted.status)
        if wanted.text:
            listing.where(contains(self._database.dialect), folded_query(wanted.text))
            # Any number of tasks may be looked at before one matches.
            listing.bounded = False
        page = await read_page(self._database, listing, part.limit, part.after)
        return Found([read_task(row) for row in page.rows], page.next)

    async def projects(self, status: str | None, part: Slice) -> Found[Project]:
        listing = Listing(await self._tables.projects(), PROJECT_COLUMNS, "updated_at", self._tables.indexed)
        if status is not None:
            listing.where("status = ?", status)
        page = await read_page(self._database, listing, part.limit, part.after)
        return Found([read_project(row) for row in page.rows], page.next)

    async def changelogs(self, task_id: str, part: Slice) -> Found[Changelog]:
        listing = Listing(await self._tables.changelogs(), CHANGELOG_COLUMNS, "created_at", self._tables.indexed)
        listing.where("task_id = ?", task_id)
        page = await read_page(self._database, listing, part.limit, part.after)
        return Found([read_changelog(row) for row in page.rows], page.next)

    async def task(self, task_id: str) -> Task | None:
        table = await self._tables.tasks()
        sql = f"SELECT {', '.join(TASK_COLUMNS)} FROM {table} AS listed WHERE id = ?"  # noqa: S608 - names of our own
        rows = await self._database.fetch(sql, (task_id,), touches=1 if self._tables.indexed else None)
        return read_task(rows[0]) if rows else None

    async def ids_beginning(self, text: str, limit: int) -> list[str]:
        table = await self._tables.tasks()
        sql = f"SELECT id FROM {table} AS listed WHERE id >= ? AND id < ? ORDER BY id LIMIT ?"  # noqa: S608
        last = text + chr(sys.maxunicode)
        touches = limit if self._tables.indexed else None
        return [str(id) for (id,) in await self._database.fetch(sql, (text, last, limit), touches=touches)]

    async def review(self, week: Week, item_limit: int) -> Review:
        return await read_review(self._database, self._tables, week, item_limit)
