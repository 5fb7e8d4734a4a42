"""Syncs a query with PubMed, from where its last sync ended.

Each batch is one transaction. The watermark of a query advances only when every paper that entered PubMed up to it is
stored. So the next sync completes one that broke off anywhere, and skips what is stored already.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sanya.suite import Progress, ProgressSink, ignore_progress
from sanya.suite.runtime import format_timestamp
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.store import PaperStore, UpsertResult
from sanya.suites.papers.sync.date_windows import FIRST_DAY, DateWindow, format_entrez_day, iterate_windows
from sanya.suites.papers.sync.entrez import Entrez, PmidListing
from sanya.suites.papers.sync.watermarks import CheckpointResult, Watermarks

BATCH = 200
OVERLAP_DAYS = 5
# PubMed's days are those of Bethesda, which may be a day behind ours or ahead.
_TOMORROW = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SyncQuery:
    """A query; `key` names its watermark, and `overlap_days` before that are searched again for late records."""

    key: str
    term: str
    now: datetime
    overlap_days: int = OVERLAP_DAYS


@dataclass(frozen=True, slots=True)
class PubMedSyncResult:
    """`found` counts all papers of the span that was searched, `checked` those that this run looked at."""

    found: int
    checked: int
    stored: UpsertResult
    withdrawn: int = 0
    is_complete: bool = True
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PmidFetchResult:
    """The result of fetching papers by PMID; `missing` are those that PubMed does not have."""

    stored: UpsertResult
    missing: tuple[str, ...]


class PubMedSync:
    def __init__(self, store: PaperStore, watermarks: Watermarks, entrez: Entrez) -> None:
        self._store = store
        self._watermarks = watermarks
        self._entrez = entrez

    async def sync_all(self, query: SyncQuery, progress: ProgressSink = ignore_progress) -> PubMedSyncResult:
        """Sync everything since the watermark, and later versions of the records in the overlap."""
        span = await self._find_span(query)
        await self._store.index.prepare()
        stored, listed, withdrawn = UpsertResult(), 0, 0
        try:
            async for window in self._iterate_windows(query, span):
                pmids = sort_pmids(window.pmids)
                for start in range(0, len(pmids), BATCH):
                    some = pmids[start : start + BATCH]
                    records = await self._entrez.efetch(some)
                    stored = stored.add(await self._store_batch(records))
                    listed, withdrawn = listed + len(some), withdrawn + len(some) - len(records)
                    progress(Progress(listed, max(span.listing.count, listed), f"{stored.inserted:,} new papers"))
                await self._advance_watermark(query, window)
        finally:
            await self._store.index.refresh()
        return PubMedSyncResult(span.listing.count, listed, stored, withdrawn, warnings=span.warnings)

    async def sync_new(
        self, query: SyncQuery, limit: int, progress: ProgressSink = ignore_progress
    ) -> PubMedSyncResult:
        """Store up to `limit` papers that are not stored yet, the oldest first, all in one transaction."""
        span = await self._find_span(query)
        await self._store.index.prepare()
        fetched = _LimitedFetch(self._entrez, limit, progress)
        reached: list[DateWindow] = []
        async for window in self._iterate_windows(query, span):
            known = await self._store.find_stored_pmids(window.pmids)
            if not await fetched.fetch([pmid for pmid in sort_pmids(window.pmids) if pmid not in known]):
                break
            reached.append(window)
        stored = await self._store_batch(fetched.records)
        for window in reached:
            await self._advance_watermark(query, window)
        await self._store.index.refresh()
        return PubMedSyncResult(
            span.listing.count,
            fetched.requested,
            stored,
            fetched.withdrawn,
            fetched.is_complete,
            warnings=span.warnings,
        )

    async def fetch(self, pmids: Sequence[str], progress: ProgressSink = ignore_progress) -> PmidFetchResult:
        """Store these papers, with later versions of those that are stored. Each batch is one transaction."""
        await self._store.index.prepare()
        wanted, stored, found = sort_pmids(pmids), UpsertResult(), set[str]()
        try:
            for start in range(0, len(wanted), BATCH):
                records = await self._entrez.efetch(wanted[start : start + BATCH])
                stored = stored.add(await self._store_batch(records))
                found.update(record.pmid for record in records)
                progress(Progress(min(start + BATCH, len(wanted)), len(wanted), f"{stored.inserted:,} new papers"))
        finally:
            await self._store.index.refresh()
        return PmidFetchResult(stored, tuple(pmid for pmid in wanted if pmid not in found))

    async def _find_span(self, query: SyncQuery) -> _Span:
        """Return the span from the watermark, less the overlap, to today; without a watermark it begins in 1800."""
        mark = await self._watermarks.get_checkpoint(query.key)
        first = FIRST_DAY
        warnings: tuple[str, ...] = ()
        if mark.last_edat and mark.term == query.term:
            first = max(FIRST_DAY, date.fromisoformat(mark.last_edat[:10]) - timedelta(days=query.overlap_days))
        elif mark.last_edat:
            warnings = (f"{query.key} was synced for another term before; this one is synced from the beginning",)
        last = max(first, query.now.astimezone(UTC).date() + _TOMORROW)
        listing = await self._search(query, first, last)
        return _Span(first, last, listing, (*warnings, *listing.warnings))

    def _iterate_windows(self, query: SyncQuery, span: _Span) -> AsyncIterator[DateWindow]:
        async def search(first: date, last: date) -> PmidListing:
            return await self._search(query, first, last)

        return iterate_windows(search, span.first, span.last, span.listing)

    async def _search(self, query: SyncQuery, first: date, last: date) -> PmidListing:
        return await self._entrez.esearch(query.term, format_entrez_day(first), format_entrez_day(last))

    async def _store_batch(self, records: Sequence[PaperRecord]) -> UpsertResult:
        if not records:
            return UpsertResult()
        async with self._store.database.transaction() as transaction:
            return await self._store.upsert_pubmed_docs(records, transaction)

    async def _advance_watermark(self, query: SyncQuery, window: DateWindow) -> None:
        """Advance the watermark after the whole window is stored.

        It becomes the entry date of the newest paper, not the end of the window, so that papers which PubMed adds later
        under an earlier day are found by the next sync.
        """
        newest = await self._store.find_newest_edat(window.pmids)
        if newest is None:
            return
        newest = min(newest, f"{window.last.isoformat()}T23:59:59Z")
        async with self._store.database.transaction() as transaction:
            reached = CheckpointResult(newest, query.term)
            await self._watermarks.set_checkpoint(query.key, reached, transaction, format_timestamp(query.now))


@dataclass(frozen=True, slots=True)
class _Span:
    first: date
    last: date
    listing: PmidListing
    warnings: tuple[str, ...]


class _LimitedFetch:
    """Fetches records up to a limit.

    Papers that PubMed has withdrawn do not count towards the limit: a few of them would otherwise keep all others out
    for ever.
    """

    def __init__(self, entrez: Entrez, limit: int, progress: ProgressSink) -> None:
        self._entrez = entrez
        self._limit = limit
        self._progress = progress
        self.records: list[PaperRecord] = []
        self.requested = 0
        self.is_complete = True

    @property
    def withdrawn(self) -> int:
        return self.requested - len(self.records)

    async def fetch(self, pmids: Sequence[str]) -> bool:
        """Fetch these papers up to the limit; return whether all of them were requested."""
        at = 0
        while at < len(pmids) and (free := self._limit - len(self.records)):
            some = pmids[at : at + min(free, BATCH)]
            self.records += await self._entrez.efetch(some)
            at += len(some)
            self.requested += len(some)
            self._progress(Progress(len(self.records), self._limit, f"{len(self.records):,} papers fetched"))
        self.is_complete = at == len(pmids)
        return self.is_complete


def sort_pmids(pmids: Sequence[str]) -> list[str]:
    """Return the PMIDs in ascending order: they rise with time, so the oldest papers come first."""
    return sorted(dict.fromkeys(pmids), key=lambda pmid: (len(pmid), pmid))
