"""The port of an engine with snapshots: consistent reads of the whole database while others write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from sanya.kernel.storage.database import Database, Row, Value


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """The connections of an engine: open ones, how many there may be, and callers that wait for one."""

    open: int
    limit: int
    waiting: int


class SqlReader(Protocol):
    """A source of rows: a database, a transaction or a snapshot."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


class Engine(Database, Protocol):
    def snapshot(self) -> AbstractAsyncContextManager[SqlReader]:
        """Open a block in which every fetch sees the same state. It blocks nobody."""
        ...

    def read_pool(self) -> PoolFigures: ...
