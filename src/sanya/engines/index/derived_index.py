"""An index whose files or server follow the store: what is asked of the store alone is the same in each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sanya.engines.index.refresher import CatchingUp
from sanya.engines.index.rows import FOREVER
from sanya.engines.index.store import IndexStore
from sanya.kernel.database import Transaction
from sanya.retrieval.documents import Document
from sanya.retrieval.index import Embedded, Entry, Unembedded


class FollowingIndex(ABC):
    def __init__(self, store: IndexStore) -> None:
        self._store = store
        self._catching_up = CatchingUp(self._catch_up)

    @abstractmethod
    async def _catch_up(self) -> int:
        """Follows the store, and returns the change that is reached."""

    @abstractmethod
    async def _rebuild(self, namespace: str) -> int:
        """Lets go of what was derived, and catches up."""

    async def upsert(self, namespace: str, entries: Sequence[Entry], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, entries, (), transaction)

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, (), ids, transaction)

    async def _write(
        self, namespace: str, entries: Sequence[Entry], removed: Sequence[str], transaction: Transaction | None
    ) -> int:
        if transaction is not None:
            return await self._store.write(transaction, namespace, entries, removed)
        async with self._store.database.transaction() as own:
            seq = await self._store.write(own, namespace, entries, removed)
        await self.refresh()
        return seq

    async def unembedded(self, namespace: str, limit: int) -> list[Unembedded]:
        return await self._store.late.unembedded(namespace, limit)

    async def missing(self, namespace: str) -> int:
        return await self._store.late.missing(namespace)

    async def give_vectors(self, namespace: str, rows: Sequence[Embedded]) -> int:
        async with self._store.database.transaction() as transaction:
            given = await self._store.give_vectors(transaction, namespace, rows)
        await self.refresh()
        return len(given)

    async def refresh(self) -> None:
        """Shows what is stored by now."""
        await self._catching_up.reach(await self._store.last_seq())

    async def rebuild(self, namespace: str) -> None:
        await self._catching_up.begin_anew(lambda: self._rebuild(namespace))

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]:
        return await self._store.documents(namespace, ids, FOREVER if as_of is None else as_of)
