"""Many rows written by few statements: what each statement costs is more than what a row in it does."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice

from sanya.kernel.database import Value

_ONE_ROW = re.compile(r"(\s*INSERT INTO [^?]*\sVALUES )(\((?:\?|NULL)(?:, (?:\?|NULL))*\))([^?]*)")
_MOST_MARKS = 2000
_LEAST_ROWS = 4


def write_many(connection: sqlite3.Connection, sql: str, rows: Iterable[Sequence[Value]]) -> None:
    """As `executemany`; an insert of plain marks takes many rows at once. SQLite takes them in their order, so that a
    conflict between two of them ends as it would have."""
    waiting = iter(rows)
    first = list(islice(waiting, _LEAST_ROWS))
    count = _rows_at_once(sql) if len(first) == _LEAST_ROWS else 0
    waiting = chain(first, waiting)
    while count and len(batch := list(islice(waiting, count))) == count:
        connection.execute(_for_rows(sql, count), list(chain.from_iterable(batch)))
    connection.executemany(sql, batch if count else waiting)


@lru_cache(maxsize=512)
def _rows_at_once(sql: str) -> int:
    found = _ONE_ROW.fullmatch(sql)
    return _MOST_MARKS // sql.count("?") if found else 0


@lru_cache(maxsize=512)
def _for_rows(sql: str, count: int) -> str:
    found = _ONE_ROW.fullmatch(sql)
    assert found is not None, "it was counted before"
    return f"{found[1]}{', '.join([found[2]] * count)}{found[3]}"
