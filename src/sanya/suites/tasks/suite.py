"""Builds the tasks suite: five tools, one resource, three prompts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from zoneinfo import ZoneInfo

from sanya.suite import Caller, Content, Context, Cursors, Example, NotFound, Resource, Suite, Tool
from sanya.suites.tasks import contract
from sanya.suites.tasks.dialect import DIALECT
from sanya.suites.tasks.prompts import build_prompts
from sanya.suites.tasks.store import TaskStore
from sanya.suites.tasks.tools import TaskTools, make_unknown_task

NAME = "tasks"
_COMPLETIONS = 20


def build(store: TaskStore, cursors: Cursors, time_zone: ZoneInfo) -> Suite:
    return Suite(
        name=NAME,
        title="Tasks",
        dialect=DIALECT,
        tools=_build_tools(TaskTools(store, cursors, time_zone)),
        resources=(_build_task_resource(store),),
        prompts=build_prompts(store),
    )


def _build_tools(tools: TaskTools) -> tuple[Tool, ...]:
    return (*_build_listing_tools(tools), *_build_finding_tools(tools))


def _build_listing_tools(tools: TaskTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT)
    return (
        tool(
            name="get_tasks",
            title="List tasks",
            description="Lists the user's tasks, last changed first; filters combine. For a week use "
            "get_weekly_review, for a history get_task_changelogs; it never writes.",
            input=contract.GetTasksInput,
            left_out_in_short=(
                "items.*.created_at",
                "items.*.updated_at",
            ),
            output=contract.TaskPage,
            page_limit="limit",
            handler=tools.get_tasks,
            examples=(
                Example("The tasks that changed last", {"limit": 5}),
                Example("What is in progress", {"status": "DOING"}),
                Example("Open tasks of one project", {"status": "TODO", "project_id": "sample-project-shop"}),
            ),
        ),
        tool(
            name="get_projects",
            title="List projects",
            description="Lists the user's projects. For the tasks of one use get_tasks with project_id; it never "
            "writes.",
            input=contract.GetProjectsInput,
            output=contract.ProjectPage,
            page_limit="limit",
            handler=tools.get_projects,
            examples=(Example("Active projects", {"status": "ACTIVE"}),),
        ),
        tool(
            name="get_weekly_review",
            title="Review a week",
            description="Counts and lists a week's tasks: completed, created, pending, overdue, carried over. For "
            "other filters use get_tasks; it never writes.",
            input=contract.GetWeeklyReviewInput,
            left_out_in_short=(
                "completed_tasks.*.created_at",
                "completed_tasks.*.updated_at",
                "pending_tasks.*.created_at",
                "pending_tasks.*.updated_at",
                "overdue_tasks.*.created_at",
                "overdue_tasks.*.updated_at",
                "created_tasks.*.created_at",
                "created_tasks.*.updated_at",
                "due_this_week_tasks.*.created_at",
                "due_this_week_tasks.*.updated_at",
            ),
            output=contract.WeeklyReview,
            page_limit="item_limit",
            handler=tools.get_weekly_review,
            examples=(Example("The week of 2 June 2025", {"week_start_iso": "2025-06-02"}),),
            # While the week runs, it is the time of the call.
            unhashed=("period_end",),
        ),
    )


def _build_finding_tools(tools: TaskTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT)
    return (
        tool(
            name="search_tasks",
            title="Search tasks",
            description="Finds tasks by a piece of their text. By project or due date use get_tasks; it never writes.",
            input=contract.SearchTasksInput,
            left_out_in_short=(
                "items.*.created_at",
                "items.*.updated_at",
            ),
            output=contract.TaskPage,
            page_limit="limit",
            handler=tools.search_tasks,
            examples=(
                Example("In English", {"query": "report"}),
                Example("In Thai", {"query": "รายงาน"}),
            ),
        ),
        tool(
            name="get_task_changelogs",
            title="History of a task",
            description="Lists what happened to a task, newest first. To find its id use search_tasks; it never "
            "writes.",
            input=contract.GetTaskChangelogsInput,
            left_out_in_short=(
                "items.*.id",
                "items.*.task_id",
            ),
            output=contract.ChangelogPage,
            page_limit="limit",
            handler=tools.get_task_changelogs,
            faults=(NotFound,),
            examples=(Example("How a report came to be done", {"task_id": "sample-sales-report"}),),
        ),
    )


def _build_task_resource(store: TaskStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        task = await store.get_task(parts["id"])
        if task is None:
            raise make_unknown_task(parts["id"])
        return Content(data=task.model_dump(mode="json"))

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        return await store.list_ids(text, _COMPLETIONS)

    return Resource(
        uri="tasks://task/{id}",
        suite=NAME,
        name="task",
        title="One task",
        description="A task by its id.",
        read=read,
        complete={"id": complete},
    )
