"""A database on which an import can be tried: it reads as usual and keeps nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Literal

from sanya.kernel.storage.database import Database, Row, Transaction, Value


class _Rollback(Exception):
    """Raised to leave a transaction without its changes."""


class DryRunDatabase:
    """A database that rolls back every transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.dialect: Literal["sqlite", "postgresql"] = database.dialect

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        return await self._database.fetch(sql, params, touches=touches)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        try:
            async with self._database.transaction() as transaction:
                yield transaction
                raise _Rollback
        except _Rollback:
            return
