"""Exact BM25 ranking as of an earlier change, or among the rows of one owner alone.

A search as of change n must give the same answer whenever it is asked, however much was written since. BM25 makes that
hard: a score depends on the number of rows, the average length and the frequency of each term, and tantivy knows these
only for all rows of today. Rebuilding an index for every n is out of the question, and so is scoring every match.

So the ranking goes in two steps. tantivy proposes rows in the order of a rough score, and each proposed row is scored
again from its stored texts with the statistics of the rows up to n. Both inputs of the exact score never change: rows
are only appended, and the texts of a row stay as they are.

The rough score is close. The query's weights are multiplied by idf(then) / idf(today), so each term counts as rare
as it was then, and only the average length still differs. That error is bounded: the exact score is at most `factor`
times the rough one (`Bm25Statistics.compute_score_bound`). The rows not proposed have a rough score of at most `rest`.
Once rest * factor is below the last score of the result, none of them can belong to it, and the ranking is exact.
Until then, three times as many rows are requested.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from sanya.engines.index.bm25 import Bm25Statistics
from sanya.engines.index.embedded.hits import WordHits
from sanya.engines.index.embedded.partition import HistoryPoint, PartitionSnapshot
from sanya.engines.index.rows import PartitionKey
from sanya.engines.index.store import IndexStore
from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import DocumentText
from sanya.retrieval.index import Probe, TermAnalyzer

# tantivy adds scores in single precision.
_ROUNDING = 1.0001
_FIRST_REQUEST = 1.5
_CACHED_ROWS = 2000

TermCounts = tuple[Mapping[str, Mapping[str, int]], Mapping[str, int]]
"""By term kind: how often each term occurs in a row, and how many terms the row has."""


class AsOfRanker:
    def __init__(self, store: IndexStore, read: TermAnalyzer) -> None:
        self._store = store
        self._read = read
        self._rows: LruCache[tuple[PartitionKey, int], TermCounts] = LruCache(_CACHED_ROWS)

    def clear(self) -> None:
        """Drop the cached rows: their texts may have been erased from the store."""
        self._rows.clear()

    async def find_best(self, probe: Probe, snapshot: PartitionSnapshot, point: HistoryPoint) -> WordHits:
        """Return the best rows that were valid at the point, best first, ties by position, and their scores."""
        statistics = await asyncio.to_thread(
            snapshot.compute_statistics, probe.terms, point.last_position, probe.statistics_filters
        )
        today = await asyncio.to_thread(snapshot.compute_statistics, probe.terms, snapshot.words.count)
        boosts = statistics.compute_boosts(probe.terms, today)
        factor = statistics.compute_score_bound(today) * _ROUNDING
        scores: dict[int, float] = {}
        requested = int(probe.pool * _FIRST_REQUEST) + 1
        while True:
            rows, rest = await asyncio.to_thread(snapshot.find_rough_best, boosts, probe.filters, point, requested)
            await self._score(probe, statistics, [row for row in rows.tolist() if row not in scores], scores)
            best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: probe.pool]
            if rest is None or (len(best) == probe.pool and rest * factor < best[-1][1]):
                positions = np.array([row for row, _ in best], dtype=np.int64)
                exact = np.array([score for _, score in best], dtype=np.float32)
                return WordHits(positions, exact, statistics.compute_bound(probe.terms))
            requested = min(requested * 3, snapshot.words.count + 1)

    async def _score(
        self, probe: Probe, statistics: Bm25Statistics, rows: Sequence[int], scores: dict[int, float]
    ) -> None:
        key = probe.namespace, probe.partition
        known = {row: counts for row in rows if (counts := self._rows.get((key, row))) is not None}
        unread = [row for row in rows if row not in known]
        texts = await self._store.read_texts(key, unread)
        counted = dict(zip(unread, await asyncio.to_thread(self._count_terms, key[1], texts), strict=True))
        for row in rows:
            scores[row] = statistics.score(probe.terms, *(known.get(row) or counted[row]))
        for row, counts in counted.items():
            self._rows.put((key, row), counts)

    def _count_terms(self, partition: str, texts: Sequence[tuple[DocumentText, ...]]) -> list[TermCounts]:
        """Count the terms of rows. The texts of a row never change, so this is done once for each."""
        read = [self._read(row_texts, partition) for row_texts in texts]
        return [
            (
                {kind: Counter(joined.split()) for kind, joined in terms.items()},
                {kind: joined.term_count for kind, joined in terms.items()},
            )
            for terms in read
        ]
