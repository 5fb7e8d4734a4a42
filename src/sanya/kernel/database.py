"""The port to the relational store. Engines implement it; suites write their SQL against it.

SQL is written once, with `?` placeholders and in the part of the language that SQLite and PostgreSQL share.
Failures of the store surface as `StoreUnavailable`, never as a driver's own exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol

Value = str | int | float | bytes | None
Row = tuple[Value, ...]
Statement = tuple[str, Sequence[Value]]


class Transaction(Protocol):
    """All or nothing: leaving the block commits, an exception rolls back."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Runs one statement; returns the number of rows it touched."""
        ...

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None: ...

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Runs several statements in order, in one trip to the engine; returns the rows of each."""
        ...

    def after_commit(self, act: Callable[[], None]) -> None:
        """Has something done once all this is surely committed; after a rollback it never is, and where nobody can tell
        it is not either. It neither waits nor fails."""
        ...


class Database(Protocol):
    dialect: Literal["sqlite", "postgresql"]

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        """Reads a consistent snapshot. `touches` promises that an index bounds the rows looked at; the embedded engine
        then reads in place when they are few, which saves the hop to a thread."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """A writing transaction; the embedded engine has one writer at a time."""
        ...
