"""A partition of a namespace in the embedded index: its words, its vector spaces, and when each row is valid.

Rows are only appended. A change that replaces or deletes a document ends its old row by recording the sequence number
(`until`), and appends a new row if there is a new version. So a state of the past is described by two numbers, a
`HistoryPoint`: the rows up to `last_position` that had not ended by `seq`.

A `PartitionSnapshot` is what a search sees. It never changes; `Partition.publish` replaces it by a newer one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.arrays import Float32Array, Int64Array, Positions
from sanya.engines.index.bm25 import Bm25Statistics, compute_bound, compute_idf
from sanya.engines.index.embedded.columns import ColumnFile, SequenceFile
from sanya.engines.index.embedded.filter_cache import FilterCache, PassMask
from sanya.engines.index.embedded.hits import PartitionHits, WordHits, merge_hits
from sanya.engines.index.embedded.vector_space import VectorSpace
from sanya.engines.index.embedded.word_index import WordIndex, WordSnapshot
from sanya.engines.index.filterable_fields import FieldNames, FieldsFile, can_filter_by
from sanya.engines.index.rows import FOREVER, Version
from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import TERM_KINDS, DocumentTerms, Probe, WeightedTerms

# With a filter there are two ways to find the nearest rows: compare every passing row, which is exact, or ask the graph
# for more rows than needed. Comparing a row costs about a fifth of proposing one by the graph. So both cost the same
# where the number of passing rows is the square root of _BREAK_EVEN times the number of all rows.
_BREAK_EVEN = 200
SELECTIVE_ROWS = 2000
_REQUEST_SLACK = 1.25
_MAX_REQUESTED = 20_000
_SAFETY_DEVIATIONS = 1.6
_CACHED_FILTERS = 64
# Up to this many deleted rows, test each against the filters instead of building a bitmap.
_FEW_DELETED = 500

VectorsBySpace = Mapping[str, Mapping[int, Matrix]]
"""Vectors by space and position."""


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A point in the history of a partition: the numbers of its last change and of its last row."""

    seq: int
    last_position: int


class Partition:
    def __init__(self, folder: Path, models: Mapping[str, Model]) -> None:
        self._folder = folder
        self._words = WordIndex(folder / "words")
        self._arrivals = ColumnFile(folder / "arrivals", 1)
        self._lengths = ColumnFile(folder / "lengths", len(TERM_KINDS))
        self._mark = SequenceFile(folder / "derived")
        self._fields = FieldsFile(folder / "fields")
        self._spaces = {space: VectorSpace(folder, space, model.dim) for space, model in models.items()}
        nothing = np.empty(0, np.int64)
        rows = RowColumns(nothing, nothing, nothing.reshape(0, len(TERM_KINDS)), none_ended=True, all_embedded=True)
        self._filter_cache = FilterCache()
        self.snapshot = PartitionSnapshot(
            self._words.open_snapshot(), self._spaces, rows, HistoryPoint(0, 0), self._filter_cache
        )
        self._filterable = self._read_filterable(self.snapshot.words)

    def can_filter_by(self, fields: FieldNames) -> bool:
        """Return whether the published rows can be filtered by these fields."""
        return can_filter_by(self._filterable, fields)

    def add(
        self,
        versions: Sequence[Version],
        vectors: VectorsBySpace,
        read: Callable[[Version], DocumentTerms],
        filtered: FieldNames,
    ) -> None:
        """Write rows: vectors first, words last, because the commit of the words is what makes the rows count."""
        if self._fields.read() != filtered:
            self._fields.write(filtered)
        first, last = versions[0].position, versions[-1].position
        for name, space in self._spaces.items():
            if vectors.get(name):
                space.write(first, vectors[name], last)
        self._arrivals.write(first, np.array([version.vectors_since for version in versions]))
        with ThreadPoolExecutor(len(self._spaces) or 1) as threads:
            futures = self._grow_graphs(threads, last)
            lengths: list[list[int]] = []
            terms = _record_lengths(map(read, versions), lengths)
            self._words.add(versions, terms, filtered, lambda: self._lengths.write(first, np.array(lengths)))
            for future in futures:
                future.result()

    def _grow_graphs(self, threads: ThreadPoolExecutor, last: int) -> list[Future[None]]:
        """Start adding the new rows to the graphs while their words are tokenized.

        A graph must take vectors in the order in which they arrived. Where that is not the order of the rows, this
        leaves the work to `publish`. Rows in a graph that do not count yet do no harm: a search drops them.
        """
        arrivals = self._arrivals.load(last)[:, 0]
        if arrivals[-1] == FOREVER or bool((np.diff(arrivals) < 0).any()):
            return []
        seq = int(arrivals[-1])
        return [threads.submit(space.load, last, arrivals, seq, keep=True) for space in self._spaces.values()]

    def put_vectors(self, arrived: Mapping[int, int], vectors: VectorsBySpace) -> None:
        """Write the vectors of rows that waited for them, then the change that brought each (`arrived`, by
        position)."""
        for name, space in self._spaces.items():
            if vectors.get(name):
                space.put(vectors[name])
        self._arrivals.put(arrived)

    def read_committed(self) -> WordSnapshot:
        return self._words.open_snapshot()

    @property
    def derived_seq(self) -> int:
        """The change up to which some process has derived everything."""
        return self._mark.read()

    def set_derived_seq(self, seq: int) -> None:
        self._mark.write(seq)

    def publish(
        self, words: WordSnapshot, point: HistoryPoint, ends: Sequence[tuple[int, int]], *, deriving: bool
    ) -> None:
        """Make the rows up to `point` searchable. `ends` lists the rows that ended since the last call. Only the
        process that is `deriving` writes the graph files."""
        until = np.full(words.count, FOREVER, dtype=np.int64)
        former = self.snapshot.rows.until[: words.count]
        until[: len(former)] = former
        for position, seq in ends:
            if position <= words.count:
                until[position - 1] = seq
        # Another process may change these while they are read, but only from FOREVER to a change that no published
        # snapshot has reached.
        arrivals = self._arrivals.load(words.count)[:, 0]
        for space in self._spaces.values():
            space.load(words.count, arrivals, point.seq, keep=deriving)
        self._filterable = self._read_filterable(words)
        none_ended = bool((until == FOREVER).all())
        all_embedded = bool((arrivals[: point.last_position] <= point.seq).all())
        rows = RowColumns(until, arrivals, self._lengths.load(words.count), none_ended, all_embedded)
        self.snapshot = PartitionSnapshot(words, self._spaces, rows, point, self._filter_cache)

    def _read_filterable(self, words: WordSnapshot) -> FieldNames:
        return self._fields.read() if words.count else None

    def close(self) -> None:
        self._words.close()


@dataclass(frozen=True, slots=True)
class RowColumns:
    """Numbers of each row: when it is valid, how long it is."""

    until: Int64Array
    """The change that ended each row, or FOREVER."""
    arrivals: Int64Array
    """The change that brought the vectors of each row."""
    lengths: Int64Array
    """The number of terms of each row, a column for each term kind."""
    none_ended: bool
    all_embedded: bool
    """True if every published row has its vectors."""


def _make_cache() -> LruCache[Any, Any]:
    return LruCache(_CACHED_FILTERS)


@dataclass(frozen=True, slots=True)
class PartitionSnapshot:
    words: WordSnapshot
    spaces: Mapping[str, VectorSpace]
    rows: RowColumns
    point: HistoryPoint
    filter_cache: FilterCache
    selections: LruCache[tuple[tuple[Filter, ...], HistoryPoint], Positions | int] = field(default_factory=_make_cache)
    """Rows that pass filters, or their number where they are many. The same filters come again and again."""
    sizes: LruCache[tuple[int, tuple[Filter, ...]], tuple[int, Int64Array]] = field(default_factory=_make_cache)
    """By last position and filters: how many rows pass, and their total lengths."""

    def search(self, probe: Probe, point: HistoryPoint) -> PartitionHits:
        words = WordHits(*self._search_words(probe, point), self.compute_word_bound(probe.terms))
        return self._gather(probe, point, words, self._search_vectors(probe, point))

    def search_exactly(self, probe: Probe, point: HistoryPoint, words: WordHits) -> PartitionHits:
        """Search with the word hits given, and compare the vectors of all rows of the point: later rows change
        nothing."""
        targets = {name: vector for name, vector in probe.vectors.items() if name in self.spaces}
        rows = self._select_rows_at(probe.filters, point) if targets else np.empty(0, dtype=np.int64)
        near = [
            self.spaces[name].find_nearest_exactly(vector, rows, probe.vector_pool) for name, vector in targets.items()
        ]
        return self._gather(probe, point, words, near)

    def _gather(self, probe: Probe, point: HistoryPoint, words: WordHits, near: list[Positions]) -> PartitionHits:
        positions, scores = merge_hits(words, near)
        spaces = {**probe.vectors, **probe.compared_vectors}
        vectors = {name: self.spaces[name].read(positions) for name in spaces if name in self.spaces}
        if not self._has_all_vectors(point):
            lacking = self.rows.arrivals[positions - 1] > point.seq
            for rows in vectors.values():
                rows[lacking] = 0
        return PartitionHits(positions, scores, vectors, words.bound)

    def _select_rows_at(self, filters: tuple[Filter, ...], point: HistoryPoint) -> Positions:
        """Return the rows that were valid at the point, had vectors and pass the filters."""
        if filters:
            rows = self._keep_valid(self._find_passing(filters, point.last_position), point)
        else:
            rows = np.flatnonzero(self.rows.until[: point.last_position] > point.seq) + 1
        return self._keep_embedded(rows, point)

    def find_rough_best(
        self, terms: WeightedTerms, filters: tuple[Filter, ...], point: HistoryPoint, limit: int
    ) -> tuple[Positions, float | None]:
        """Return the best rows by today's statistics among those valid at the point, and the most another row may
        score."""
        rows, rest = self.words.search_roughly(terms, filters, point.last_position, limit)
        return self._keep_valid(rows, point), rest

    def compute_statistics(self, terms: WeightedTerms, most: int, filters: tuple[Filter, ...] = ()) -> Bm25Statistics:
        """Compute BM25 statistics of the rows up to position `most` that pass the filters."""
        count, totals = self._measure_rows(most, filters)
        averages = {kind: int(total) / count for kind, total in zip(TERM_KINDS, totals, strict=True) if total}
        document_frequency = {
            kind: {
                term: documents for term in weights if (documents := self.words.count_term(kind, term, most, filters))
            }
            for kind, weights in terms.items()
        }
        idf = {
            kind: {term: compute_idf(count, documents) for term, documents in frequencies.items()}
            for kind, frequencies in document_frequency.items()
        }
        return Bm25Statistics(count, averages, idf)

    def compute_word_bound(self, terms: WeightedTerms) -> float:
        """Return the BM25 score that no row of this snapshot exceeds."""
        count, count_rows = self.words.count, self.words.searcher.doc_freq
        return compute_bound(terms, lambda kind, term: compute_idf(count, count_rows(kind, term)))

    def _measure_rows(self, most: int, filters: tuple[Filter, ...]) -> tuple[int, Int64Array]:
        """Return how many rows those are, and the total of their terms of each kind."""
        if not filters:
            return most, self.rows.lengths[:most].sum(axis=0)
        size = self.sizes.get((most, filters))
        if size is None:
            lengths = self.rows.lengths[self._find_passing(filters, most) - 1]
            size = len(lengths), lengths.sum(axis=0)
            self.sizes.put((most, filters), size)
        return size

    def has_rows_outside(self, filters: tuple[Filter, ...]) -> bool:
        """Return whether some row fails the filters."""
        if not filters:
            return False
        mask = self.filter_cache.get_or_build(filters, self.words)
        return self._count_passing(mask, filters, self.words.count) < self.words.count

    def _count_passing(self, mask: PassMask | None, filters: tuple[Filter, ...], most: int) -> int:
        return self.words.count_passing(filters, most) if mask is None else int(np.count_nonzero(mask[:most]))

    def _find_passing(self, filters: tuple[Filter, ...], most: int) -> Positions:
        """Return all rows up to a position that pass the filters, valid or not."""
        mask = self.filter_cache.get_or_build(filters, self.words)
        if mask is None:
            return self.words.find_passing(filters, most, self.words.count)
        return _to_positions(mask[:most])

    def count(self, filters: tuple[Filter, ...], point: HistoryPoint) -> int:
        last = point.last_position
        ended = np.flatnonzero(self.rows.until[:last] <= point.seq) + 1
        if not filters:
            return last - len(ended)
        selected = self._select_few(filters, point)
        if not isinstance(selected, int):
            return len(selected)
        if not len(ended):
            return selected
        if len(ended) <= _FEW_DELETED and self.filter_cache.get(filters, self.words) is None:
            return selected - len(self.words.keep_passing(ended, filters))
        return len(self._keep_valid(self._find_passing(filters, last), point))

    def _keep_valid(self, positions: Positions, point: HistoryPoint) -> Positions:
        """Keep the rows that are valid at the point."""
        valid = self._mask_valid(positions, point)
        return positions if valid is np.True_ else positions[valid]

    def _mask_valid(self, positions: Positions, point: HistoryPoint) -> NDArray[np.bool_] | np.bool_:
        if self.rows.none_ended and point.last_position == self.words.count:
            return np.True_
        inside = positions <= point.last_position
        valid = np.zeros(len(positions), dtype=np.bool_)
        valid[inside] = self.rows.until[positions[inside] - 1] > point.seq
        return valid

    def _keep_embedded(self, positions: Positions, point: HistoryPoint) -> Positions:
        """Keep the rows that have vectors at the point."""
        if self._has_all_vectors(point):
            return positions
        return positions[self.rows.arrivals[positions - 1] <= point.seq]

    def _has_all_vectors(self, point: HistoryPoint) -> bool:
        return self.rows.all_embedded and point.seq >= self.point.seq

    def _search_words(self, probe: Probe, point: HistoryPoint) -> tuple[Positions, Float32Array]:
        selected = self._select_few(probe.filters, point) if probe.filters else 0
        if not isinstance(selected, int) or not selected:
            return self._search_filtered_words(probe, point, probe.pool)
        limit = probe.pool
        hits = self._search_words_then_filter(probe, point, limit, selected / self.words.count)
        return hits or self._search_filtered_words(probe, point, limit)

    def _search_words_then_filter(
        self, probe: Probe, point: HistoryPoint, limit: int, share: float
    ) -> tuple[Positions, Float32Array] | None:
        """Search without the filter and drop rows that fail it; return None if too few are left.

        This suits broad filters: tantivy finds the best of all rows without scoring every match, but with a filter it
        scores them all.
        """
        requested = math.ceil(limit / share * _REQUEST_SLACK)
        positions, scores = self.words.search(probe.terms, (), point.last_position, requested)
        mask = self._mask_passing(positions, probe.filters) & self._mask_valid(positions, point)
        if np.count_nonzero(mask) < limit and len(positions) >= requested / 2:
            return None
        return positions[mask][:limit], scores[mask][:limit]

    def _search_filtered_words(self, probe: Probe, point: HistoryPoint, limit: int) -> tuple[Positions, Float32Array]:
        requested = limit
        while True:
            positions, scores = self.words.search(probe.terms, probe.filters, point.last_position, requested)
            valid = self._mask_valid(positions, point)
            if valid is np.True_:
                return positions, scores
            if np.count_nonzero(valid) >= limit / 2 or len(positions) < requested / 2:
                return positions[valid][:limit], scores[valid][:limit]
            requested *= 4

    def _search_vectors(self, probe: Probe, point: HistoryPoint) -> list[Positions]:
        targets = {name: vector for name, vector in probe.vectors.items() if name in self.spaces}
        if not targets:
            return []
        share = 1.0
        if probe.filters:
            selected = self._select_few(probe.filters, point)
            if isinstance(selected, int):
                share = selected / self.words.count
            else:
                selected = self._keep_embedded(selected, point)
                return [
                    self.spaces[name].find_nearest_among(vector, selected, probe.vector_pool)
                    for name, vector in targets.items()
                ]
        return [self._find_nearest(self.spaces[name], vector, probe, point, share) for name, vector in targets.items()]

    def _select_few(self, filters: tuple[Filter, ...], point: HistoryPoint) -> Positions | int:
        """Return the valid rows that pass the filters if comparing them all is cheaper, else their number."""
        key = filters, point
        selected: Positions | int | None = self.selections.get(key)
        if selected is None:
            mask, last = self.filter_cache.get(filters, self.words), point.last_position
            count = self._count_passing(mask, filters, last)
            if count <= max(SELECTIVE_ROWS, math.isqrt(_BREAK_EVEN * self.words.count)):
                rows = self.words.find_passing(filters, last, count) if mask is None else _to_positions(mask[:last])
                selected = self._keep_valid(rows, point)
            else:
                selected = count
            self.selections.put(key, selected)
        return selected

    def _mask_passing(self, positions: Positions, filters: tuple[Filter, ...]) -> NDArray[np.bool_]:
        mask = self.filter_cache.get_or_build(filters, self.words)
        if mask is None:
            return np.isin(positions, self.words.keep_passing(positions, filters))
        return mask[positions - 1]

    def _find_nearest(
        self, space: VectorSpace, vector: Matrix, probe: Probe, point: HistoryPoint, share: float
    ) -> Positions:
        """Ask the graph for more rows until enough of them are valid and pass the filters."""
        limit = probe.vector_pool
        enough = min(limit, probe.min_candidates) if probe.terms else limit
        # Beside a word search a few may be missing: the words bring more candidates.
        expected = max(limit, _compute_request_size(enough)) if probe.terms else limit * _REQUEST_SLACK
        requested = math.ceil(expected / share) if probe.filters else limit
        while True:
            near = space.find_nearest(vector, requested, in_order=requested > limit)
            # The graph may already hold rows that are not published yet.
            passing = self._keep_embedded(self._keep_valid(near[near <= point.last_position], point), point)
            if probe.filters and len(passing):
                passing = passing[self._mask_passing(passing, probe.filters)]
            if len(passing) >= enough or len(near) < requested or requested >= _MAX_REQUESTED:
                return passing[:limit]
            requested = min(requested * 4, _MAX_REQUESTED)


def _record_lengths(terms: Iterable[DocumentTerms], lengths: list[list[int]]) -> Iterator[DocumentTerms]:
    """Yield the terms unchanged and append the number of terms of each kind to `lengths`."""
    for row in terms:
        lengths.append([row[kind].term_count if kind in row else 0 for kind in TERM_KINDS])
        yield row


def _compute_request_size(enough: int) -> float:
    """Return the expected number of passing rows that makes `enough` of them nearly certain.

    The number varies by about its square root, so solve n - _SAFETY_DEVIATIONS * sqrt(n) = enough. A second request
    costs more than a larger first one.
    """
    return ((_SAFETY_DEVIATIONS + math.sqrt(_SAFETY_DEVIATIONS**2 + 4 * enough)) / 2) ** 2


def _to_positions(mask: PassMask) -> Positions:
    return np.flatnonzero(mask) + 1
