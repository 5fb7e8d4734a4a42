"""Writes many rows with few statements: a statement costs more than a row in it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice

from sanya.kernel.storage.database import Value

_ONE_ROW = re.compile(r"(\s*INSERT INTO [^?]*\sVALUES )(\((?:\?|NULL)(?:, (?:\?|NULL))*\))([^?]*)")
_MAX_PLACEHOLDERS = 2000
_MIN_ROWS = 4


def write_many(connection: sqlite3.Connection, sql: str, rows: Iterable[Sequence[Value]]) -> None:
    """Run `executemany`, but turn a plain INSERT into one that takes many rows. SQLite inserts them in their order, so
    a conflict between two of them has the same result."""
    pending = iter(rows)
    first = list(islice(pending, _MIN_ROWS))
    count = _count_rows_per_statement(sql) if len(first) == _MIN_ROWS else 0
    pending = chain(first, pending)
    while count and len(batch := list(islice(pending, count))) == count:
        connection.execute(_expand_rows(sql, count), list(chain.from_iterable(batch)))
    connection.executemany(sql, batch if count else pending)


@lru_cache(maxsize=512)
def _count_rows_per_statement(sql: str) -> int:
    match = _ONE_ROW.fullmatch(sql)
    return _MAX_PLACEHOLDERS // sql.count("?") if match else 0


@lru_cache(maxsize=512)
def _expand_rows(sql: str, count: int) -> str:
    match = _ONE_ROW.fullmatch(sql)
    assert match is not None, "only called for SQL that _count_rows_per_statement accepted"
    return f"{match[1]}{', '.join([match[2]] * count)}{match[3]}"
