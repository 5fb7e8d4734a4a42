"""An earlier state of a partition, read from the store and searched in memory, exactly.

Weaviate holds only the current documents. A search as of an earlier change must give the same answer for ever, to the
bit, whatever was written since. So its statistics, words and vectors come from that state alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.arrays import select_best
from sanya.engines.index.rows import Version
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import AnyOf, Between, Equals, FieldValue, Filter
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.fusion import compute_cosines
from sanya.retrieval.index import Probe, TermAnalyzer

_K1, _B = 1.2, 0.75
_MAX_NUMBER = 2.0**53


@dataclass(frozen=True, slots=True)
class _Posting:
    rows: NDArray[np.int64]
    frequencies: NDArray[np.float64]


class PastSnapshot:
    """The documents that were valid as of a change, oldest first. A row is an index into them."""

    def __init__(self, versions: Sequence[Version], partition: str, read: TermAnalyzer) -> None:
        self.versions = versions
        self.vectors: dict[str, Matrix] = {}
        """By space, a matrix with a row for each version, filled by the first search that needs it."""
        self._lengths: dict[str, NDArray[np.float64]] = {}
        self._postings: dict[tuple[str, str], _Posting] = {}
        self._index_terms(partition, read)

    def find_passing(self, filters: Sequence[Filter]) -> NDArray[np.int64]:
        for version in filters:
            _check_bounds(version)
        passing = [
            row
            for row, version in enumerate(self.versions)
            if all(_is_passing(filter, version.fields) for filter in filters)
        ]
        return np.array(passing, dtype=np.int64)

    def search_words(self, probe: Probe, allowed: NDArray[np.int64]) -> tuple[NDArray[np.int64], Matrix]:
        scores = np.zeros(len(self.versions))
        for kind, terms in probe.terms.items():
            for term, weight in terms.items():
                self._add_term_scores(scores, kind, term, weight)
        matching = allowed[scores[allowed] > 0]
        order = matching[np.lexsort((matching, -scores[matching]))][: probe.pool]
        return order, scores[order].astype(np.float32)

    def search_vectors(self, vector: Matrix, rows: Matrix, allowed: NDArray[np.int64], pool: int) -> NDArray[np.int64]:
        embedded = allowed[rows[allowed].any(axis=1)]
        return select_best(compute_cosines(rows[embedded], vector).astype(np.float32), embedded, pool)

    def _index_terms(self, partition: str, read: TermAnalyzer) -> None:
        pairs_by_term: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for row, version in enumerate(self.versions):
            for kind, terms in read(version.texts, partition).items():
                lengths = self._lengths.setdefault(kind, np.zeros(len(self.versions)))
                lengths[row] = terms.term_count
                for term, frequency in Counter(terms.split()).items():
                    pairs_by_term.setdefault((kind, term), []).append((row, frequency))
        for key, pairs in pairs_by_term.items():
            table = np.array(pairs, dtype=np.int64)
            self._postings[key] = _Posting(table[:, 0], table[:, 1].astype(np.float64))

    def _add_term_scores(self, scores: NDArray[np.float64], kind: str, term: str, weight: float) -> None:
        posting = self._postings.get((kind, term))
        if posting is None:
            return
        lengths, count = self._lengths[kind], len(self.versions)
        with_term = len(posting.rows)
        idf = math.log(1 + (count - with_term + 0.5) / (with_term + 0.5))
        relative = lengths[posting.rows] * count / lengths.sum()
        saturation = posting.frequencies + _K1 * (1 - _B + _B * relative)
        scores[posting.rows] += weight * idf * posting.frequencies * (_K1 + 1) / saturation


def _check_bounds(filter: Filter) -> None:
    if isinstance(filter, Between):
        for bound in (filter.least, filter.most):
            if bound is not None and (isinstance(bound, bool) or not abs(bound) < _MAX_NUMBER):
                raise InvalidArgument(f"a range takes numbers up to {_MAX_NUMBER:.0f}, not {bound}; narrow it")


def _is_passing(filter: Filter, fields: Mapping[str, FieldValue]) -> bool:
    value = fields.get(filter.field)
    match filter:
        case Equals(_, wanted):
            return _is_equal(value, wanted)
        case AnyOf(_, values):
            return any(_is_equal(value, wanted) for wanted in values)
        case Between(_, least, most):
            if least is None and most is None:
                return True
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number and (least is None or value >= least) and (most is None or value <= most)  # type: ignore[operator]


def _is_equal(value: FieldValue | None, wanted: str | int | float | bool) -> bool:
    """Compare like JSON, where true is not 1."""
    if isinstance(value, tuple):
        return wanted in value
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
