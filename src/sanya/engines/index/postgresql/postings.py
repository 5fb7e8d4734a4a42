"""Postings as PostgreSQL stores them: for each term a byte string with four bytes a row, unpacked and scored here.

A table row for each posting would take twenty times the space and, with a million documents, twenty times the time.
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

from sanya.engines.index.arrays import Float64Array, Positions
from sanya.engines.index.bm25 import compute_idf
from sanya.retrieval.index import DocumentTerms

ReadRow = tuple[int, DocumentTerms]
"""A position, and the terms of its row by kind."""
PackedPostings = tuple[bytes, int, bytes]
"""The hash of a term, the position of its first posting, its postings."""

# A posting has 32 bits: the row's number in its stretch of 65,536 rows (16), the count of the term (8), the length
# class of the row (8). Postings of two stretches never share a string.
STRETCH_BITS = 16
_STRETCH = 2**STRETCH_BITS
_MAX_COUNT = 255
_KEY_BYTES = 12
# tantivy's BM25 constants, so that all indexes rank alike.
_K1, _B = 1.2, 0.75
# The score of each term is rounded to a whole number of steps, so that the sum does not depend on the order of terms.
_SCORE_STEPS = 2.0**30


# The lengths that are distinguished, as tantivy stores them: exact up to 24, with four significant bits beyond.
_LENGTH_CLASSES = [*range(40), *(24 + (bits << shift) for shift in range(1, 28) for bits in range(8, 16))]


def hash_term(kind: str, term: str) -> bytes:
    """Hash a term. Terms have any length and any characters, which PostgreSQL keys do not allow."""
    return sha256(f"{kind} {term}".encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def pack_postings(rows: Sequence[ReadRow]) -> list[PackedPostings]:
    """Return the byte strings of some rows, one for each term and stretch, sorted by term hash."""
    packed: list[PackedPostings] = []
    for stretch, rows_of_stretch in groupby(rows, lambda row: row[0] >> STRETCH_BITS):
        postings = _collect_postings(rows_of_stretch)
        begin = stretch << STRETCH_BITS
        packed += [
            (hash_term(kind, term), begin + (codes[0] >> 16), codes.tobytes())
            for kind, terms in postings.items()
            for term, codes in terms.items()
        ]
    return sorted(packed)


def _collect_postings(rows: Iterable[ReadRow]) -> dict[str, dict[str, array[int]]]:
    """Collect the postings of rows of one stretch, by kind and term."""
    postings: defaultdict[str, defaultdict[str, array[int]]] = defaultdict(lambda: defaultdict(_no_postings))
    for position, kinds in rows:
        row_code = (position & (_STRETCH - 1)) << 16
        for kind, terms in kinds.items():
            of_kind, code = postings[kind], row_code | bisect_right(_LENGTH_CLASSES, terms.term_count) - 1
            for term, count in Counter(terms.split()).items():
                of_kind[term].append(code | (count if count <= _MAX_COUNT else _MAX_COUNT) << 8)
    return dict(postings)


_no_postings = partial(array, "I")


@dataclass(frozen=True, slots=True)
class Postings:
    """The rows that contain a term, with its count and the row's length class. Immutable: `extend` returns a new
    one."""

    positions: NDArray[np.uint32]
    numbers: NDArray[np.uint16]
    until: int
    """The first position of its last byte string; later strings are not in it."""

    def __len__(self) -> int:
        return len(self.positions)

    def extend(self, strings: Sequence[tuple[int, bytes]]) -> Postings:
        """Return the postings with further byte strings, each given with its first position."""
        if not strings:
            return self
        codes = np.frombuffer(b"".join(string for _, string in strings), dtype="<u4")
        bases = np.array([first >> STRETCH_BITS << STRETCH_BITS for first, _ in strings], dtype=np.uint32)
        positions = (codes >> 16) + np.repeat(bases, [len(string) // 4 for _, string in strings])
        return Postings(
            np.concatenate([self.positions, positions]),
            np.concatenate([self.numbers, codes.astype(np.uint16)]),
            max(self.until, *(first for first, _ in strings)),
        )

    def slice_to(self, last: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """Return the postings up to row `last`."""
        if len(self) and self.positions.max() > last:
            early = self.positions <= last
            return self.positions[early], self.numbers[early]
        return self.positions, self.numbers


NO_POSTINGS = Postings(np.empty(0, np.uint32), np.empty(0, np.uint16), -1)


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term of a query with its postings."""

    kind: str
    weight: float
    postings: Postings

    def __len__(self) -> int:
        return len(self.postings)


@dataclass(frozen=True, slots=True)
class Population:
    """The rows that BM25 statistics are taken from: their number, their terms by kind, and which they are, if not
    all."""

    count: int
    totals: Mapping[str, int]
    rows: Positions | None = None

    def extend(self, count: int, totals: Mapping[str, int], rows: Positions) -> Population:
        """Return the population with further rows, which come after its own."""
        known = np.empty(0, dtype=np.int64) if self.rows is None else self.rows
        sums = {kind: self.totals.get(kind, 0) + total for kind, total in totals.items()}
        return Population(self.count + count, sums, np.concatenate([known, rows]))


EMPTY_POPULATION = Population(0, {}, np.empty(0, dtype=np.int64))


class Bm25Ranking:
    """BM25 scores of all rows of a population up to row `last`."""

    def __init__(self, terms: Sequence[QueryTerm], last: int, population: Population) -> None:
        mask = None
        if population.rows is not None:
            mask = np.zeros(last + 1, dtype=np.bool_)
            mask[population.rows] = True
        self.bound = (1 + _K1) * sum(term.weight * _compute_idf(term, last, population, mask) for term in terms)
        """The score that no row exceeds: that of endless repetitions of every term."""
        # The rarest term first: its best rows give a threshold for the others.
        parts = [_score_term(term, last, population, mask) for term in sorted(terms, key=len) if len(term)]
        self._found = [positions for positions, _ in parts]
        self._scores = np.zeros(last + 1)
        for positions, scores in parts:
            self._scores[positions] += scores

    def find_best(self, count: int) -> tuple[Positions, Float64Array]:
        """Return the best rows, of equal ones the oldest, and their scores."""
        return _select_top(np.flatnonzero(self._scores >= self._find_threshold(count)), self._scores, count)

    def find_best_among(self, rows: Positions, count: int) -> tuple[Positions, Float64Array]:
        scores = self._scores[rows]
        least = np.partition(scores, -count)[-count] if len(scores) > count else 0.0
        return _select_top(rows[(scores > 0) & (scores >= least)], self._scores, count)

    def _find_threshold(self, count: int) -> float:
        """Return a score that at least `count` rows reach, if there are that many."""
        for positions in self._found:
            if len(positions) >= count:
                return max(1.0, float(np.partition(self._scores[positions], -count)[-count]))
        return 1.0


def _select_top(rows: Positions, scores: Float64Array, count: int) -> tuple[Positions, Float64Array]:
    order = np.lexsort((rows, -scores[rows]))[:count]
    return rows[order], scores[rows[order]] / _SCORE_STEPS


def _compute_idf(term: QueryTerm, last: int, population: Population, mask: NDArray[np.bool_] | None) -> float:
    positions, _ = term.postings.slice_to(last)
    return compute_idf(population.count, len(positions) if mask is None else int(np.count_nonzero(mask[positions])))


def _score_term(
    term: QueryTerm, last: int, population: Population, mask: NDArray[np.bool_] | None
) -> tuple[NDArray[np.uint32], Float64Array]:
    positions, numbers = term.postings.slice_to(last)
    if mask is not None:
        in_population = mask[positions]
        positions, numbers = positions[in_population], numbers[in_population]
    if not len(positions):
        return positions, np.empty(0)
    weight = _SCORE_STEPS * term.weight * compute_idf(population.count, len(positions)) * (1 + _K1)
    return positions, np.rint(_compute_shares(population.totals[term.kind] / population.count)[numbers] * weight)


@lru_cache(maxsize=8)
def _compute_shares(average: float) -> Float64Array:
    """Return the weight of a term for each pair of count and length class, without its idf."""
    counts = np.arange(256.0)[:, np.newaxis]
    slope = _K1 * (1 - _B + _B * np.array(_LENGTH_CLASSES) / average)
    shares: Float64Array = (counts / (counts + slope)).reshape(-1)
    return shares
