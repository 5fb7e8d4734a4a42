"""The five tools: arguments into a question to the store, its answer into the contract's shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sanya.kernel.call import Context
from sanya.kernel.clock import format_timestamp
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.suites.tasks.contract import (
    ChangelogPage,
    GetProjectsInput,
    GetTaskChangelogsInput,
    GetTasksInput,
    GetWeeklyReviewInput,
    ProjectPage,
    SearchTasksInput,
    TaskPage,
    WeeklyReview,
)
from sanya.suites.tasks.pages import PageMark
from sanya.suites.tasks.search import fold_query
from sanya.suites.tasks.store import PageRequest, TaskFilter, TaskStore
from sanya.suites.tasks.week import find_week


def make_unknown_task(task_id: str) -> NotFound:
    return NotFound(f"no task has the id {task_id[:80]!r}; get_tasks and search_tasks list ids")


@dataclass(frozen=True, slots=True)
class TaskTools:
    store: TaskStore
    cursors: Cursors
    zone: ZoneInfo

    async def get_tasks(self, request: GetTasksInput, context: Context) -> TaskPage:
        del context
        wanted = TaskFilter(request.status, request.project_id, request.search)
        return await self._list_tasks("get_tasks", wanted, request)

    async def search_tasks(self, request: SearchTasksInput, context: Context) -> TaskPage:
        del context
        if not fold_query(request.query).strip():
            raise InvalidArgument("query must hold more than blanks", field="query")
        return await self._list_tasks("search_tasks", TaskFilter(request.status, text=request.query), request)

    async def get_projects(self, request: GetProjectsInput, context: Context) -> ProjectPage:
        del context
        part, seal = self._open_paging({"tool": "get_projects", "status": request.status}, request)
        found = await self.store.list_projects(request.status, part)
        return ProjectPage(items=found.items, next_cursor=seal(found.next))

    async def get_task_changelogs(self, request: GetTaskChangelogsInput, context: Context) -> ChangelogPage:
        del context
        part, seal = self._open_paging({"tool": "get_task_changelogs", "task_id": request.task_id}, request)
        found = await self.store.list_changelogs(request.task_id, part)
        if not found.items and await self.store.get_task(request.task_id) is None:
            raise make_unknown_task(request.task_id)
        return ChangelogPage(items=found.items, next_cursor=seal(found.next))

    async def get_weekly_review(self, request: GetWeeklyReviewInput, context: Context) -> WeeklyReview:
        week = find_week(request.week_start_iso, context.now, self.zone)
        review = await self.store.read_review(week, request.item_limit)
        return WeeklyReview(
            week_start=format_timestamp(week.start),
            week_end=format_timestamp(week.end),
            period_end=format_timestamp(week.period_end),
            completed_tasks=review.completed,
            pending_tasks=review.pending,
            overdue_tasks=review.overdue,
            **{f"{name}_count": count for name, count in review.counts.items()},
        )

    async def _list_tasks(self, tool: str, wanted: TaskFilter, request: GetTasksInput | SearchTasksInput) -> TaskPage:
        query = {"tool": tool, "status": wanted.status, "project_id": wanted.project_id, "text": wanted.text}
        part, seal = self._open_paging(query, request)
        found = await self.store.list_tasks(wanted, part)
        return TaskPage(items=found.items, next_cursor=seal(found.next))

    def _open_paging(
        self,
        query: dict[str, Any],
        request: GetTasksInput | SearchTasksInput | GetProjectsInput | GetTaskChangelogsInput,
    ) -> tuple[PageRequest, Callable[[PageMark | None], str | None]]:
        """What the request wants of the list, and how its page's end becomes the next cursor of the same query."""
        after = None if request.cursor is None else PageMark(*self.cursors.open(query, request.cursor))

        def seal(mark: PageMark | None) -> str | None:
            return None if mark is None else self.cursors.seal(query, list(mark))

        return PageRequest(request.limit, after), seal
