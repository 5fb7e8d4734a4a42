"""What the suite keeps: every version of every record.

A version is valid from one change of the search index to the next that concerns it. Records and their chunks are
written in one transaction, so they are one truth, now and as of any earlier change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from sanya.kernel.database import Database, Row, Transaction, Value
from sanya.kernel.revisions import advance_revision, take_back_revision
from sanya.kernel.sql import expand_in_list
from sanya.suites.papers.pubmed.record import PaperRecord, read_record_json

_AT_ONCE = 500
_KNOWN = "SELECT pmid, version, content_hash, lr, to_seq FROM paper_versions WHERE pmid IN (:values)"
_CURRENT = "SELECT pmid FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:values)"
_SAMPLES = "SELECT pmid FROM paper_versions WHERE is_sample = 1 AND to_seq IS NULL"
_CLOSE = "UPDATE paper_versions SET to_seq = ? WHERE pmid = ? AND to_seq IS NULL"
_ADD = """
INSERT INTO paper_versions (pmid, version, from_seq, to_seq, content_hash, edat, lr, is_sample, content)
VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?)"""
_READ = "SELECT content, lr, version, from_seq, is_sample FROM paper_versions WHERE pmid = ?"


class UpsertResult(NamedTuple):
    """`skipped` are records that are stored already as they are, or in a later revision."""

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
    """A version of a record; `from_seq` is the change that brought it."""

    record: PaperRecord
    version: int
    from_seq: int
    is_sample: bool


class RecordIndex(Protocol):
    """Where the chunks of records are searched. Each call is one change, with a number of its own: every record gives
    at least one document."""

    async def prepare(self) -> object:
        """Called before the transaction in which something is put or removed: opening the search writes, and there is
        one writer at a time."""
        ...

    async def put(self, transaction: Transaction, records: Sequence[PaperRecord], replaced: Sequence[str]) -> int:
        """Brings or replaces the records' chunks; returns the number of the change. `replaced` are the PMIDs of those
        that have been stored before and are current."""
        ...

    async def remove(self, transaction: Transaction, pmids: Sequence[str]) -> int: ...

    async def refresh(self) -> None:
        """Makes what was committed searchable."""
        ...


class PaperStore:
    def __init__(self, database: Database, shelf: RecordIndex) -> None:
        self.database = database
        self.index = shelf

    async def upsert_pubmed_docs(
        self, docs: Sequence[PaperRecord], transaction: Transaction, *, is_sample: bool = False
    ) -> UpsertResult:
        """Stores what is new or changed. Inside the caller's transaction: searchable after its commit and a refresh of
        the shelf. The first real record sends the samples away."""
        await advance_revision(transaction, "papers")  # first of all: two writers take turns at this row
        records = _select_latest(docs)
        known = await self._read_stored_versions(transaction, list(records))
        changed = [one for one in records.values() if _is_new(one, known.get(one.pmid))]
        if not changed:
            await take_back_revision(transaction, "papers")
        else:
            if not is_sample:
                await self._remove(transaction, [str(row[0]) for row in await transaction.fetch(_SAMPLES)])
            await self._write(transaction, changed, known, is_sample=is_sample)
        updated = sum(one.pmid in known and known[one.pmid].is_current for one in changed)
        edats = [one.edat for one in records.values() if one.edat]
        return UpsertResult(len(changed) - updated, updated, len(records) - len(changed), max(edats, default=None))

    async def delete_pubmed_docs(self, pmids: Sequence[str], transaction: Transaction) -> int:
        """Ends the current versions; the past keeps them. Returns how many there were."""
        await advance_revision(transaction, "papers")
        current = [str(row[0]) for row in await _fetch_in_batches(transaction, _CURRENT, list(dict.fromkeys(pmids)))]
        if not current:
            await take_back_revision(transaction, "papers")
        await self._remove(transaction, current)
        return len(current)

    async def get_pubmed_doc(self, pmid: str, as_of_seq: int | None = None) -> Doc | None:
        """The record as it is now, or as it was after a change."""
        if as_of_seq is None:
            rows = await self.database.fetch(f"{_READ} AND to_seq IS NULL", (pmid,), touches=1)
        else:
            sql = f"{_READ} AND from_seq <= ? AND (to_seq IS NULL OR to_seq > ?)"
            rows = await self.database.fetch(sql, (pmid, as_of_seq, as_of_seq), touches=10)
        return _read_doc(rows[0]) if rows else None

    async def get_pubmed_docs(self, pmids: Sequence[str], as_of_seq: int | None = None) -> dict[str, Doc]:
        """Those of the records that are there, by PMID."""
        found = [(pmid, await self.get_pubmed_doc(pmid, as_of_seq)) for pmid in dict.fromkeys(pmids)]
        return {pmid: doc for pmid, doc in found if doc is not None}

    async def find_stored_pmids(self, pmids: Sequence[str]) -> set[str]:
        """Which of these are stored now; samples do not count."""
        sql = f"{_CURRENT} AND is_sample = 0"
        return {str(row[0]) for row in await _fetch_in_batches(self.database, sql, pmids)}

    async def find_newest_edat(self, pmids: Sequence[str]) -> str | None:
        """The latest day of entry among these."""
        sql = "SELECT max(edat) FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:values)"
        found = [str(row[0]) for row in await _fetch_in_batches(self.database, sql, pmids) if row[0] is not None]
        return max(found, default=None)

    async def count(self, *, is_sample: bool = False) -> int:
        sql = "SELECT count(*) FROM paper_versions WHERE to_seq IS NULL AND is_sample = ?"
        rows = await self.database.fetch(sql, (int(is_sample),))
        return _require_int(rows[0][0])

    async def _read_stored_versions(self, transaction: Transaction, pmids: Sequence[str]) -> dict[str, _StoredVersion]:
        """The last version of each, current or not."""
        found: dict[str, _StoredVersion] = {}
        for pmid, version, digest, lr, to_seq in await _fetch_in_batches(transaction, _KNOWN, pmids):
            one = _StoredVersion(_require_int(version), str(digest), None if lr is None else str(lr), to_seq is None)
            if str(pmid) not in found or found[str(pmid)].version < one.version:
                found[str(pmid)] = one
        return found

    async def _write(
        self,
        transaction: Transaction,
        records: Sequence[PaperRecord],
        known: dict[str, _StoredVersion],
        *,
        is_sample: bool,
    ) -> None:
        replaced = [one.pmid for one in records if one.pmid in known and known[one.pmid].is_current]
        seq = await self.index.put(transaction, records, replaced)
        if replaced:
            await transaction.execute_many(_CLOSE, [(seq, pmid) for pmid in replaced])
        await transaction.execute_many(
            _ADD, [_to_row(one, known.get(one.pmid), seq, is_sample=is_sample) for one in records]
        )

    async def _remove(self, transaction: Transaction, pmids: Sequence[str]) -> None:
        if pmids:
            seq = await self.index.remove(transaction, pmids)
            await transaction.execute_many(_CLOSE, [(seq, pmid) for pmid in pmids])


class _StoredVersion(NamedTuple):
    version: int
    content_hash: str
    lr: str | None
    is_current: bool


def _select_latest(docs: Iterable[PaperRecord]) -> dict[str, PaperRecord]:
    """One record for each PMID: the one revised last, of equals the later one."""
    found: dict[str, PaperRecord] = {}
    for one in docs:
        if one.pmid not in found or (one.lr or "") >= (found[one.pmid].lr or ""):
            found[one.pmid] = one
    return found


def _is_new(record: PaperRecord, known: _StoredVersion | None) -> bool:
    """A later revision, or another content of the same one. An older revision than the stored one is none: files may
    be read in any order. A deleted record that its source has again is news."""
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


async def _fetch_in_batches(reading: Database | Transaction, sql: str, values: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for some in _split_batches(values):
        rows += await reading.fetch(expand_in_list(sql, some), some)
    return rows


def _split_batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]


def _require_int(value: Value) -> int:
    assert isinstance(value, int)
    return value
