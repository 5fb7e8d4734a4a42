"""An earlier state of a shelf, read from the store and searched here, exactly.

Weaviate holds the present only. An answer as of a past change must be the same for ever, to the bit, whatever was
written since; so it takes its statistics, its words and its vectors from that state alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.embedded.vector_space import best_rows
from sanya.engines.index.rows import Version
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import AnyOf, Between, Equals, FieldValue, Filter
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.fusion import similarities
from sanya.retrieval.index import Probe, ReadTexts

_K1, _B = 1.2, 0.75
_MOST_NUMBER = 2.0**53


@dataclass(frozen=True, slots=True)
class _Posting:
    rows: NDArray[np.int64]
    frequencies: NDArray[np.float64]


class MomentShelf:
    """The documents that were valid then, oldest first; a row is a place in that order."""

    def __init__(self, versions: Sequence[Version], partition: str, read: ReadTexts) -> None:
        self.versions = versions
        self.vectors: dict[str, Matrix] = {}
        """By space a row for each version, once somebody has asked for them."""
        self._lengths: dict[str, NDArray[np.float64]] = {}
        self._postings: dict[tuple[str, str], _Posting] = {}
        self._index(partition, read)

    def matching(self, filters: Sequence[Filter]) -> NDArray[np.int64]:
        for one in filters:
            _check(one)
        passing = [row for row, one in enumerate(self.versions) if all(_passes(part, one.fields) for part in filters)]
        return np.array(passing, dtype=np.int64)

    def by_words(self, probe: Probe, allowed: NDArray[np.int64]) -> tuple[NDArray[np.int64], Matrix]:
        scores = np.zeros(len(self.versions))
        for way, terms in probe.terms.items():
            for term, weight in terms.items():
                self._add(scores, way, term, weight)
        found = allowed[scores[allowed] > 0]
        order = found[np.lexsort((found, -scores[found]))][: probe.pool]
        return order, scores[order].astype(np.float32)

    def by_meaning(self, vector: Matrix, rows: Matrix, allowed: NDArray[np.int64], pool: int) -> NDArray[np.int64]:
        known = allowed[rows[allowed].any(axis=1)]
        return best_rows(similarities(rows[known], vector).astype(np.float32), known, pool)

    def _index(self, partition: str, read: ReadTexts) -> None:
        gathered: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for row, version in enumerate(self.versions):
            for way, terms in read(version.texts, partition).items():
                lengths = self._lengths.setdefault(way, np.zeros(len(self.versions)))
                lengths[row] = terms.size
                for term, frequency in Counter(terms.each()).items():
                    gathered.setdefault((way, term), []).append((row, frequency))
        for key, pairs in gathered.items():
            table = np.array(pairs, dtype=np.int64)
            self._postings[key] = _Posting(table[:, 0], table[:, 1].astype(np.float64))

    def _add(self, scores: NDArray[np.float64], way: str, term: str, weight: float) -> None:
        posting = self._postings.get((way, term))
        if posting is None:
            return
        lengths, count = self._lengths[way], len(self.versions)
        spread = len(posting.rows)
        rarity = math.log(1 + (count - spread + 0.5) / (spread + 0.5))
        relative = lengths[posting.rows] * count / lengths.sum()
        saturation = posting.frequencies + _K1 * (1 - _B + _B * relative)
        scores[posting.rows] += weight * rarity * posting.frequencies * (_K1 + 1) / saturation


def _check(one: Filter) -> None:
    if isinstance(one, Between):
        for bound in (one.least, one.most):
            if bound is not None and (isinstance(bound, bool) or not abs(bound) < _MOST_NUMBER):
                raise InvalidArgument(f"a range is between numbers of at most {_MOST_NUMBER:.0f}, not {bound}")


def _passes(one: Filter, fields: Mapping[str, FieldValue]) -> bool:
    value = fields.get(one.field)
    match one:
        case Equals(_, wanted):
            return _is(value, wanted)
        case AnyOf(_, values):
            return any(_is(value, wanted) for wanted in values)
        case Between(_, least, most):
            if least is None and most is None:
                return True
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number and (least is None or value >= least) and (most is None or value <= most)  # type: ignore[operator]


def _is(value: FieldValue | None, wanted: str | int | float | bool) -> bool:
    """True is not 1 here, as in JSON."""
    if isinstance(value, tuple):
        return wanted in value
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
