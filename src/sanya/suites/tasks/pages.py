"""Pages in a fixed order, by keyset: the cost of a page does not depend on how many came before it.

A task that changes moves to the front of the order, where a reader who has passed the front would miss it. So a page
mark keeps the number of the last import, and tasks that moved since are still read where they stood then: whoever
pages to the end sees every task once, whatever is imported meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sanya.kernel.database import Database, Row, Value


class PageMark(NamedTuple):
    """Where a page ended: the import then in force, and the order keys of its last row."""

    revision: int
    timestamp: str
    id: str


@dataclass(slots=True)
class PagedQuery:
    """What is paged: a table, its columns, the moment that orders it, and conditions with their values.

    `revision` is the expression for the number of the last import, where imports move rows; `bounded` tells that an
    index bounds each page.
    """

    table: str
    columns: tuple[str, ...]
    order: Literal["updated_at", "created_at"]
    bounded: bool
    revision: str | None = None
    conditions: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def add_condition(self, condition: str, value: Value) -> None:
        self.conditions.append(condition)
        self.values.append(value)


class RowPage(NamedTuple):
    rows: list[Row]
    next: PageMark | None


async def read_page(database: Database, listing: PagedQuery, limit: int, after: PageMark | None) -> RowPage:
    rows = await _fetch_rows(database, listing, limit + 1, after)
    if after is not None and listing.revision is not None and (not rows or rows[0][0] != after.revision):
        rows = await _fetch_rows_as_of(database, listing, limit + 1, after)
    shown = [row[2:] for row in rows[:limit]]
    if len(rows) <= limit:
        return RowPage(shown, None)
    revision, moment = rows[limit - 1][:2]
    kept = after.revision if after is not None else int(revision or 0)
    return RowPage(shown, PageMark(kept, str(moment), str(shown[-1][0])))


async def _fetch_rows(database: Database, listing: PagedQuery, count: int, after: PageMark | None) -> list[Row]:
    conditions, values = listing.conditions, listing.values
    if after is not None:
        conditions = [*conditions, f"({listing.order}, id) < (?, ?)"]
        values = [*values, after.timestamp, after.id]
    sql = (
        f"SELECT {listing.revision or 0}, {listing.order}, {', '.join(listing.columns)} "  # noqa: S608 - names of our own
        f"FROM {listing.table} AS listed{_build_where(conditions)} ORDER BY {listing.order} DESC, id DESC LIMIT ?"
    )
    return await database.fetch(sql, (*values, count), touches=count if listing.bounded else None)


async def _fetch_rows_as_of(database: Database, listing: PagedQuery, count: int, after: PageMark) -> list[Row]:
    """The same page in the order of the mark's import: what has moved since is taken from where it stood."""
    columns = ", ".join(f"listed.{name}" for name in listing.columns)
    stayed = _build_where([*listing.conditions, "(updated_at, listed.id) < (?, ?)", _STAYED])
    moved = _build_where([*listing.conditions, "(moved_from, listed.id) < (?, ?)"])
    sql = f"""
        SELECT * FROM (
            SELECT 0, updated_at AS place, {columns} FROM {listing.table} AS listed{stayed}
            ORDER BY updated_at DESC, listed.id DESC LIMIT ?) AS stayed
        UNION ALL SELECT * FROM (
            SELECT 0, moved_from AS place, {columns} FROM {listing.table} AS listed
            JOIN {_MOVED} AS moved ON moved.task_id = listed.id{moved}
            ORDER BY moved_from DESC, listed.id DESC LIMIT ?) AS moved
        ORDER BY place DESC, id DESC LIMIT ?"""  # noqa: S608 - names of our own
    mark = (after.timestamp, after.id)
    stayed_values = [*listing.values, *mark, after.revision, count]
    moved_values = [after.revision, *listing.values, *mark, count]
    return await database.fetch(sql, [*stayed_values, *moved_values, count])


_STAYED = (
    "NOT EXISTS (SELECT 1 FROM task_changelogs AS later WHERE later.task_id = listed.id "
    "AND later.revision > ? AND later.moved_from IS NOT NULL)"
)
# A task's first move after the mark tells where it stood at the mark.
_MOVED = """(
    SELECT task_id, moved_from FROM (
        SELECT task_id, moved_from, row_number() OVER (PARTITION BY task_id ORDER BY revision) AS turn
        FROM task_changelogs WHERE revision > ? AND moved_from IS NOT NULL) AS moves
    WHERE turn = 1)"""


def _build_where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""
