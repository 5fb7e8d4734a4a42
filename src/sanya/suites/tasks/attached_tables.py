"""An existing SQLite task database, read where it lies and as it is.

Its tables are wrapped in queries that give them the columns and the forms of our own, so that the same SQL serves both.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.database import Database
from sanya.kernel.faults import StoreUnavailable
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS

_MOMENT = "strftime('%Y-%m-%dT%H:%M:%fZ', {})"
_MOMENTS = frozenset({"created_at", "updated_at", "due_at", "remind_at"})
_IDS = frozenset({"id", "task_id", "project_id"})
_SEARCHED = ("title", "description", "notes_markdown")


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    columns: tuple[str, ...]
    optional: dict[str, str]
    """Columns that may be missing, each with what then stands in its place."""


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
    """Looks at each table when it is first asked for; a table that lacks what we need is a fault that names it."""

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

    def normalise_timestamp(self, value: str) -> str:
        return _MOMENT.format(value)

    async def _get_query(self, table: _Table) -> str:
        if table.name not in self._queries:
            found = await self._database.fetch("SELECT name, type FROM pragma_table_info(?)", (table.name,))
            self._queries[table.name] = _wrap(table, {str(name): str(type) for name, type in found})
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
    if name in _MOMENTS:
        return _wrap_timestamp(table, name)
    if name in _IDS and not _is_text(types[name]):
        return f"CAST({name} AS TEXT)"
    default = table.optional.get(name, "NULL")
    return name if default == "NULL" else f"coalesce({name}, {default})"


def _wrap_timestamp(table: _Table, name: str) -> str:
    """A moment that must be there is empty where it cannot be read: it then sorts last, and reading the row says so."""
    if name in table.optional:
        return _MOMENT.format(name)
    ways = dict.fromkeys((name, "created_at"))
    return f"coalesce({', '.join(map(_MOMENT.format, ways))}, '')"


def _is_text(declared: str) -> bool:
    """SQLite's rule for types that keep text. Such a column is left bare, so that an index on it serves."""
    return any(word in declared.upper() for word in ("CHAR", "CLOB", "TEXT"))


def _build_folded(types: dict[str, str]) -> str:
    present = [f"coalesce({name}, '')" for name in _SEARCHED if name in types]
    # As bytes, because SQLite hands no text to a function that is not UTF-8.
    return f"fold(CAST({' || char(31) || '.join(present)} AS BLOB))"
