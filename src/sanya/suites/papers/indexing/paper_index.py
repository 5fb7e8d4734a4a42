"""Papers on the shelf of the shared search: each record as its chunks, brought and taken away with the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.database import Database, Row, Transaction
from sanya.kernel.faults import InvariantBroken
from sanya.kernel.revisions import advance_revision
from sanya.kernel.sql import expand_in_list
from sanya.suites.papers.indexing.chunks import DEFAULT_NAMESPACE, make_chunk_uuid, split_record
from sanya.suites.papers.indexing.documents import build_documents
from sanya.suites.papers.pubmed.record import PaperRecord, read_record_json

if TYPE_CHECKING:
    from sanya.retrieval.search import Library, LibraryDoor

NAMESPACE = "papers"
FILTER_FIELDS = ("date_first", "date_last", "journal_names")
_AT_ONCE = 400
_CURRENT = "SELECT content FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:values)"


@dataclass
class PaperIndex:
    """`namespace` is that of the chunks' UUIDs. What is put can be found by its words after the next refresh, and by
    its meaning after `embed_missing`: embedding takes long, and a transaction must not."""

    open_library: LibraryDoor
    database: Database
    namespace: UUID = DEFAULT_NAMESPACE
    _library: Library | None = field(default=None, repr=False)

    async def prepare(self) -> Library:
        """The library, opened. Whoever puts calls this before its transaction: opening writes, and there is one writer
        at a time."""
        if self._library is None:
            library = await self.open_library()
            await library.declare(NAMESPACE, FILTER_FIELDS)
            self._library = library
        return self._library

    async def put(self, transaction: Transaction, records: Sequence[PaperRecord], replaced: Sequence[str]) -> int:
        """Brings or replaces the records' chunks; returns the number of the change. The records stored before are
        still the current ones then: their chunks are taken away."""
        documents = [document for record in records for document in build_documents(record, self.namespace)]
        stale = set(await self._list_stored_chunks(transaction, replaced)) - {document.id for document in documents}
        if stale:
            await self._require_library().remove(NAMESPACE, sorted(stale), transaction)
        return await self._require_library().add(NAMESPACE, documents, transaction, embed=False)

    async def remove(self, transaction: Transaction, pmids: Sequence[str]) -> int:
        return await self._require_library().remove(
            NAMESPACE, await self._list_stored_chunks(transaction, pmids), transaction
        )

    async def refresh(self) -> None:
        """Makes what was committed searchable."""
        await (await self.prepare()).refresh()

    async def embed_missing(self, progress: ProgressSink = ignore_progress) -> int:
        """Embeds what was put since the last time; returns how many chunks. Answers change with it, so it counts as a
        change of the data. Broken off at any point, the next call goes on."""
        library = await self.prepare()
        if not await library.missing(NAMESPACE):
            return 0
        try:
            return await library.embed_missing(NAMESPACE, progress=progress)
        finally:
            async with self.database.transaction() as transaction:
                await advance_revision(transaction, "papers")

    def make_uuid(self, pmid: str, chunk_id: str) -> str:
        return make_chunk_uuid(self.namespace, pmid, chunk_id)

    def _require_library(self) -> Library:
        if self._library is None:
            raise InvariantBroken("the shelf was not made ready before the transaction")
        return self._library

    async def _list_stored_chunks(self, transaction: Transaction, pmids: Sequence[str]) -> list[str]:
        rows: list[Row] = []
        for start in range(0, len(pmids), _AT_ONCE):
            some = pmids[start : start + _AT_ONCE]
            rows += await transaction.fetch(expand_in_list(_CURRENT, some), some)
        records = [read_record_json(str(row[0]), None) for row in rows]
        return [self.make_uuid(record.pmid, chunk.chunk_id) for record in records for chunk in split_record(record)]
