"""The tables of the suite: the names and expressions through which all its SQL reaches the rows."""

from __future__ import annotations

from typing import Protocol

TASK_COLUMNS = (
    "id",
    "title",
    "description",
    "notes_markdown",
    "project_id",
    "status",
    "priority",
    "is_important",
    "due_at",
    "remind_at",
    "recurrence",
    "created_at",
    "updated_at",
)
PROJECT_COLUMNS = ("id", "name", "description", "color", "status", "created_at", "updated_at")
CHANGELOG_COLUMNS = ("id", "task_id", "action", "field_name", "old_value", "new_value", "created_at")


class TaskTables(Protocol):
    """Each table is a name or a query in parentheses with the columns above; tasks also have `folded`.

    `revision` is an SQL expression for the revision of the last import, or None where rows change without one.
    `indexed` says that an index bounds every page, `log_is_whole` that every change has an entry in the changelog.
    """

    @property
    def revision(self) -> str | None: ...

    @property
    def indexed(self) -> bool: ...

    @property
    def log_is_whole(self) -> bool: ...

    async def get_tasks(self) -> str: ...

    async def get_projects(self) -> str: ...

    async def get_changelogs(self) -> str: ...

    def get_watermark(self, table: str) -> str | None:
        """Return SQL for the last change of a table's rows, or None where revisions tell."""
        ...

    def normalise_timestamp(self, value: str) -> str:
        """Return an SQL expression that converts the time in `value` to the form that sorts."""
        ...


class OwnTables:
    """The tables of our own schema, which imports fill."""

    revision = "coalesce((SELECT revision FROM revisions WHERE suite = 'tasks'), 0)"
    indexed = True
    log_is_whole = True

    async def get_tasks(self) -> str:
        return "tasks"

    async def get_projects(self) -> str:
        return "projects"

    async def get_changelogs(self) -> str:
        return "task_changelogs"

    def get_watermark(self, table: str) -> str | None:
        del table
        return None

    def normalise_timestamp(self, value: str) -> str:
        return value
