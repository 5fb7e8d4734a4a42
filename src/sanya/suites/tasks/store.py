"""Reads tasks, projects and changelogs for the tools."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Generic, TypeVar

from sanya.suite.store import Database
from sanya.suites.tasks.contract import Changelog, Project, Task
from sanya.suites.tasks.pages import PagedQuery, PageMark, read_page
from sanya.suites.tasks.project_hints import rank_projects
from sanya.suites.tasks.review import WeekReview, read_review
from sanya.suites.tasks.rows import read_changelog, read_project, read_task, read_tasks
from sanya.suites.tasks.search import build_condition, fold_query
from sanya.suites.tasks.starter import FIRST_SAMPLE, SAMPLE_PREFIX
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS, OwnTables, TaskTables
from sanya.suites.tasks.week import Week

ItemT = TypeVar("ItemT")
_MAX_PROJECTS = 1000


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
    moved: bool = False
    revision: int | None = None
    """The revision that the items were read at, where it is known."""


@dataclass(frozen=True, slots=True)
class TaskFilter:
    status: str | None = None
    project_id: str | None = None
    text: str | None = None
    due_before: str | None = None
    due_after: str | None = None
    overdue: tuple[bool, str] | None = None
    """Whether a task is past due at this time."""


def _add_due_conditions(query: PagedQuery, task_filter: TaskFilter) -> None:
    if task_filter.due_before is not None:
        query.add_condition("due_at < ?", task_filter.due_before)
    if task_filter.due_after is not None:
        query.add_condition("due_at >= ?", task_filter.due_after)
    if task_filter.overdue is not None:
        wanted, now = task_filter.overdue
        late = "(due_at IS NOT NULL AND due_at < ? AND status NOT IN ('DONE', 'ARCHIVED'))"
        query.add_condition(late if wanted else f"NOT {late}", now)
    if (task_filter.due_before, task_filter.due_after, task_filter.overdue) != (None, None, None):
        # No index orders by both times, so the engine may scan any number of tasks.
        query.bounded = False


class TaskStore:
    """Reads through the database port; `tables` names the rows, by default those of our own schema."""

    def __init__(self, database: Database, tables: TaskTables | None = None) -> None:
        self._database = database
        self._tables: TaskTables = OwnTables() if tables is None else tables
        self._samples_at: tuple[int, bool] | None = None
        """A revision, and whether there were samples then. They come and go with a revision of their own."""

    async def list_tasks(self, task_filter: TaskFilter, request: PageRequest) -> ItemPage[Task]:
        tables = self._tables
        table = await tables.get_tasks()
        query = PagedQuery(
            table, TASK_COLUMNS, "updated_at", tables.indexed, tables.revision, tables.get_watermark(table)
        )
        if task_filter.project_id is not None:
            query.add_condition("project_id = ?", task_filter.project_id)
        if task_filter.status is not None:
            query.add_condition("status = ?", task_filter.status)
        if task_filter.text:
            query.add_condition(build_condition(self._database.dialect), fold_query(task_filter.text))
            # The engine may scan any number of tasks before one matches.
            query.bounded = False
        _add_due_conditions(query, task_filter)
        page = await read_page(self._database, query, request.limit, request.after)
        return ItemPage(read_tasks(page.rows), page.next, page.moved, page.revision)

    async def list_projects(self, status: str | None, request: PageRequest) -> ItemPage[Project]:
        table = await self._tables.get_projects()
        watermark = self._tables.get_watermark(table)
        query = PagedQuery(table, PROJECT_COLUMNS, "updated_at", self._tables.indexed, watermark=watermark)
        if status is not None:
            query.add_condition("status = ?", status)
        page = await read_page(self._database, query, request.limit, request.after)
        return ItemPage([read_project(row) for row in page.rows], page.next, page.moved)

    async def list_changelogs(self, task_id: str, request: PageRequest) -> ItemPage[Changelog]:
        query = PagedQuery(await self._tables.get_changelogs(), CHANGELOG_COLUMNS, "created_at", self._tables.indexed)
        query.add_condition("task_id = ?", task_id)
        page = await read_page(self._database, query, request.limit, request.after)
        return ItemPage([read_changelog(row) for row in page.rows], page.next)

    async def has_samples(self, shown: str | None = None, revision: int | None = None) -> bool:
        """Return whether the tasks are the samples of a new home. An attached database never has them.

        `shown` is the id of a task or project in the answer; one that no sample has saves the query. So does the
        `revision` of the answer if it is that of the answer before.
        """
        if not isinstance(self._tables, OwnTables) or (shown is not None and not shown.startswith(SAMPLE_PREFIX)):
            return False
        if self._samples_at is not None and self._samples_at[0] == revision:
            return self._samples_at[1]
        found = bool(await self._database.fetch("SELECT 1 FROM tasks WHERE id = ?", (FIRST_SAMPLE,), touches=1))
        if revision is not None:
            self._samples_at = (revision, found)
        return found

    async def suggest_projects(self, project_id: str) -> list[str]:
        """Return the projects most like an id that no project has, or none if a project has it."""
        table = await self._tables.get_projects()
        sql = f"SELECT id, name FROM {table} AS listed ORDER BY id LIMIT ?"  # noqa: S608 - names of our own
        projects = [(str(id), str(name)) for id, name in await self._database.fetch(sql, (_MAX_PROJECTS,))]
        return [] if any(id == project_id for id, _ in projects) else rank_projects(project_id, projects)

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
