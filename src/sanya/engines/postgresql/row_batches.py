"""Joins the rows of an insert into statements of many rows.

psycopg sends a message for each row, which takes 0.1 ms of this process: three seconds for the starter data of a new
home. A statement with 128 rows takes a fifth of that. Rows that may update others stay apart: one statement must not
change a row twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from sanya.kernel.storage.database import Value

ROWS_PER_STATEMENT = 128
_PLAIN_INSERT = re.compile(
    r"(?P<head>\s*INSERT INTO [\w\s,().]+? VALUES )"
    r"(?P<row>\(\?(?:, \?)*\))"
    r"(?P<tail>(?: ON CONFLICT (?:\([\w, ]+\) )?DO NOTHING)?\s*)"
)


@lru_cache(maxsize=256)
def widen_insert(sql: str) -> str | None:
    """Return the insert with placeholders for many rows, or None where it does more than insert its rows."""
    match = _PLAIN_INSERT.fullmatch(sql)
    if match is None:
        return None
    return match["head"] + ", ".join([match["row"]] * ROWS_PER_STATEMENT) + match["tail"]


def join_rows(rows: Sequence[Sequence[Value]]) -> Iterator[list[Value]]:
    """Yield the values of as many rows as fill a statement. The last rows, which do not, are left out."""
    for start in range(0, len(rows) - ROWS_PER_STATEMENT + 1, ROWS_PER_STATEMENT):
        yield list(chain.from_iterable(rows[start : start + ROWS_PER_STATEMENT]))


def list_left_over(rows: Sequence[Sequence[Value]]) -> Iterable[Sequence[Value]]:
    return rows[len(rows) - len(rows) % ROWS_PER_STATEMENT :]
