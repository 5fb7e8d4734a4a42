"""Papers in the shared search index: the chunks of each record, added and removed together with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from sanya.suite import InvariantBroken, ProgressSink, ignore_progress
from sanya.suite.store import Database, Row, Transaction, advance_revision, expand_in_list
from sanya.suites.papers.indexing.chunks import DEFAULT_NAMESPACE, make_chunk_uuid, split_record
from sanya.suites.papers.indexing.documents import build_documents
from sanya.suites.papers.pubmed.record import PaperRecord, read_record_json

if TYPE_CHECKING:
    from sanya.suite.search import Document, EmbeddingStatus, Library, LibraryOpener

NAMESPACE = "papers"
FILTER_FIELDS = ("date_first", "date_last", "journal_names")
_BATCH_VALUES = 400
_CURRENT = "SELECT content FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:values)"


@dataclass
class PaperIndex:
    """The papers' part of the library; `namespace` is the UUID namespace of the chunks.

    A stored record is found by its words after the next refresh, and by its meaning after `embed_missing`. Embedding is
    slow, so it stays outside the transaction.
    """

    open_library: LibraryOpener
    database: Database
    namespace: UUID = DEFAULT_NAMESPACE
    _library: Library | None = field(default=None, repr=False)

    async def prepare(self) -> Library:
        """Open the library. Call it before the transaction of a `put` or `remove`: opening writes, and there is one
        writer at a time."""
        if self._library is None:
            library = await self.open_library()
            await library.declare(NAMESPACE, FILTER_FIELDS)
            self._library = library
        return self._library

    async def put(self, transaction: Transaction, records: Sequence[PaperRecord], replaced: Sequence[str]) -> int:
        """Add or replace the records' chunks and return the sequence number.

        Call it while the replaced records are still the current versions: their chunks are looked up there.
        """
        papers = sorted((build_documents(record, self.namespace) for record in records), key=_rate_urgency)
        documents = [document for paper in papers for document in paper]
        stale = set(await self._list_stored_chunks(transaction, replaced)) - {document.id for document in documents}
        if stale:
            await self._require_library().remove(NAMESPACE, sorted(stale), transaction)
        return await self._require_library().add(NAMESPACE, documents, transaction, embed=False)

    async def remove(self, transaction: Transaction, pmids: Sequence[str]) -> int:
        return await self._require_library().remove(
            NAMESPACE, await self._list_stored_chunks(transaction, pmids), transaction
        )

    async def refresh(self) -> None:
        """Make committed records searchable."""
        await (await self.prepare()).refresh()

    async def embed_missing(self, progress: ProgressSink = ignore_progress) -> int:
        """Embed the chunks that have no vector yet, and return how many.

        New vectors change answers, so the data revision advances. After an interruption the next call continues.
        """
        library = await self.prepare()
        if not await library.count_unembedded(NAMESPACE):
            return 0
        try:
            return await library.embed_missing(NAMESPACE, progress=progress)
        finally:
            async with self.database.transaction() as transaction:
                await advance_revision(transaction, "papers")

    async def count_unembedded(self) -> int:
        """Return the number of chunks that have no vector yet."""
        return await (await self.prepare()).count_unembedded(NAMESPACE)

    async def read_embedding_status(self) -> EmbeddingStatus:
        return await (await self.prepare()).read_embedding_status(NAMESPACE)

    async def read_records(self, pmids: Sequence[str]) -> dict[str, PaperRecord]:
        """Return the current records by PMID."""
        rows: list[Row] = []
        for start in range(0, len(pmids), _BATCH_VALUES):
            batch = pmids[start : start + _BATCH_VALUES]
            rows += await self.database.fetch(expand_in_list(_CURRENT, batch), batch)
        records = [read_record_json(str(row[0]), None) for row in rows]
        return {record.pmid: record for record in records}

    def make_uuid(self, pmid: str, chunk_id: str) -> str:
        return make_chunk_uuid(self.namespace, pmid, chunk_id)

    def _require_library(self) -> Library:
        if self._library is None:
            raise InvariantBroken("the paper index was not prepared before the transaction")
        return self._library

    async def _list_stored_chunks(self, transaction: Transaction, pmids: Sequence[str]) -> list[str]:
        rows: list[Row] = []
        for start in range(0, len(pmids), _BATCH_VALUES):
            batch = pmids[start : start + _BATCH_VALUES]
            rows += await transaction.fetch(expand_in_list(_CURRENT, batch), batch)
        records = [read_record_json(str(row[0]), None) for row in rows]
        return [self.make_uuid(record.pmid, chunk.chunk_id) for record in records for chunk in split_record(record)]


def _rate_urgency(documents: Sequence[Document]) -> tuple[int, int]:
    """Order papers so that the newest and best of a batch are added last: the last added are embedded first."""
    fields = documents[0].fields
    quality = sum(_read_number(fields.get(name)) for name in ("design", "journal_rank", "human"))
    return _read_number(fields.get("year")), quality


def _read_number(value: object) -> int:
    return value if isinstance(value, int) else 0
