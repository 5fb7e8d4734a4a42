"""The store of a guest suite: the home's database, of which it reaches its own tables alone.

Every statement is read before it runs. A table may stand only where its name begins with the suite's prefix, and no
name of a foreign or system table may occur anywhere in the statement. That stops a suite from reading what is not its
own through this API. It is no sandbox: a guest runs in the server's process (SECURITY.md says what that means).
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Literal

from sanya.kernel.faults import InvariantBroken
from sanya.kernel.storage.database import Database, Row, Transaction, Value
from sanya.kernel.storage.revisions import advance_revision

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|[\w.$]+|\S""", re.DOTALL)
_VERBS = ("select", "insert", "update", "delete", "with", "values")
_BEFORE_TABLE = ("from", "join", "into", "update", "table")
_SYSTEM = re.compile(r"(sqlite|pg|information_schema|pragma)(_|\.|$)|.*\.(sqlite_|pg_)|load_extension$|dblink")
# Not ON: a comma after it still separates tables.
_ENDS_FROM = frozenset(
    (
        "where",
        "group",
        "order",
        "limit",
        "union",
        "except",
        "intersect",
        "having",
        "returning",
        "select",
        "set",
        "values",
    )
)


def get_table_prefix(suite: str) -> str:
    return f"guest_{suite}_"


@lru_cache(maxsize=1024)
def check_statement(suite: str, sql: str) -> None:
    """Raise InvariantBroken for a statement that reaches beyond the tables of the suite."""
    words = [word for word in _TOKEN.findall(sql) if not word.startswith(("--", "/*", "'"))]
    names = [word.strip('"').lower() for word in words]
    if not names or names[0] not in _VERBS:
        raise _make_refusal(suite, "only SELECT, INSERT, UPDATE and DELETE are possible; change tables in migrations")
    if ";" in names[:-1]:
        raise _make_refusal(suite, "one statement at a time")
    for name in names:
        if _SYSTEM.match(name) or (name.startswith("guest_") and not name.startswith(get_table_prefix(suite))):
            raise _make_refusal(suite, f"{name} is not a table of this suite")
    own = {name for place, name in enumerate(names) if names[place + 1 : place + 3] == ["as", "("]}
    for name in _list_table_names(names):
        if not name.startswith(get_table_prefix(suite)) and name not in own:
            raise _make_refusal(
                suite, f"{name} is not a table of this suite; its tables begin with {get_table_prefix(suite)}"
            )


def _list_table_names(names: Sequence[str]) -> Iterable[str]:
    """Yield the names that stand where a table does: after FROM, JOIN, INTO and UPDATE, and after commas in a FROM."""
    depth, from_depths = 0, set()
    for place, name in enumerate(names):
        following = names[place + 1] if place + 1 < len(names) else ""
        if name == "(":
            depth += 1
        elif name == ")":
            from_depths.discard(depth)
            depth -= 1
        elif name in _ENDS_FROM:
            from_depths.discard(depth)
        elif name in _BEFORE_TABLE or (name == "," and depth in from_depths):
            if name == "from":
                from_depths.add(depth)
            if following not in ("(", "set", "select", "lateral"):
                yield following


def _make_refusal(suite: str, problem: str) -> InvariantBroken:
    return InvariantBroken(f"the suite {suite} sent a statement that its store refuses: {problem}")


class StoreTransaction:
    """A writing transaction on the tables of the suite."""

    def __init__(self, suite: str, transaction: Transaction) -> None:
        self._suite = suite
        self._transaction = transaction

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        check_statement(self._suite, sql)
        return await self._transaction.fetch(sql, params)

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run one statement and return the number of rows it touched."""
        check_statement(self._suite, sql)
        return await self._transaction.execute(sql, params)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        check_statement(self._suite, sql)
        await self._transaction.execute_many(sql, rows)


class Store:
    """Reads and writes the tables of one suite. SQL is written once, with `?` for values, for both engines."""

    def __init__(self, suite: str, database: Database) -> None:
        self._suite = suite
        self._database = database
        self.dialect: Literal["sqlite", "postgresql"] = database.dialect

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Return the rows of a query."""
        check_statement(self._suite, sql)
        return await self._database.fetch(sql, params)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[StoreTransaction]:
        """Open a writing transaction: leaving the block commits, an exception rolls back. The revision of the suite's
        data rises with it, so that a replay can tell changed data from changed code."""
        async with self._database.transaction() as transaction:
            await advance_revision(transaction, self._suite)
            yield StoreTransaction(self._suite, transaction)
