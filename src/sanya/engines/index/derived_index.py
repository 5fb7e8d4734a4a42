"""The base of an index whose files or server follow the store. It answers what the store alone can answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sanya.engines.index.refresher import Refresher
from sanya.engines.index.rows import FOREVER
from sanya.engines.index.store import IndexStore
from sanya.kernel.storage.database import Transaction
from sanya.retrieval.documents import Document
from sanya.retrieval.embedding_status import EmbeddingStatus
from sanya.retrieval.index import EmbeddedRow, IndexEntry, UnembeddedRow


class DerivedIndex(ABC):
    def __init__(self, store: IndexStore) -> None:
        self._store = store
        self._refresher = Refresher(self._catch_up)

    @abstractmethod
    async def _catch_up(self) -> int:
        """Follow the store and return the change that is reached."""

    @abstractmethod
    async def _rebuild(self, namespace: str) -> int:
        """Drop what was derived and derive it again."""

    async def upsert(
        self, namespace: str, entries: Sequence[IndexEntry], transaction: Transaction | None = None
    ) -> int:
        return await self._write(namespace, entries, (), transaction)

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, (), ids, transaction)

    async def _write(
        self, namespace: str, entries: Sequence[IndexEntry], removed: Sequence[str], transaction: Transaction | None
    ) -> int:
        if transaction is not None:
            return await self._store.write(transaction, namespace, entries, removed)
        async with self._store.database.transaction() as own:
            seq = await self._store.write(own, namespace, entries, removed)
        await self.refresh()
        return seq

    async def list_unembedded(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        return await self._store.pending.read_rows(namespace, limit)

    async def count_unembedded(self, namespace: str) -> int:
        return await self._store.pending.count(namespace)

    async def claim_unembedded(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        return await self._store.work.claim(namespace, limit)

    async def release_unembedded(self, namespace: str, rows: Sequence[UnembeddedRow]) -> None:
        await self._store.work.release(namespace, rows)

    async def read_embedding_status(self, namespace: str) -> EmbeddingStatus:
        return await self._store.work.read_status(namespace, await self.count_unembedded(namespace))

    async def give_vectors(self, namespace: str, rows: Sequence[EmbeddedRow]) -> int:
        async with self._store.database.transaction() as transaction:
            completed = await self._store.give_vectors(transaction, namespace, rows)
        await self.refresh()
        return len(completed)

    async def refresh(self) -> bool:
        """Make everything that is stored by now searchable. Return whether it is: another process may be at it."""
        await self._refresher.refresh_to(await self._store.read_last_seq())
        return self._refresher.is_complete

    async def await_searchable(
        self,
        namespace: str,  # noqa: ARG002
        as_of: int | None = None,  # noqa: ARG002
        *,
        whole: bool = False,  # noqa: ARG002
    ) -> int:
        """Return 0: a refresh leaves nothing out. An index that another process may derive overrides this."""
        return 0

    async def rebuild(self, namespace: str) -> None:
        await self._refresher.rebuild(lambda: self._rebuild(namespace))

    async def fetch_documents(
        self, namespace: str, ids: Sequence[str], as_of: int | None = None
    ) -> dict[str, Document]:
        return await self._store.read_documents(namespace, ids, FOREVER if as_of is None else as_of)
