"""Postings as PostgreSQL keeps them: for each term a string of four bytes a row, which are unpacked and added up here.

A row of a table for each posting would be twenty times as large and, with a million documents, as slow.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.bm25 import rarity
from sanya.retrieval.index import ReadTerms

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]
ReadRow = tuple[int, ReadTerms]
"""A position, and the terms of each way that stand there."""
Packed = tuple[bytes, int, bytes]
"""A term's key, the position of its first posting, its postings."""

# A posting is the row's place in its stretch of rows (16 bits), how often the term stands there, how long the row is
# (8 bits each). Postings of two stretches never share a string.
STRETCH_BITS = 16
_STRETCH = 2**STRETCH_BITS
_MOST_OFTEN = 255
_KEY_BYTES = 12
# BM25 with tantivy's constants, so that all engines rank alike.
_K1, _B = 1.2, 0.75
# Each term's part is brought to a whole number before it is added: the sum is then the same in whatever order.
_STEPS = 2.0**30


# The lengths that are told apart: as tantivy keeps them, with four significant bits beyond the 24 shortest.
_LENGTHS = [*range(40), *(24 + (bits << shift) for shift in range(1, 28) for bits in range(8, 16))]


def key_of(way: str, term: str) -> bytes:
    """Terms are of any length and of any characters, and PostgreSQL's keys are not."""
    return sha256(f"{way} {term}".encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def packed(rows: Sequence[ReadRow]) -> list[Packed]:
    """The strings of some rows, one for each term and stretch, in the order of keys."""
    found: list[Packed] = []
    for stretch, together in groupby(rows, lambda row: row[0] >> STRETCH_BITS):
        postings = _postings(together)
        begin = stretch << STRETCH_BITS
        found += [
            (key_of(way, term), begin + (some[0] >> 16), some.tobytes())
            for way, terms in postings.items()
            for term, some in terms.items()
        ]
    return sorted(found)


def _postings(rows: Iterable[ReadRow]) -> dict[str, dict[str, array[int]]]:
    """Of rows of one stretch, by way and term."""
    postings: defaultdict[str, defaultdict[str, array[int]]] = defaultdict(lambda: defaultdict(_no_postings))
    for position, ways in rows:
        place = (position & (_STRETCH - 1)) << 16
        for way, terms in ways.items():
            of_way, length = postings[way], place | bisect_right(_LENGTHS, terms.size) - 1
            for term, often in Counter(terms.each()).items():
                of_way[term].append(length | (often if often <= _MOST_OFTEN else _MOST_OFTEN) << 8)
    return dict(postings)


_no_postings = partial(array, "I")


@dataclass(frozen=True, slots=True)
class Postings:
    """Where a term stands, and how often and in how long a row. It never changes: what comes later makes a new one."""

    positions: NDArray[np.uint32]
    numbers: NDArray[np.uint16]
    until: int
    """The position that its last string begins with; later ones are not in it."""

    def __len__(self) -> int:
        return len(self.positions)

    def grown(self, strings: Sequence[tuple[int, bytes]]) -> Postings:
        """With the strings that begin with the given positions."""
        if not strings:
            return self
        some = np.frombuffer(b"".join(string for _, string in strings), dtype="<u4")
        begins = np.array([first >> STRETCH_BITS << STRETCH_BITS for first, _ in strings], dtype=np.uint32)
        positions = (some >> 16) + np.repeat(begins, [len(string) // 4 for _, string in strings])
        return Postings(
            np.concatenate([self.positions, positions]),
            np.concatenate([self.numbers, some.astype(np.uint16)]),
            max(self.until, *(first for first, _ in strings)),
        )

    def first(self, last: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """Those up to row `last`."""
        if len(self) and self.positions.max() > last:
            early = self.positions <= last
            return self.positions[early], self.numbers[early]
        return self.positions, self.numbers


NO_POSTINGS = Postings(np.empty(0, np.uint32), np.empty(0, np.uint16), -1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A term that is asked for."""

    way: str
    weight: float
    postings: Postings

    def __len__(self) -> int:
        return len(self.postings)


@dataclass(frozen=True, slots=True)
class Population:
    """The rows that make the statistics: how many, the number of their terms of each way, and which, if not all."""

    count: int
    totals: Mapping[str, int]
    rows: Positions | None = None

    def grown(self, count: int, totals: Mapping[str, int], rows: Positions) -> Population:
        """With rows that come after those that it has."""
        known = np.empty(0, dtype=np.int64) if self.rows is None else self.rows
        together = {way: self.totals.get(way, 0) + total for way, total in totals.items()}
        return Population(self.count + count, together, np.concatenate([known, rows]))


NOBODY = Population(0, {}, np.empty(0, dtype=np.int64))


class Ranking:
    """The BM25 score of every row of a population that has one of the terms, up to row `last`."""

    def __init__(self, asked: Sequence[Asked], last: int, population: Population) -> None:
        own = None
        if population.rows is not None:
            own = np.zeros(last + 1, dtype=np.bool_)
            own[population.rows] = True
        # The rarest first: its best rows tell what a score must be to count.
        parts = [_scored(one, last, population, own) for one in sorted(asked, key=len) if len(one)]
        self._found = [positions for positions, _ in parts]
        self._scores = np.zeros(last + 1)
        for positions, scores in parts:
            self._scores[positions] += scores

    def best(self, count: int) -> tuple[Positions, Floats]:
        """The best rows, of equals the oldest, and the score of each."""
        return _top(np.flatnonzero(self._scores >= self._least(count)), self._scores, count)

    def best_among(self, rows: Positions, count: int) -> tuple[Positions, Floats]:
        scores = self._scores[rows]
        least = np.partition(scores, -count)[-count] if len(scores) > count else 0.0
        return _top(rows[(scores > 0) & (scores >= least)], self._scores, count)

    def _least(self, count: int) -> float:
        """A score that at least `count` rows have, if there are so many."""
        for positions in self._found:
            if len(positions) >= count:
                return max(1.0, float(np.partition(self._scores[positions], -count)[-count]))
        return 1.0


def _top(rows: Positions, scores: Floats, count: int) -> tuple[Positions, Floats]:
    order = np.lexsort((rows, -scores[rows]))[:count]
    return rows[order], scores[rows[order]] / _STEPS


def _scored(
    one: Asked, last: int, population: Population, own: NDArray[np.bool_] | None
) -> tuple[NDArray[np.uint32], Floats]:
    positions, numbers = one.postings.first(last)
    if own is not None:
        kept = own[positions]
        positions, numbers = positions[kept], numbers[kept]
    if not len(positions):
        return positions, np.empty(0)
    weight = _STEPS * one.weight * rarity(population.count, len(positions)) * (1 + _K1)
    return positions, np.rint(_shares(population.totals[one.way] / population.count)[numbers] * weight)


@lru_cache(maxsize=8)
def _shares(average: float) -> Floats:
    """What a term counts for by how often it stands in how long a row, before its rarity."""
    often = np.arange(256.0)[:, np.newaxis]
    slope = _K1 * (1 - _B + _B * np.array(_LENGTHS) / average)
    shares: Floats = (often / (often + slope)).reshape(-1)
    return shares
