"""Reads tasks, projects and changelogs for the tools."""

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

ItemT = TypeVar("ItemT")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for a page: at most `limit` items, after the mark of the page before."""

    limit: int
    after: PageMark | None = None


@dataclass(frozen=True, slots=True)
class ItemPage(Generic[ItemT]):
    """A page of items; `next` is None on the last page."""

    items: list[ItemT]
    next: PageMark | None


@dataclass(frozen=True, slots=True)
class TaskFilter:
    status: str | None = None
    project_id: str | None = None
    text: str | None = None


class TaskStore:
    """Reads through the database port; `tables` names the rows, by default those of our own schema."""

    def __init__(self, database: Database, tables: TaskTables | None = None) -> None:
        self._database = database
        self._tables: TaskTables = OwnTables() if tables is None else tables

    async def list_tasks(self, task_filter: TaskFilter, request: PageRequest) -> ItemPage[Task]:
        tables = self._tables
        query = PagedQuery(await tables.get_tasks(), TASK_COLUMNS, "updated_at", tables.indexed, tables.revision)
        if task_filter.project_id is not None:
            query.add_condition("project_id = ?", task_filter.project_id)
        if task_filter.status is not None:
            query.add_condition("status = ?", task_filter.status)
        if task_filter.text:
            query.add_condition(build_condition(self._database.dialect), fold_query(task_filter.text))
            # The engine may scan any number of tasks before one matches.
            query.bounded = False
        page = await read_page(self._database, query, request.limit, request.after)
        return ItemPage([read_task(row) for row in page.rows], page.next)

    async def list_projects(self, status: str | None, request: PageRequest) -> ItemPage[Project]:
        query = PagedQuery(await self._tables.get_projects(), PROJECT_COLUMNS, "updated_at", self._tables.indexed)
        if status is not None:
            query.add_condition("status = ?", status)
        page = await read_page(self._database, query, request.limit, request.after)
        return ItemPage([read_project(row) for row in page.rows], page.next)

    async def list_changelogs(self, task_id: str, request: PageRequest) -> ItemPage[Changelog]:
        query = PagedQuery(await self._tables.get_changelogs(), CHANGELOG_COLUMNS, "created_at", self._tables.indexed)
        query.add_condition("task_id = ?", task_id)
        page = await read_page(self._database, query, request.limit, request.after)
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
