"""What an engine can do beyond the port: show one state of everything while others go on writing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from sanya.kernel.database import Database, Row, Value


class Reading(Protocol):
    """Whatever can be asked: a database, a transaction, a snapshot."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


class Engine(Database, Protocol):
    def snapshot(self) -> AbstractAsyncContextManager[Reading]:
        """Every fetch inside the block sees the same state. Nobody waits for it."""
        ...
