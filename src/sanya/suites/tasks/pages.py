"""Reads pages in a fixed order by keyset pagination: the cost of a page does not grow with the pages before it.

A task that changes moves to the front of the order, and a reader past the front would miss it. So a page mark holds the
revision of the import at the first page, and tasks that moved since are read at their former position. A reader who
follows the pages to the end sees every task once, whatever is imported meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sanya.suite.store import Database, Row, Value


class PageMark(NamedTuple):
    """The end of a page: the revision of the import at the time, and the order keys of the last row."""

    revision: int
    timestamp: str
    id: str
    watermark: str = ""
    """The last change of all rows at the first page, where rows change without a revision."""


@dataclass(slots=True)
class PagedQuery:
    """A query to read in pages: a table, its columns, the timestamp that orders it, and conditions with their values.

    `revision` is the SQL expression for the revision of the last import, where imports move rows. Where others change
    the rows, `watermark` is the one for their last change. `bounded` says that an index bounds the cost of each page.
    """

    table: str
    columns: tuple[str, ...]
    order: Literal["updated_at", "created_at"]
    bounded: bool
    revision: str | None = None
    watermark: str | None = None
    conditions: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def add_condition(self, condition: str, value: Value) -> None:
        self.conditions.append(condition)
        self.values.append(value)


class RowPage(NamedTuple):
    rows: list[Row]
    next: PageMark | None
    moved: bool = False
    """True if rows changed since the first page without a revision, so that some may be seen on no page."""
    revision: int | None = None
    """The revision that the rows were read at, where the query tells it."""


async def read_page(database: Database, query: PagedQuery, limit: int, after: PageMark | None) -> RowPage:
    rows = await _fetch_rows(database, query, limit + 1, after)
    read_at = None if query.revision is None or not rows else int(str(rows[0][0]))
    if after is not None and query.revision is not None and (not rows or rows[0][0] != after.revision):
        rows = await _fetch_rows_as_of(database, query, limit + 1, after)
    page_rows = [row[2:] for row in rows[:limit]]
    watermark = await _read_watermark(database, query)
    first_watermark = after.watermark if after is not None else watermark
    moved = watermark != first_watermark
    if len(rows) <= limit:
        return RowPage(page_rows, None, moved, read_at)
    revision, timestamp = rows[limit - 1][:2]
    first_revision = after.revision if after is not None else int(revision or 0)
    mark = PageMark(first_revision, str(timestamp), str(page_rows[-1][0]), first_watermark)
    return RowPage(page_rows, mark, moved, read_at)


async def _read_watermark(database: Database, query: PagedQuery) -> str:
    if query.watermark is None:
        return ""
    return str((await database.fetch(f"SELECT {query.watermark}"))[0][0])


async def _fetch_rows(database: Database, query: PagedQuery, count: int, after: PageMark | None) -> list[Row]:
    conditions, values = query.conditions, query.values
    if after is not None:
        conditions = [*conditions, f"({query.order}, id) < (?, ?)"]
        values = [*values, after.timestamp, after.id]
    sql = (
        f"SELECT {query.revision or 0}, {query.order}, {', '.join(query.columns)} "  # noqa: S608 - names of our own
        f"FROM {query.table} AS listed{_build_where(conditions)} ORDER BY {query.order} DESC, id DESC LIMIT ?"
    )
    return await database.fetch(sql, (*values, count), touches=count if query.bounded else None)


async def _fetch_rows_as_of(database: Database, query: PagedQuery, count: int, after: PageMark) -> list[Row]:
    """Read the same page in the order at the mark's revision: moved tasks are taken from their former position."""
    columns = ", ".join(f"listed.{name}" for name in query.columns)
    stayed = _build_where([*query.conditions, "(updated_at, listed.id) < (?, ?)", _STAYED])
    moved = _build_where([*query.conditions, "(moved_from, listed.id) < (?, ?)"])
    sql = f"""
        SELECT * FROM (
            SELECT 0, updated_at AS place, {columns} FROM {query.table} AS listed{stayed}
            ORDER BY updated_at DESC, listed.id DESC LIMIT ?) AS stayed
        UNION ALL SELECT * FROM (
            SELECT 0, moved_from AS place, {columns} FROM {query.table} AS listed
            JOIN {_MOVED} AS moved ON moved.task_id = listed.id{moved}
            ORDER BY moved_from DESC, listed.id DESC LIMIT ?) AS moved
        ORDER BY place DESC, id DESC LIMIT ?"""  # noqa: S608 - names of our own
    mark = (after.timestamp, after.id)
    stayed_values = [*query.values, *mark, after.revision, count]
    moved_values = [after.revision, *query.values, *mark, count]
    return await database.fetch(sql, [*stayed_values, *moved_values, count])


_STAYED = (
    "NOT EXISTS (SELECT 1 FROM task_changelogs AS later WHERE later.task_id = listed.id "
    "AND later.revision > ? AND later.moved_from IS NOT NULL)"
)
# The first move of a task after the mark has its position at the mark.
_MOVED = """(
    SELECT task_id, moved_from FROM (
        SELECT task_id, moved_from, row_number() OVER (PARTITION BY task_id ORDER BY revision) AS turn
        FROM task_changelogs WHERE revision > ? AND moved_from IS NOT NULL) AS moves
    WHERE turn = 1)"""


def _build_where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""
