"""What was read before, so that common words and the rows of an owner are not carried over the wire again and again.

What is known stays true: rows are only added, behind those that are there. Only when the derived part is made anew may
they differ, which gives them another generation.
"""

from __future__ import annotations

from collections import OrderedDict

from sanya.engines.index.postgresql_filters import NOT_KNOWN, Passing
from sanya.engines.index.postgresql_postings import NO_POSTINGS, NOBODY, Population, Postings
from sanya.engines.index.rows import Shelf
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
        self._most = most
        self._count = 0
        self._known: OrderedDict[Place, Postings] = OrderedDict()

    def get(self, place: Place) -> Postings:
        found = self._known.get(place)
        if found is None:
            return NO_POSTINGS
        self._known.move_to_end(place)
        return found

    def keep(self, place: Place, postings: Postings) -> None:
        """What was forgotten or grew further meanwhile is no matter: the longer one stays."""
        former = self._known.get(place, NO_POSTINGS)
        if len(postings) > len(former):
            self._known[place] = postings
            self._known.move_to_end(place)
            self._count += len(postings) - len(former)
        while self._count > self._most and self._known:
            _, forgotten = self._known.popitem(last=False)
            self._count -= len(forgotten)


class KnownPopulations:
    """Of each population the state that was read last, with the number of the last row that it was read up to."""

    def __init__(self, most: int = _MOST_ROWS) -> None:
        self._most = most
        self._count = 0
        self._known: OrderedDict[Among, tuple[int, Population]] = OrderedDict()

    def get(self, among: Among, last: int) -> tuple[int, Population]:
        """One that is not beyond row `last`: from it, the rest is asked for."""
        until, population = self._known.get(among, (0, NOBODY))
        if until > last or among not in self._known:
            return 0, NOBODY
        self._known.move_to_end(among)
        return until, population

    def keep(self, among: Among, last: int, population: Population) -> None:
        until, former = self._known.get(among, (-1, NOBODY))
        if last > until:
            self._known[among] = last, population
            self._known.move_to_end(among)
            self._count += population.count - former.count
        while self._known and (self._count > self._most or len(self._known) > _MOST_POPULATIONS):
            _, (_, forgotten) = self._known.popitem(last=False)
            self._count -= forgotten.count


class KnownPassing:
    """Which rows filters let through, or that these are many, as it was when they were last asked for."""

    def __init__(self, most: int = _MOST_POPULATIONS) -> None:
        self._most = most
        self._known: OrderedDict[Among, Passing] = OrderedDict()

    def get(self, among: Among) -> Passing:
        return self._known.get(among, NOT_KNOWN)

    def keep(self, among: Among, passing: Passing) -> None:
        self._known[among] = passing
        self._known.move_to_end(among)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
