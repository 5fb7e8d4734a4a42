"""The port of an engine with snapshots: consistent reads of the whole database while others write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from sanya.kernel.database import Database, Row, Value


class SqlReader(Protocol):
    """A source of rows: a database, a transaction or a snapshot."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


class Engine(Database, Protocol):
    def snapshot(self) -> AbstractAsyncContextManager[SqlReader]:
        """Open a block in which every fetch sees the same state. It blocks nobody."""
        ...
