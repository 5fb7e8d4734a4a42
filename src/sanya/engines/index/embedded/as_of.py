"""The words of an earlier moment, or of some rows alone, exactly: by their own statistics, whatever else there is.

The index knows the statistics of now and of all rows. So it is asked with weights that undo the difference, for rows in
the order of a score that can only be wrong by a known factor; each is scored anew, until no row that was not looked at
could be among the best.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from sanya.engines.index.bm25 import Statistics
from sanya.engines.index.embedded.partition import Moment, ShelfState
from sanya.engines.index.embedded.word_index import Floats, Positions
from sanya.engines.index.rows import Shelf
from sanya.engines.index.store import IndexStore
from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import Text
from sanya.retrieval.index import Probe, ReadTexts

# tantivy adds in single precision.
_SLACK = 1.0001
_FIRST_LOOK = 1.5
_REMEMBERED_ROWS = 2000

Counted = tuple[Mapping[str, Mapping[str, int]], Mapping[str, int]]
"""For each way how often each term occurs in a row, and how many terms that are."""


class EarlierWords:
    def __init__(self, store: IndexStore, read: ReadTexts) -> None:
        self._store = store
        self._read = read
        self._rows: LruCache[tuple[Shelf, int], Counted] = LruCache(_REMEMBERED_ROWS)

    def forget(self) -> None:
        """What rows say may have been taken out of the store."""
        self._rows.clear()

    async def best(self, probe: Probe, state: ShelfState, moment: Moment) -> tuple[Positions, Floats]:
        """The best rows that were valid at the moment, best first, ties by position."""
        then = await asyncio.to_thread(state.statistics, probe.terms, moment.last_position, probe.among)
        now = await asyncio.to_thread(state.statistics, probe.terms, state.words.count)
        boosts, factor = then.boosts(probe.terms, now), then.most_above(now) * _SLACK
        scores: dict[int, float] = {}
        asked = int(probe.pool * _FIRST_LOOK) + 1
        while True:
            rows, rough = await asyncio.to_thread(state.roughly_best, boosts, probe.filters, moment, asked)
            await self._score(probe, then, [row for row in rows.tolist() if row not in scores], scores)
            best = sorted(scores.items(), key=lambda one: (-one[1], one[0]))[: probe.pool]
            if rough is None or (len(best) == probe.pool and rough * factor < best[-1][1]):
                positions = np.array([row for row, _ in best], dtype=np.int64)
                return positions, np.array([score for _, score in best], dtype=np.float32)
            asked = min(asked * 3, state.words.count + 1)

    async def _score(self, probe: Probe, then: Statistics, rows: Sequence[int], scores: dict[int, float]) -> None:
        shelf = probe.namespace, probe.partition
        known = {row: counted for row in rows if (counted := self._rows.get((shelf, row))) is not None}
        unread = [row for row in rows if row not in known]
        texts = await self._store.texts(shelf, unread)
        read = dict(zip(unread, await asyncio.to_thread(self._counted, shelf[1], texts), strict=True))
        for row in rows:
            scores[row] = then.score(probe.terms, *(known.get(row) or read[row]))
        for row, counted in read.items():
            self._rows.put((shelf, row), counted)

    def _counted(self, partition: str, texts: Sequence[tuple[Text, ...]]) -> list[Counted]:
        """What a row says never changes, so it is read once."""
        every = [self._read(one, partition) for one in texts]
        return [
            (
                {way: Counter(found.each()) for way, found in terms.items()},
                {way: found.size for way, found in terms.items()},
            )
            for terms in every
        ]
