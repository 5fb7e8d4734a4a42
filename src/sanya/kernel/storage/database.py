"""The port to the relational store. Engines implement it; suites write their SQL against it.

SQL is written once, with `?` placeholders, in the subset that SQLite and PostgreSQL share. A failure of the store is
raised as `StoreUnavailable`, never as a driver's own exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol

Value = str | int | float | bytes | None
Row = tuple[Value, ...]
Statement = tuple[str, Sequence[Value]]


class Transaction(Protocol):
    """A writing transaction: leaving the block commits, an exception rolls back."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run one statement and return the number of rows it touched."""
        ...

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None: ...

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Run several statements in order, in one round trip, and return the rows of each."""
        ...

    def on_commit(self, act: Callable[[], None]) -> None:
        """Call `act` once the transaction is known to be committed; never after a rollback, nor if the outcome is
        unknown. `act` must neither block nor raise."""
        ...


class Database(Protocol):
    dialect: Literal["sqlite", "postgresql"]

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        """Read a consistent snapshot. `touches` promises that an index bounds the number of rows read. If they are few,
        the embedded engine reads in the event loop, which saves the hop to a thread."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Open a writing transaction. The embedded engine has one writer at a time."""
        ...
