"""The store of the suite: memories, sources and graph of each namespace in the database.

Every query names its namespace and returns nothing of another. Every change goes through `write_transaction`: one
transaction, one revision, and the search index updated in the same transaction.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from sanya.suite.store import Database, Transaction, read_revision
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.writer import MemoryWriter, begin_writing


class MemoryIndexPort(Protocol):
    """The search index, as far as the store updates it."""

    async def prepare(self) -> None:
        """Open whatever `update` needs. Opening may write, which is not possible inside another transaction."""
        ...

    async def update(self, transaction: Transaction, memories: Sequence[Memory]) -> None:
        """Add, replace or (if retired) remove memories in the transaction that changes them."""
        ...


class MemoryStore:
    def __init__(self, database: Database, index: MemoryIndexPort | None = None) -> None:
        self.database = database
        self._index = index

    @asynccontextmanager
    async def write_transaction(self, arrivals: int = 0) -> AsyncIterator[MemoryWriter]:
        """Open a transaction. `arrivals` reserves numbers for new memories (`MemoryWriter.take_arrival`)."""
        if self._index is not None:
            await self._index.prepare()
        async with self.database.transaction() as transaction:
            writer = await begin_writing(transaction, arrivals)
            yield writer
            if self._index is not None and writer.to_reindex:
                await self._index.update(transaction, list(writer.to_reindex.values()))

    def make_reader(self, writer: MemoryWriter) -> MemoryReader:
        """Return a reader inside the transaction of the writer, which sees what the writer has written."""
        return MemoryReader(writer.transaction)

    @property
    def reader(self) -> MemoryReader:
        return MemoryReader(self.database, self.database)

    async def read_revision(self) -> int:
        """Return a number that rises with every change of the suite's data."""
        return await read_revision(self.database, "memory")
