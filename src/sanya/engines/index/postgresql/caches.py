"""Caches of postings, populations and filter results, so that common words and an owner's rows cross the wire once.

A cached value stays true, because rows are only appended: a newer state extends it. Only a rebuild may change rows, and
a rebuild starts another generation, which is part of every key.
"""

from __future__ import annotations

from sanya.engines.index.postgresql.filters import UNKNOWN_PASSING, PassingRows
from sanya.engines.index.postgresql.postings import EMPTY_POPULATION, NO_POSTINGS, Population, Postings
from sanya.engines.index.rows import PartitionKey
from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import Filter

TermKey = tuple[PartitionKey, int, bytes]
"""A partition, its generation, the hash of a term."""

FilterKey = tuple[PartitionKey, int, tuple[Filter, ...]]
"""A partition, its generation, filters."""

# Six bytes each.
_MAX_POSTINGS = 10_000_000
# Eight bytes each.
_MAX_ROWS = 4_000_000
_MAX_POPULATIONS = 64


class PostingsCache:
    def __init__(self, max_weight: int = _MAX_POSTINGS) -> None:
        self._known: LruCache[TermKey, Postings] = LruCache(max_weight=max_weight, weigh=len)

    def get(self, key: TermKey) -> Postings:
        postings = self._known.get(key)
        return NO_POSTINGS if postings is None else postings

    def put(self, key: TermKey, postings: Postings) -> None:
        """Store postings unless longer ones are cached: another search may have extended them meanwhile."""
        if len(postings) > len(self.get(key)):
            self._known.put(key, postings)


class PopulationCache:
    """Populations, each with the last row up to which it was read."""

    def __init__(self, max_weight: int = _MAX_ROWS) -> None:
        self._known: LruCache[FilterKey, tuple[int, Population]] = LruCache(
            _MAX_POPULATIONS, max_weight=max_weight, weigh=lambda entry: entry[1].count
        )

    def get(self, key: FilterKey, last: int) -> tuple[int, Population]:
        """Return a population that ends at or before row `last`. The caller reads the rest."""
        until, population = self._known.get(key) or (0, EMPTY_POPULATION)
        return (0, EMPTY_POPULATION) if until > last else (until, population)

    def put(self, key: FilterKey, last: int, population: Population) -> None:
        until, _ = self._known.get(key) or (-1, EMPTY_POPULATION)
        if last > until:
            self._known.put(key, (last, population))


class PassingCache:
    """The rows that pass filters, or the fact that they are many, as of the last search."""

    def __init__(self, max_entries: int = _MAX_POPULATIONS) -> None:
        self._known: LruCache[FilterKey, PassingRows] = LruCache(max_entries)

    def get(self, key: FilterKey) -> PassingRows:
        return self._known.get(key) or UNKNOWN_PASSING

    def put(self, key: FilterKey, passing: PassingRows) -> None:
        self._known.put(key, passing)
