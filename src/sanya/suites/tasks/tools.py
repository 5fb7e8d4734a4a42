"""Handlers of the five tools: translate arguments into queries to the store, and results into shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sanya.suite import Context, Cursors, InvalidArgument, NotFound
from sanya.suite.runtime import format_timestamp
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
from sanya.suites.tasks.timestamps import get_day_start, parse_iso, to_utc
from sanya.suites.tasks.week import find_week

_SAMPLE_NOTICE = (
    "These are sample tasks, not the user's own. Import real ones with `sanya tasks import`. "
    "นี่คืองานตัวอย่าง ไม่ใช่งานของผู้ใช้ นำเข้างานจริงด้วย `sanya tasks import`"
)


def make_unknown_task(task_id: str) -> NotFound:
    return NotFound(f"no task has the id {task_id[:80]!r}; find ids with get_tasks or search_tasks")


@dataclass(frozen=True, slots=True)
class TaskTools:
    store: TaskStore
    cursors: Cursors
    zone: ZoneInfo

    async def get_tasks(self, request: GetTasksInput, context: Context) -> TaskPage:
        task_filter = TaskFilter(
            request.status,
            request.project_id,
            request.search,
            due_before=self._read_moment("due_before", request.due_before),
            due_after=self._read_moment("due_after", request.due_after),
            overdue=None if request.overdue is None else (request.overdue, format_timestamp(context.now)),
        )
        page = await self._list_tasks("get_tasks", task_filter, request)
        if page.items or request.project_id is None:
            return page
        return page.model_copy(update={"nearest_projects": await self.store.suggest_projects(request.project_id)})

    async def search_tasks(self, request: SearchTasksInput, context: Context) -> TaskPage:
        del context
        if not fold_query(request.query).strip():
            raise InvalidArgument("query is blank; write some text", field="query")
        return await self._list_tasks("search_tasks", TaskFilter(request.status, text=request.query), request)

    async def get_projects(self, request: GetProjectsInput, context: Context) -> ProjectPage:
        del context
        page_request, seal = self._open_paging({"tool": "get_projects", "status": request.status}, request)
        page = await self.store.list_projects(request.status, page_request)
        samples = await self.store.has_samples(page.items[0].id if page.items else None)
        return ProjectPage(items=page.items, next_cursor=seal(page.next), samples=samples, moved=page.moved)

    async def get_task_changelogs(self, request: GetTaskChangelogsInput, context: Context) -> ChangelogPage:
        del context
        page_request, seal = self._open_paging({"tool": "get_task_changelogs", "task_id": request.task_id}, request)
        page = await self.store.list_changelogs(request.task_id, page_request)
        if not page.items and await self.store.get_task(request.task_id) is None:
            raise make_unknown_task(request.task_id)
        samples = await self.store.has_samples(request.task_id)
        return ChangelogPage(items=page.items, next_cursor=seal(page.next), samples=samples)

    async def get_weekly_review(self, request: GetWeeklyReviewInput, context: Context) -> WeeklyReview:
        week = find_week(request.week_start_iso, context.now, self.zone)
        review = await self.store.read_review(week, request.item_limit)
        samples = await self.store.has_samples()
        return WeeklyReview(
            notice=_SAMPLE_NOTICE if samples else None,
            samples=samples,
            shortened=False,
            week_start=format_timestamp(week.start),
            week_end=format_timestamp(week.end),
            period_end=format_timestamp(week.period_end),
            completed_tasks=review.completed,
            pending_tasks=review.pending,
            overdue_tasks=review.overdue,
            created_tasks=review.created,
            due_this_week_tasks=review.due_this_week,
            **{f"{name}_count": count for name, count in review.counts.items()},
        )

    async def _list_tasks(
        self, tool: str, task_filter: TaskFilter, request: GetTasksInput | SearchTasksInput
    ) -> TaskPage:
        query = {
            "tool": tool,
            "status": task_filter.status,
            "project_id": task_filter.project_id,
            "text": task_filter.text,
        }
        # A cursor made before these filters existed stays valid where none of them is given.
        due = {"due_before": task_filter.due_before, "due_after": task_filter.due_after}
        query |= {name: value for name, value in due.items() if value is not None}
        if task_filter.overdue is not None:
            query["overdue"] = str(task_filter.overdue[0])
        page_request, seal = self._open_paging(query, request)
        page = await self.store.list_tasks(task_filter, page_request)
        samples = await self.store.has_samples(page.items[0].id if page.items else None, page.revision)
        return TaskPage(items=page.items, next_cursor=seal(page.next), samples=samples, moved=page.moved)

    def _read_moment(self, field: str, text: str | None) -> str | None:
        """Return a date or time of the request in UTC; a date is its first moment."""
        if text is None:
            return None
        try:
            value = parse_iso(text.strip())
            moment = to_utc(value, self.zone) if isinstance(value, datetime) else get_day_start(value, self.zone)
            return format_timestamp(moment)
        except (ValueError, OverflowError):
            raise InvalidArgument(
                f"{field} is {text[:40]!r}; write a date or time such as 2025-01-31 or 2025-01-31T09:30", field=field
            ) from None

    def _open_paging(
        self,
        query: dict[str, Any],
        request: GetTasksInput | SearchTasksInput | GetProjectsInput | GetTaskChangelogsInput,
    ) -> tuple[PageRequest, Callable[[PageMark | None], str | None]]:
        """Return the requested page, and a function that seals its end into the next cursor of the same query."""
        after = None if request.cursor is None else PageMark(*self.cursors.open(query, request.cursor))

        def seal(mark: PageMark | None) -> str | None:
            return None if mark is None else self.cursors.seal(query, list(mark))

        return PageRequest(request.limit, after), seal
