"""Shapes of the five tools. Descriptions are short, because every listing sends them to every client."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from sanya.suite import MAX_CURSOR_CHARS, DetailedRequest, Integer, Shape, Text

MAX_ID_CHARS = 255
MAX_SEARCH_CHARS = 1000

TaskStatus = Literal["TODO", "DOING", "DONE", "ARCHIVED"]
Priority = Literal["URGENT", "NORMAL", "LOW"]
ProjectStatus = Literal["ACTIVE", "COMPLETED", "ARCHIVED"]
ChangeAction = Literal["CREATED", "UPDATED", "STATUS_CHANGED"]

RecordId = Annotated[Text, Field(max_length=MAX_ID_CHARS)]
CursorText = Annotated[Text, Field(max_length=MAX_CURSOR_CHARS)]
DayOrTime = Annotated[str, Field(max_length=40)]
SearchText = Annotated[Text, Field(max_length=MAX_SEARCH_CHARS)]


class Task(Shape):
    id: str
    """Id"""
    title: str
    """Title"""
    description: str | None
    """Plain text"""
    notes_markdown: str | None
    """Longer notes"""
    project_id: str | None
    """Its project"""
    status: TaskStatus
    """State"""
    priority: Priority
    """Urgency"""
    is_important: bool
    """Starred"""
    due_at: str | None
    """When due, UTC"""
    remind_at: str | None
    """When to remind"""
    recurrence: str
    """NONE, DAILY, … or RRULE"""
    created_at: str
    """When created"""
    updated_at: str
    """When last changed"""


class Project(Shape):
    id: str
    """Id"""
    name: str
    """Name"""
    description: str | None
    """What it is about"""
    color: str | None
    """Color, e.g. #3B82F6"""
    status: ProjectStatus
    """State"""
    created_at: str
    """When created, UTC"""
    updated_at: str
    """When last changed, UTC"""


class Changelog(Shape):
    id: str
    """Id"""
    task_id: str
    """The task"""
    action: ChangeAction
    """What happened"""
    field_name: str | None
    """Field that changed"""
    old_value: str | None
    """Value before"""
    new_value: str | None
    """Value after"""
    created_at: str
    """When, UTC"""


class GetTasksInput(DetailedRequest):
    limit: Annotated[Integer, Field(ge=1, le=500)] = 50
    """Tasks per page, e.g. 20"""
    cursor: CursorText | None = None
    """next_cursor of the page before"""
    status: TaskStatus | None = None
    """Only this status, e.g. TODO"""
    project_id: RecordId | None = None
    """Project id from get_projects"""
    search: SearchText | None = None
    """Text in title, description or notes, e.g. invoice"""
    due_before: DayOrTime | None = None
    """Due before this day, e.g. 2025-01-31"""
    due_after: DayOrTime | None = None
    """Due on or after, e.g. 2025-01-06"""
    overdue: bool | None = None
    """true: open and past due"""


class TaskPage(Shape):
    items: list[Task]
    """Tasks, last changed first"""
    next_cursor: str | None
    """Null on the last page"""
    samples: bool = False
    """Samples, not the user's"""
    shortened: bool = False
    """Fewer than asked, to fit: go on with next_cursor"""
    moved: bool = False
    """Tasks changed since page 1: start again"""
    nearest_projects: list[str] = Field(default_factory=list)
    """Ids and names, if project_id is unknown"""


class GetProjectsInput(Shape):
    limit: Annotated[Integer, Field(ge=1, le=200)] = 50
    """Projects per page, e.g. 20"""
    cursor: CursorText | None = None
    """next_cursor of the page before"""
    status: ProjectStatus | None = None
    """Only this status, e.g. ACTIVE"""


class ProjectPage(Shape):
    items: list[Project]
    """Projects, last changed first"""
    next_cursor: str | None
    """Null on the last page"""
    samples: bool = False
    """Samples, not the user's"""
    shortened: bool = False
    """Fewer than asked, to fit: go on with next_cursor"""
    moved: bool = False
    """Projects changed since page 1: start again"""


class SearchTasksInput(DetailedRequest):
    query: Annotated[SearchText, Field(min_length=1)]
    """Text to find, e.g. invoice; no wildcards"""
    limit: Annotated[Integer, Field(ge=1, le=200)] = 30
    """Tasks per page, e.g. 20"""
    cursor: CursorText | None = None
    """next_cursor of the page before"""
    status: TaskStatus | None = None
    """Only this status, e.g. DOING"""


class GetTaskChangelogsInput(DetailedRequest):
    task_id: Annotated[RecordId, Field(min_length=1)]
    """Task id from search_tasks"""
    limit: Annotated[Integer, Field(ge=1, le=200)] = 20
    """Changes per page, e.g. 20"""
    cursor: CursorText | None = None
    """next_cursor of the page before"""


class ChangelogPage(Shape):
    items: list[Changelog]
    """Changes, newest first"""
    next_cursor: str | None
    """Null on the last page"""
    samples: bool = False
    """A sample, not the user's"""
    shortened: bool = False
    """Fewer than asked, to fit: go on with next_cursor"""


class GetWeeklyReviewInput(DetailedRequest):
    week_start_iso: Annotated[Text, Field(max_length=40)] | None = None
    """First day of the week, e.g. 2025-01-06; else this Monday"""
    item_limit: Annotated[Integer, Field(ge=1, le=100)] = 20
    """Most tasks in each list, e.g. 10"""


# Three inlined copies of the task would be most of this tool's weight in a client's context; get_tasks has it in full.
ReviewedTask = Annotated[Task, WithJsonSchema({"type": "object"})]


class WeeklyReview(Shape):
    notice: str | None = None
    """For the user, to say first"""
    samples: bool = False
    """Samples, not the user's"""
    shortened: bool = False
    """Lists cut to fit: ask for fewer"""
    week_start: str
    """First moment of the week, UTC"""
    week_end: str
    """First moment after it"""
    period_end: str
    """week_end, or now where that is earlier"""
    completed_count: int
    """Tasks that turned DONE in the week"""
    created_count: int
    """Tasks created in the week"""
    pending_count: int
    """Open at period_end, not yet due or without due date"""
    overdue_count: int
    """Open at period_end, past due"""
    carry_over_count: int
    """Open at period_end, created before the week"""
    due_this_week_open_count: int
    """Open at period_end, due in the week"""
    completed_tasks: list[ReviewedTask]
    """Tasks as in get_tasks, last changed first, with status and due_at as of period_end"""
    pending_tasks: list[ReviewedTask]
    """Likewise"""
    overdue_tasks: list[ReviewedTask]
    """Likewise"""
    created_tasks: list[ReviewedTask]
    """Likewise"""
    due_this_week_tasks: list[ReviewedTask]
    """Likewise"""
