"""Reads an existing SQLite task database in place.

Its tables are wrapped in queries with the columns and formats of our own tables, so that the same SQL serves both.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suite import StoreUnavailable
from sanya.suite.store import Database
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS

_TIMESTAMP = "strftime('%Y-%m-%dT%H:%M:%fZ', {})"
_TIMESTAMP_COLUMNS = frozenset({"created_at", "updated_at", "due_at", "remind_at"})
_ID_COLUMNS = frozenset({"id", "task_id", "project_id"})
_SEARCHED_COLUMNS = ("title", "description", "notes_markdown")


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    columns: tuple[str, ...]
    optional: dict[str, str]
    """Columns that may be missing, each with the SQL that replaces it."""


_TASKS = _Table(
    "tasks",
    TASK_COLUMNS,
    {
        "description": "NULL",
        "notes_markdown": "NULL",
        "project_id": "NULL",
        "priority": "'NORMAL'",
        "is_important": "0",
        "due_at": "NULL",
        "remind_at": "NULL",
        "recurrence": "'NONE'",
    },
)
_PROJECTS = _Table("projects", PROJECT_COLUMNS, {"description": "NULL", "color": "NULL", "status": "'ACTIVE'"})
_CHANGELOGS = _Table("task_changelogs", CHANGELOG_COLUMNS, {"field_name": "NULL"})


class AttachedTables:
    """Inspects each table when it is first used; a fault names a table that lacks a required column."""

    revision = None
    indexed = False
    log_is_whole = False

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queries: dict[str, str] = {}

    async def get_tasks(self) -> str:
        return await self._get_query(_TASKS)

    async def get_projects(self) -> str:
        return await self._get_query(_PROJECTS)

    async def get_changelogs(self) -> str:
        return await self._get_query(_CHANGELOGS)

    def get_watermark(self, table: str) -> str | None:
        return f"(SELECT count(*) || ' ' || coalesce(max(updated_at), '') FROM {table} AS marked)"  # noqa: S608

    def normalise_timestamp(self, value: str) -> str:
        return _TIMESTAMP.format(value)

    async def _get_query(self, table: _Table) -> str:
        if table.name not in self._queries:
            rows = await self._database.fetch("SELECT name, type FROM pragma_table_info(?)", (table.name,))
            self._queries[table.name] = _wrap(table, {str(name): str(type) for name, type in rows})
        return self._queries[table.name]


def _wrap(table: _Table, types: dict[str, str]) -> str:
    if not types:
        raise StoreUnavailable(f"the attached task database has no table {table.name}; check tasks_database")
    missing = [name for name in table.columns if name not in types and name not in table.optional]
    if missing:
        raise StoreUnavailable(
            f"the attached task database lacks {', '.join(missing)} in its table {table.name}; "
            "add the column or attach another database"
        )
    columns = [f"{_wrap_column(table, name, types)} AS {name}" for name in table.columns]
    if table is _TASKS:
        columns.append(f"{_build_folded(types)} AS folded")
    return f"(SELECT {', '.join(columns)} FROM {table.name})"  # noqa: S608 - names of our own


def _wrap_column(table: _Table, name: str, types: dict[str, str]) -> str:
    if name not in types:
        return table.optional[name]
    if name in _TIMESTAMP_COLUMNS:
        return _wrap_timestamp(table, name)
    if name in _ID_COLUMNS and not _is_text(types[name]):
        return f"CAST({name} AS TEXT)"
    default = table.optional.get(name, "NULL")
    return name if default == "NULL" else f"coalesce({name}, {default})"


def _wrap_timestamp(table: _Table, name: str) -> str:
    """Return SQL for a timestamp. A required one that is unreadable becomes empty: it sorts last, and its row fails."""
    if name in table.optional:
        return _TIMESTAMP.format(name)
    candidates = dict.fromkeys((name, "created_at"))
    return f"coalesce({', '.join(map(_TIMESTAMP.format, candidates))}, '')"


def _is_text(declared: str) -> bool:
    """Apply SQLite's rule for text types. Such a column needs no cast, so that an index on it can serve."""
    return any(word in declared.upper() for word in ("CHAR", "CLOB", "TEXT"))


def _build_folded(types: dict[str, str]) -> str:
    present = [f"coalesce({name}, '')" for name in _SEARCHED_COLUMNS if name in types]
    # As a BLOB, because SQLite passes no invalid UTF-8 to a function as text.
    return f"fold(CAST({' || char(31) || '.join(present)} AS BLOB))"
