"""What the suite keeps, as its tools ask for it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Generic, TypeVar

from sanya.kernel.database import Database
from sanya.suites.tasks.contract import Changelog, Project, Task
from sanya.suites.tasks.pages import PagedQuery, PageMark, read_page
from sanya.suites.tasks.review import WeekReview, read_review
from sanya.suites.tasks.rows import read_changelog, read_project, read_task
from sanya.suites.tasks.search import build_condition, fold_query
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS, OwnTables, TaskTables
from sanya.suites.tasks.week import Week

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """How much of a list is wanted: at most `limit` items, after the mark of the page before."""

    limit: int
    after: PageMark | None = None


@dataclass(frozen=True, slots=True)
class ItemPage(Generic[Item]):
    """One page; `next` is None on the last one."""

    items: list[Item]
    next: PageMark | None


@dataclass(frozen=True, slots=True)
class TaskFilter:
    status: str | None = None
    project_id: str | None = None
    text: str | None = None


class TaskStore:
    """Reads through the database port alone. `tables` says where the rows are: our own schema unless told."""

    def __init__(self, database: Database, tables: TaskTables | None = None) -> None:
        self._database = database
        self._tables: TaskTables = OwnTables() if tables is None else tables

    async def list_tasks(self, wanted: TaskFilter, part: PageRequest) -> ItemPage[Task]:
        tables = self._tables
        listing = PagedQuery(await tables.get_tasks(), TASK_COLUMNS, "updated_at", tables.indexed, tables.revision)
        if wanted.project_id is not None:
            listing.add_condition("project_id = ?", wanted.project_id)
        if wanted.status is not None:
            listing.add_condition("status = ?", wanted.status)
        if wanted.text:
            listing.add_condition(build_condition(self._database.dialect), fold_query(wanted.text))
            # Any number of tasks may be looked at before one matches.
            listing.bounded = False
        page = await read_page(self._database, listing, part.limit, part.after)
        return ItemPage([read_task(row) for row in page.rows], page.next)

    async def list_projects(self, status: str | None, part: PageRequest) -> ItemPage[Project]:
        listing = PagedQuery(await self._tables.get_projects(), PROJECT_COLUMNS, "updated_at", self._tables.indexed)
        if status is not None:
            listing.add_condition("status = ?", status)
        page = await read_page(self._database, listing, part.limit, part.after)
        return ItemPage([read_project(row) for row in page.rows], page.next)

    async def list_changelogs(self, task_id: str, part: PageRequest) -> ItemPage[Changelog]:
        listing = PagedQuery(await self._tables.get_changelogs(), CHANGELOG_COLUMNS, "created_at", self._tables.indexed)
        listing.add_condition("task_id = ?", task_id)
        page = await read_page(self._database, listing, part.limit, part.after)
        return ItemPage([read_changelog(row) for row in page.rows], page.next)

    async def get_task(self, task_id: str) -> Task | None:
        table = await self._tables.get_tasks()
        sql = f"SELECT {', '.join(TASK_COLUMNS)} FROM {table} AS listed WHERE id = ?"  # noqa: S608 - names of our own
        rows = await self._database.fetch(sql, (task_id,), touches=1 if self._tables.indexed else None)
        return read_task(rows[0]) if rows else None

    async def list_ids(self, text: str, limit: int) -> list[str]:
        table = await self._tables.get_tasks()
        sql = f"SELECT id FROM {table} AS listed WHERE id >= ? AND id < ? ORDER BY id LIMIT ?"  # noqa: S608
        last = text + chr(sys.maxunicode)
        touches = limit if self._tables.indexed else None
        return [str(id) for (id,) in await self._database.fetch(sql, (text, last, limit), touches=touches)]

    async def read_review(self, week: Week, item_limit: int) -> WeekReview:
        return await read_review(self._database, self._tables, week, item_limit)
