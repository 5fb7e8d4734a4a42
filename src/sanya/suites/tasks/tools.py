"""The five tools: arguments into a question to the store, its answer into the contract's shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sanya.kernel.call import Context
from sanya.kernel.cursors import Cursors
from sanya.kernel.dispatch import iso_time
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
from sanya.suites.tasks.pages import Mark
from sanya.suites.tasks.search import folded_query
from sanya.suites.tasks.store import Slice, TaskFilter, TaskStore
from sanya.suites.tasks.week import week_of


def unknown_task(task_id: str) -> NotFound:
    return NotFound(f"no task has the id {task_id[:80]!r}; get_tasks and search_tasks list ids")


@dataclass(frozen=True, slots=True)
class TaskTools:
    store: TaskStore
    cursors: Cursors
    zone: ZoneInfo

    async def get_tasks(self, request: GetTasksInput, context: Context) -> TaskPage:
        del context
        wanted = TaskFilter(request.status, request.project_id, request.search)
        return await self._task_page("get_tasks", wanted, request)

    async def search_tasks(self, request: SearchTasksInput, context: Context) -> TaskPage:
        del context
        if not folded_query(request.query).strip():
            raise InvalidArgument("query must hold more than blanks", field="query")
        return await self._task_page("search_tasks", TaskFilter(request.status, text=request.query), request)

    async def get_projects(self, request: GetProjectsInput, context: Context) -> ProjectPage:
        del context
        part, seal = self._paging({"tool": "get_projects", "status": request.status}, request)
        found = await self.store.projects(request.status, part)
        return ProjectPage(items=found.items, next_cursor=seal(found.next))

    async def get_task_changelogs(self, request: GetTaskChangelogsInput, context: Context) -> ChangelogPage:
        del context
        part, seal = self._paging({"tool": "get_task_changelogs", "task_id": request.task_id}, request)
        found = await self.store.changelogs(request.task_id, part)
        if not found.items and await self.store.task(request.task_id) is None:
            raise unknown_task(request.task_id)
        return ChangelogPage(items=found.items, next_cursor=seal(found.next))

    async def get_weekly_review(self, request: GetWeeklyReviewInput, context: Context) -> WeeklyReview:
        week = week_of(request.week_start_iso, context.now, self.zone)
        review = await self.store.review(week, request.item_limit)
        return WeeklyReview(
            week_start=iso_time(week.start),
            week_end=iso_time(week.end),
            period_end=iso_time(week.period_end),
            completed_tasks=review.completed,
            pending_tasks=review.pending,
            overdue_tasks=review.overdue,
            **{f"{name}_count": count for name, count in review.counts.items()},
        )

    async def _task_page(self, tool: str, wanted: TaskFilter, request: GetTasksInput | SearchTasksInput) -> TaskPage:
        query = {"tool": tool, "status": wanted.status, "project_id": wanted.project_id, "text": wanted.text}
        part, seal = self._paging(query, request)
        found = await self.store.tasks(wanted, part)
        return TaskPage(items=found.items, next_cursor=seal(found.next))

    def _paging(
        self,
        query: dict[str, Any],
        request: GetTasksInput | SearchTasksInput | GetProjectsInput | GetTaskChangelogsInput,
    ) -> tuple[Slice, Callable[[Mark | None], str | None]]:
        """What the request wants of the list, and how its page's end becomes the next cursor of the same query."""
        after = None if request.cursor is None else Mark(*self.cursors.open(query, request.cursor))

        def seal(mark: Mark | None) -> str | None:
            return None if mark is None else self.cursors.seal(query, list(mark))

        return Slice(request.limit, after), seal
