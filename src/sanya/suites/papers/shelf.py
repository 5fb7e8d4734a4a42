"""Papers on the shelf of the shared search: each record as its chunks, brought and taken away with the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.database import Database, Row, Transaction
from sanya.kernel.faults import InvariantBroken
from sanya.suites.papers.chunks import DEFAULT_NAMESPACE, chunk_uuid, chunks_of
from sanya.suites.papers.documents import documents_of
from sanya.suites.papers.record import Record, record_of

if TYPE_CHECKING:
    from sanya.retrieval.search import Library, LibraryDoor

NAMESPACE = "papers"
FILTERED = ("date_first", "date_last", "journal_names")
_AT_ONCE = 400
_NEXT_REVISION = (
    "INSERT INTO revisions (suite, revision) VALUES ('papers', 1) "
    "ON CONFLICT (suite) DO UPDATE SET revision = revisions.revision + 1"
)
_CURRENT = "SELECT content FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:some)"


@dataclass
class PaperShelf:
    """`namespace` is that of the chunks' UUIDs. What is put can be found by its words after the next refresh, and by
    its meaning after `embed_missing`: embedding takes long, and a transaction must not."""

    door: LibraryDoor
    database: Database
    namespace: UUID = DEFAULT_NAMESPACE
    _library: Library | None = field(default=None, repr=False)

    async def ready(self) -> Library:
        """The library, opened. Whoever puts calls this before its transaction: opening writes, and there is one writer
        at a time."""
        if self._library is None:
            library = await self.door()
            await library.declare(NAMESPACE, FILTERED)
            self._library = library
        return self._library

    async def put(self, transaction: Transaction, records: Sequence[Record], replaced: Sequence[str]) -> int:
        """Brings or replaces the records' chunks; returns the number of the change. The records stored before are
        still the current ones then: their chunks are taken away."""
        documents = [document for record in records for document in documents_of(record, self.namespace)]
        stale = set(await self._stored_chunks(transaction, replaced)) - {document.id for document in documents}
        if stale:
            await self._opened().remove(NAMESPACE, sorted(stale), transaction)
        return await self._opened().add(NAMESPACE, documents, transaction, embed=False)

    async def remove(self, transaction: Transaction, pmids: Sequence[str]) -> int:
        return await self._opened().remove(NAMESPACE, await self._stored_chunks(transaction, pmids), transaction)

    async def refresh(self) -> None:
        """Makes what was committed searchable."""
        await (await self.ready()).refresh()

    async def embed_missing(self, progress: ProgressSink = ignore_progress) -> int:
        """Embeds what was put since the last time; returns how many chunks. Answers change with it, so it counts as a
        change of the data. Broken off at any point, the next call goes on."""
        library = await self.ready()
        if not await library.missing(NAMESPACE):
            return 0
        try:
            return await library.embed_missing(NAMESPACE, progress=progress)
        finally:
            async with self.database.transaction() as transaction:
                await transaction.execute(_NEXT_REVISION)

    def uuid_of(self, pmid: str, chunk_id: str) -> str:
        return chunk_uuid(self.namespace, pmid, chunk_id)

    def _opened(self) -> Library:
        if self._library is None:
            raise InvariantBroken("the shelf was not made ready before the transaction")
        return self._library

    async def _stored_chunks(self, transaction: Transaction, pmids: Sequence[str]) -> list[str]:
        rows: list[Row] = []
        for start in range(0, len(pmids), _AT_ONCE):
            some = pmids[start : start + _AT_ONCE]
            rows += await transaction.fetch(_CURRENT.replace(":some", ", ".join("?" * len(some))), some)
        records = [record_of(str(row[0]), None) for row in rows]
        return [self.uuid_of(record.pmid, chunk.chunk_id) for record in records for chunk in chunks_of(record)]
