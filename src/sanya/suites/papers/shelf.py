"""Papers on the shelf of the shared search: each record as its chunks, brought and taken away with the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.database import Database, Row, Transaction
from sanya.kernel.faults import InvariantBroken
from sanya.retrieval.documents import Document, FieldValue, Text
from sanya.suites.papers.chunks import DEFAULT_NAMESPACE, Chunk, chunk_uuid, chunks_of
from sanya.suites.papers.names import folded_name
from sanya.suites.papers.quality import design_and_human, journal_rank, recency
from sanya.suites.papers.record import Record, record_of
from sanya.suites.papers.sample_ids import is_sample_id
from sanya.text.dates import PartialDate

if TYPE_CHECKING:
    from sanya.retrieval.search import Library, LibraryDoor

NAMESPACE = "papers"
TITLE_WEIGHT = 2
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
            await library.declare(NAMESPACE)
            self._library = library
        return self._library

    async def put(self, transaction: Transaction, records: Sequence[Record]) -> int:
        """Brings or replaces the records' chunks; returns the number of the change. The records stored before are
        still the current ones then: their chunks are taken away."""
        documents = [document for record in records for document in documents_of(record, self.namespace)]
        brought = {document.id for document in documents}
        stored = await self._stored_chunks(transaction, [record.pmid for record in records])
        stale = [one for one in stored if one not in brought]
        if stale:
            await self._opened().remove(NAMESPACE, stale, transaction)
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


def documents_of(record: Record, namespace: UUID) -> list[Document]:
    chunks = chunks_of(record)
    shared = _shared_fields(record)
    if len(chunks) > 1:
        shared["chunks"] = " ".join(chunk.chunk_id for chunk in chunks)
    title = Text(title_of(record), TITLE_WEIGHT)
    return [
        Document(chunk_uuid(namespace, record.pmid, chunk.chunk_id), (title, Text(chunk.text)), _own(chunk) | shared)
        for chunk in chunks
    ]


def _own(chunk: Chunk) -> dict[str, FieldValue]:
    own: dict[str, FieldValue] = {"chunk_id": chunk.chunk_id, "section": chunk.section}
    if chunk.start:
        own["start"] = chunk.start
    return own


def title_of(record: Record) -> str:
    """What the paper is called; something to be found by even where it has no title."""
    return record.title or record.vernacular_title or f"PMID {record.pmid}"


def published(record: Record) -> PartialDate | None:
    """`pdat` is ISO 8601, as exact as it was given."""
    return _partial_date(record.pdat) if record.pdat else None


@lru_cache(maxsize=16_384)
def _partial_date(text: str) -> PartialDate:
    return PartialDate(*map(int, text.split("-")))


def source_url(pmid: str) -> str | None:
    """Where PubMed has it; nowhere, if it is a sample."""
    return None if is_sample_id(pmid) else f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"


def _shared_fields(record: Record) -> dict[str, FieldValue]:
    """What is filtered and ranked by, and what an engine outside is promised to hold. The parts of the quality stand
    apart, because its total moves with the corpus's date; `quality_total` is that of the day the record came in."""
    design, human = design_and_human(record)
    issue = _issue(record.journal, record.journal_abbreviation, record.pdat, record.edat)
    found: dict[str, FieldValue] = {
        "pmid": record.pmid,
        "pub_types": record.pub_types,
        "design": design,
        "journal_rank": issue.rank,
        "human": human,
        "quality_total": design + issue.rank + human + issue.recency,
        "retracted": record.retracted,
        **issue.fields,
    }
    if record.lr:
        found["lr"] = record.lr
    if url := source_url(record.pmid):
        found["source_url"] = url
    return found


class _Issue(NamedTuple):
    """What the papers of an issue have in common."""

    rank: int
    recency: int
    fields: dict[str, FieldValue]


# The papers of an issue stand side by side in a file.
@lru_cache(maxsize=16_384)
def _issue(journal: str | None, abbreviation: str | None, pdat: str | None, edat: str | None) -> _Issue:
    day = _partial_date(pdat) if pdat else None
    fields: dict[str, FieldValue] = {}
    if journal:
        names = dict.fromkeys(map(folded_name, (journal, abbreviation or journal)))
        fields |= {"journal": journal, "journal_names": tuple(names)}
    if day is not None:
        fields |= _day_fields(day)
    if edat:
        fields["edat"] = edat
    return _Issue(journal_rank(journal, abbreviation), _recency_when_entered(day, edat), fields)


@lru_cache(maxsize=16_384)
def _recency_when_entered(day: PartialDate | None, edat: str | None) -> int:
    entered = date.fromisoformat(edat[:10]) if edat else None
    return recency(day.last_day if day else None, entered)


# A file has many records and few days.
@lru_cache(maxsize=16_384)
def _day_fields(day: PartialDate) -> dict[str, FieldValue]:
    return {"year": day.year, "date_first": number_of(day.first_day), "date_last": number_of(day.last_day)}


def number_of(day: date) -> int:
    """20240131, so that dates are compared as numbers."""
    return day.year * 10_000 + day.month * 100 + day.day
