"""What was read before, so that common words and the rows of an owner are not carried over the wire again and again.

What is known stays true: rows are only added, behind those that are there. Only when the derived part is made anew may
they differ, which gives them another generation.
"""

from __future__ import annotations

from sanya.engines.index.postgresql.filters import NOT_KNOWN, Passing
from sanya.engines.index.postgresql.postings import NO_POSTINGS, NOBODY, Population, Postings
from sanya.engines.index.rows import Shelf
from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import Filter

Place = tuple[Shelf, int, bytes]
"""A shelf, its generation, a term's key."""

Among = tuple[Shelf, int, tuple[Filter, ...]]
"""A shelf, its generation, the filters that make a population."""

# Six bytes each.
_MOST_POSTINGS = 10_000_000
# Eight bytes each.
_MOST_ROWS = 4_000_000
_MOST_POPULATIONS = 64


class KnownPostings:
    def __init__(self, most: int = _MOST_POSTINGS) -> None:
        self._known: LruCache[Place, Postings] = LruCache(max_weight=most, weigh=len)

    def get(self, place: Place) -> Postings:
        postings = self._known.get(place)
        return NO_POSTINGS if postings is None else postings

    def keep(self, place: Place, postings: Postings) -> None:
        """What was forgotten or grew further meanwhile is no matter: the longer one stays."""
        if len(postings) > len(self.get(place)):
            self._known.put(place, postings)


class KnownPopulations:
    """Of each population the state that was read last, with the number of the last row that it was read up to."""

    def __init__(self, most: int = _MOST_ROWS) -> None:
        self._known: LruCache[Among, tuple[int, Population]] = LruCache(
            _MOST_POPULATIONS, max_weight=most, weigh=lambda entry: entry[1].count
        )

    def get(self, among: Among, last: int) -> tuple[int, Population]:
        """One that is not beyond row `last`: from it, the rest is asked for."""
        until, population = self._known.get(among) or (0, NOBODY)
        return (0, NOBODY) if until > last else (until, population)

    def keep(self, among: Among, last: int, population: Population) -> None:
        until, _ = self._known.get(among) or (-1, NOBODY)
        if last > until:
            self._known.put(among, (last, population))


class KnownPassing:
    """Which rows filters let through, or that these are many, as it was when they were last asked for."""

    def __init__(self, most: int = _MOST_POPULATIONS) -> None:
        self._known: LruCache[Among, Passing] = LruCache(most)

    def get(self, among: Among) -> Passing:
        return self._known.get(among) or NOT_KNOWN

    def keep(self, among: Among, passing: Passing) -> None:
        self._known.put(among, passing)
