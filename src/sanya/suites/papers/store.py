"""Stores every version of every record.

A version is valid from the sequence number of the search index that brought it (`from_seq`) up to the one that replaced
or deleted it (`to_seq`). Records and their chunks are written in one transaction, so they agree now and as of any
earlier sequence number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from sanya.suite.citations import NoticeSource, StoredPaper, record_notices
from sanya.suite.runtime import format_timestamp, read_clock
from sanya.suite.store import Database, Row, Transaction, Value, advance_revision, expand_in_list, take_back_revision
from sanya.suites.papers.pubmed.notices import read_notices
from sanya.suites.papers.pubmed.record import PaperRecord, read_record_json

_BATCH_VALUES = 500
_KNOWN = "SELECT pmid, version, content_hash, lr, to_seq FROM paper_versions WHERE pmid IN (:values)"
_CURRENT = "SELECT pmid FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:values)"
_SAMPLES = "SELECT pmid FROM paper_versions WHERE is_sample = 1 AND to_seq IS NULL"
_CLOSE = "UPDATE paper_versions SET to_seq = ? WHERE pmid = ? AND to_seq IS NULL"
_ADD = """
INSERT INTO paper_versions (pmid, version, from_seq, to_seq, content_hash, edat, lr, is_sample, content)
VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?)"""
_READ_ALL = "SELECT content, lr, version, from_seq, is_sample FROM paper_versions"
_READ = f"{_READ_ALL} WHERE pmid = ?"
# As migration 0021 indexes them.
_IDENTIFIED = {
    "sqlite": {"doi": "lower(content ->> 'doi') = ?", "pmcid": "content ->> 'pmcid' = ?"},
    "postgresql": {"doi": "lower((content::jsonb) ->> 'doi') = ?", "pmcid": "((content::jsonb) ->> 'pmcid') = ?"},
}


class UpsertResult(NamedTuple):
    """Counts of an upsert; `skipped` records are stored already, unchanged or in a later revision."""

    inserted: int = 0
    updated: int = 0
    skipped: int = 0
    max_edat_seen: str | None = None

    @property
    def processed(self) -> int:
        return self.inserted + self.updated + self.skipped

    def add(self, other: UpsertResult) -> UpsertResult:
        return UpsertResult(
            self.inserted + other.inserted,
            self.updated + other.updated,
            self.skipped + other.skipped,
            max(filter(None, (self.max_edat_seen, other.max_edat_seen)), default=None),
        )


@dataclass(frozen=True, slots=True)
class Doc:
    """A version of a record; `from_seq` is the sequence number that brought it."""

    record: PaperRecord
    version: int
    from_seq: int
    is_sample: bool


class RecordIndex(Protocol):
    """The search index of the records' chunks.

    Each call of `put` or `remove` gets a sequence number of its own, because every record has at least one chunk.
    """

    async def prepare(self) -> object:
        """Open the index. Call it before the transaction that puts or removes: opening writes, and there is one writer
        at a time."""
        ...

    async def put(self, transaction: Transaction, records: Sequence[PaperRecord], replaced: Sequence[str]) -> int:
        """Add or replace the records' chunks and return the sequence number. `replaced` are the PMIDs among them that
        are stored and current."""
        ...

    async def remove(self, transaction: Transaction, pmids: Sequence[str]) -> int: ...

    async def refresh(self) -> None:
        """Make committed records searchable."""
        ...


async def read_stored_paper(database: Database, pmid: str) -> StoredPaper | None:
    """Return the current record for suites that cite the paper; a sample is no paper."""
    rows = await database.fetch(f"{_READ} AND to_seq IS NULL AND is_sample = 0", (pmid,), touches=1)
    if not rows:
        return None
    record = _read_doc(rows[0]).record
    names = (author.collective or f"{author.last or ''} {author.initials or ''}".strip() for author in record.authors)
    return StoredPaper(
        record.pmid,
        record.title or record.vernacular_title,
        record.abstract,
        tuple(filter(None, names)),
        record.journal,
        record.year,
        record.doi,
        record.pmcid,
    )


class PaperStore:
    def __init__(self, database: Database, index: RecordIndex) -> None:
        self.database = database
        self.index = index

    async def upsert_pubmed_docs(
        self, docs: Sequence[PaperRecord], transaction: Transaction, *, is_sample: bool = False
    ) -> UpsertResult:
        """Store new and changed records inside the caller's transaction; the first real record removes the samples.

        The records are searchable after the commit and a refresh of the index.
        """
        await advance_revision(transaction, "papers")  # first: the row makes writers take turns
        records = _select_latest(docs)
        known = await self._read_stored_versions(transaction, list(records))
        changed = [record for record in records.values() if _is_new(record, known.get(record.pmid))]
        if not changed:
            await take_back_revision(transaction, "papers")
        else:
            if not is_sample:
                await self._remove(transaction, [str(row[0]) for row in await transaction.fetch(_SAMPLES)])
            await self._write(transaction, changed, known, is_sample=is_sample)
            if not is_sample:
                await self._record_notices(transaction, changed, known)
        updated = sum(record.pmid in known and known[record.pmid].is_current for record in changed)
        edats = [record.edat for record in records.values() if record.edat]
        return UpsertResult(len(changed) - updated, updated, len(records) - len(changed), max(edats, default=None))

    async def delete_pubmed_docs(self, pmids: Sequence[str], transaction: Transaction) -> int:
        """End the current versions and return how many there were; earlier states keep them."""
        await advance_revision(transaction, "papers")
        current = [str(row[0]) for row in await _fetch_in_batches(transaction, _CURRENT, list(dict.fromkeys(pmids)))]
        if not current:
            await take_back_revision(transaction, "papers")
        await self._remove(transaction, current)
        withdrawn = [NoticeSource(pmid, None, ()) for pmid in current]
        await record_notices(transaction, withdrawn, format_timestamp(read_clock()))
        return len(current)

    async def get_pubmed_doc(self, pmid: str, as_of_seq: int | None = None) -> Doc | None:
        """Return the record as it is now, or as it was at a sequence number."""
        condition, values = _select_version(as_of_seq)
        rows = await self.database.fetch(f"{_READ} AND {condition}", (pmid, *values), touches=10 if values else 1)
        return _read_doc(rows[0]) if rows else None

    async def get_pubmed_docs(self, pmids: Sequence[str], as_of_seq: int | None = None) -> dict[str, Doc]:
        """Return the records that exist, by PMID."""
        docs = [(pmid, await self.get_pubmed_doc(pmid, as_of_seq)) for pmid in dict.fromkeys(pmids)]
        return {pmid: doc for pmid, doc in docs if doc is not None}

    async def find_identified_docs(
        self, kind: Literal["doi", "pmcid"], value: str, as_of_seq: int | None = None
    ) -> list[Doc]:
        """Return the records with this DOI (in lower case) or PubMed Central id, ordered by PMID.

        There may be several: PubMed lists a correction under the DOI of its article now and then.
        """
        condition, values = _select_version(as_of_seq)
        sql = (
            f"{_READ_ALL} WHERE {_IDENTIFIED[self.database.dialect][kind]} AND {condition} ORDER BY length(pmid), pmid"
        )
        return [_read_doc(row) for row in await self.database.fetch(sql, (value, *values), touches=10)]

    async def find_stored_pmids(self, pmids: Sequence[str]) -> set[str]:
        """Return those of the PMIDs that are stored now; samples do not count."""
        sql = f"{_CURRENT} AND is_sample = 0"
        return {str(row[0]) for row in await _fetch_in_batches(self.database, sql, pmids)}

    async def find_newest_edat(self, pmids: Sequence[str]) -> str | None:
        """Return the latest day of entry among these papers."""
        sql = "SELECT max(edat) FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:values)"
        edats = [str(row[0]) for row in await _fetch_in_batches(self.database, sql, pmids) if row[0] is not None]
        return max(edats, default=None)

    async def count(self, *, is_sample: bool = False) -> int:
        sql = "SELECT count(*) FROM paper_versions WHERE to_seq IS NULL AND is_sample = ?"
        rows = await self.database.fetch(sql, (int(is_sample),))
        return _require_int(rows[0][0])

    async def _read_stored_versions(self, transaction: Transaction, pmids: Sequence[str]) -> dict[str, _StoredVersion]:
        """Return the last version of each, current or not."""
        latest: dict[str, _StoredVersion] = {}
        for pmid, version, digest, lr, to_seq in await _fetch_in_batches(transaction, _KNOWN, pmids):
            stored = _StoredVersion(_require_int(version), str(digest), None if lr is None else str(lr), to_seq is None)
            if str(pmid) not in latest or latest[str(pmid)].version < stored.version:
                latest[str(pmid)] = stored
        return latest

    async def _write(
        self,
        transaction: Transaction,
        records: Sequence[PaperRecord],
        known: dict[str, _StoredVersion],
        *,
        is_sample: bool,
    ) -> None:
        replaced = [record.pmid for record in records if record.pmid in known and known[record.pmid].is_current]
        seq = await self.index.put(transaction, records, replaced)
        if replaced:
            await transaction.execute_many(_CLOSE, [(seq, pmid) for pmid in replaced])
        await transaction.execute_many(
            _ADD, [_to_row(record, known.get(record.pmid), seq, is_sample=is_sample) for record in records]
        )

    async def _record_notices(
        self, transaction: Transaction, records: Sequence[PaperRecord], known: dict[str, _StoredVersion]
    ) -> None:
        """Tell the suites that cite papers of retractions and corrections, and of those that were taken back."""
        sources = [source for source in map(read_notices, records) if source.notices or source.pmid in known]
        await record_notices(transaction, sources, format_timestamp(read_clock()))

    async def _remove(self, transaction: Transaction, pmids: Sequence[str]) -> None:
        if pmids:
            seq = await self.index.remove(transaction, pmids)
            await transaction.execute_many(_CLOSE, [(seq, pmid) for pmid in pmids])


def _select_version(as_of_seq: int | None) -> tuple[str, tuple[int, ...]]:
    """Return the condition for the version that is current, or was at a sequence number, with its values."""
    if as_of_seq is None:
        return "to_seq IS NULL", ()
    return "from_seq <= ? AND (to_seq IS NULL OR to_seq > ?)", (as_of_seq, as_of_seq)


class _StoredVersion(NamedTuple):
    version: int
    content_hash: str
    lr: str | None
    is_current: bool


def _select_latest(docs: Iterable[PaperRecord]) -> dict[str, PaperRecord]:
    """Return one record for each PMID: the one revised last, and of equals the later one."""
    latest: dict[str, PaperRecord] = {}
    for record in docs:
        if record.pmid not in latest or (record.lr or "") >= (latest[record.pmid].lr or ""):
            latest[record.pmid] = record
    return latest


def _is_new(record: PaperRecord, known: _StoredVersion | None) -> bool:
    """Return whether to store the record: a later revision, or other content of the same revision.

    An older revision than the stored one is skipped, because files may be imported in any order. A deleted record that
    PubMed lists again is stored again.
    """
    if known is None:
        return True
    if record.lr and known.lr and record.lr != known.lr:
        return record.lr > known.lr
    return record.content_hash != known.content_hash or not known.is_current


def _to_row(record: PaperRecord, known: _StoredVersion | None, seq: int, *, is_sample: bool) -> tuple[Value, ...]:
    version = 1 if known is None else known.version + 1
    content = record.content_json.decode("utf-8")
    return record.pmid, version, seq, record.content_hash, record.edat, record.lr, int(is_sample), content


def _read_doc(row: Row) -> Doc:
    content, lr, version, from_seq, is_sample = row
    record = read_record_json(str(content), None if lr is None else str(lr))
    return Doc(record, _require_int(version), _require_int(from_seq), bool(is_sample))


async def _fetch_in_batches(connection: Database | Transaction, sql: str, values: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for batch in _split_batches(values):
        rows += await connection.fetch(expand_in_list(sql, batch), batch)
    return rows


def _split_batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _BATCH_VALUES):
        yield values[start : start + _BATCH_VALUES]


def _require_int(value: Value) -> int:
    assert isinstance(value, int)
    return value
