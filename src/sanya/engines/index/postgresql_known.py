"""Postings that were read before, so that common words are not carried over the wire again and again.

What is known of a term stays true: rows are only added, behind those that are there. Only when the derived part is made
anew may they differ, which gives them another generation.
"""

from __future__ import annotations

from collections import OrderedDict

from sanya.engines.index.postgresql_postings import NO_POSTINGS, Postings
from sanya.engines.index.rows import Shelf

Place = tuple[Shelf, int, bytes]
"""A shelf, its generation, a term's key."""

# Six bytes each.
_MOST_POSTINGS = 10_000_000


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
