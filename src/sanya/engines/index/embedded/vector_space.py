"""The meaning side of the embedded index: a file of vectors by position, and a graph that finds neighbours.

The graph only proposes; scores are always taken from the file, so they are exact, and the same whichever way a
candidate was found. Few rows need no graph: all are compared.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.embedded.columns import Numbers
from sanya.engines.index.embedded.graph import FIRST_ROWS, NeighbourGraph
from sanya.engines.index.embedded.word_index import Positions
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.scoring import nearest_rows

EXACT_ROWS = 12_000
"""Up to so many rows are compared one by one, which takes a millisecond or two; a graph of them takes some megabytes
and several seconds to build. Who searches has the same rows before it and so goes the same way, whoever it is."""

# From here on the graph is built, a little with each change, so that nobody waits for all of it at once. So few at once
# are enough where changes bring a row each: there are four times as many rows to add as changes until it is needed.
_BEGUN_ROWS = EXACT_ROWS - FIRST_ROWS // 2
_AHEAD_AT_ONCE = 8

_NUMBER_BYTES = 4
_ROWS_AT_ONCE = 2048
# While the graph takes in rows, searches wait.
_ADDED_AT_ONCE = 256
# By how much two products of the same unit vectors may differ, in single precision, with room to spare.
_PRODUCT_ERROR = 1e-3
_DIGITS = 9


class VectorSpace:
    """Vectors of one model in one partition. Row i is that of position i + 1; a row of zeros has no vector."""

    def __init__(self, folder: Path, name: str, dim: int) -> None:
        self._file = folder / f"{name}.vectors"
        self._saved = folder / f"{name}.graph"
        self._dim = dim
        self._rows: Matrix = np.empty((0, dim), dtype=np.float32)
        self._graph: NeighbourGraph | None = None
        self._in_graph = np.zeros(0, dtype=np.bool_)
        self._is_large = False
        """Whether there are too many rows to compare all of them."""
        self._embedded: Positions | None = None
        """The rows that have vectors, in the order in which these came; None when that is all rows, in their order."""

    def write(self, first: int, vectors: Mapping[int, Matrix], last: int) -> None:
        """Writes the rows of positions `first` to `last`; whatever stood there or behind is cut off first."""
        block = np.zeros((last - first + 1, self._dim), dtype=np.float32)
        for position, vector in vectors.items():
            block[position - first] = vector
        self._file.touch()
        with self._file.open("r+b") as file:
            file.truncate((first - 1) * self._dim * _NUMBER_BYTES)
            file.seek(0, os.SEEK_END)
            file.write(block.tobytes())
            file.flush()
            os.fsync(file.fileno())

    def put(self, vectors: Mapping[int, Matrix]) -> None:
        """Writes over rows that awaited their vectors."""
        self._file.touch()
        with self._file.open("r+b") as file:
            for position, vector in vectors.items():
                file.seek((position - 1) * self._dim * _NUMBER_BYTES)
                file.write(vector.astype(np.float32).tobytes())
            file.flush()
            os.fsync(file.fileno())

    def load(self, count: int, arrivals: Numbers, seq: int, *, keep: bool) -> None:
        """Takes in the rows up to `count` that the file holds, and lets the graph grow to those of them that have their
        vectors since the change `seq` or before. Only who may `keep` writes the graph's file."""
        held = self._file.stat().st_size // (self._dim * _NUMBER_BYTES) if self._file.exists() else 0
        count = min(count, held)
        if count > len(self._rows):
            mapped = np.memmap(self._file, dtype=np.float32, mode="r", shape=(count, self._dim))
            # As a plain array: a memmap's own indexing costs more than the rows.
            self._rows = mapped.view(np.ndarray)
        arrived = np.flatnonzero(arrivals[:count] <= seq)
        if len(arrived) > _BEGUN_ROWS:
            self._grow_graph(arrived, arrivals, keep=keep)
        self._is_large = len(arrived) > EXACT_ROWS
        self._embedded = None if len(arrived) == count else arrived + 1

    def vectors(self, positions: Positions) -> Matrix:
        held = positions <= len(self._rows)
        if held.all():
            return self._rows.take(positions - 1, axis=0)
        rows = np.zeros((len(positions), self._dim), dtype=np.float32)
        rows[held] = self._rows[positions[held] - 1]
        return rows

    def nearest(self, vector: Matrix, limit: int, *, in_order: bool = True) -> Positions:
        """About the `limit` nearest rows, the nearest first: who filters them keeps the first that pass. Who takes all
        of them is spared the time for the order."""
        if self._is_large and self._graph is not None and len(self._graph):
            return self._graph.search(vector, limit)
        rows = self._rows if self._embedded is None else self.vectors(self._embedded)
        scores = np.asarray(rows @ vector)
        best = best_rows(scores, np.arange(len(scores)), limit)
        if in_order:
            best = best[np.argsort(-scores[best], kind="stable")]
        return best + 1 if self._embedded is None else self._embedded[best]

    def nearest_of(self, vector: Matrix, positions: Positions, limit: int) -> Positions:
        """The nearest among given rows, exactly."""
        return best_rows(self.vectors(positions) @ vector, positions, limit)

    def nearest_for_ever(self, vector: Matrix, positions: Positions, limit: int) -> Positions:
        """The nearest among given rows, and the same ones whatever other rows there are: a product of many rows may
        differ in its last bits from that of few, so those near the edge are compared again, each for itself."""
        edge, kept = -np.inf, np.empty(0, dtype=np.int64)
        scores = np.empty(0, dtype=np.float32)
        for start in range(0, len(positions), _ROWS_AT_ONCE):
            some = positions[start : start + _ROWS_AT_ONCE]
            found = np.asarray(self.vectors(some) @ vector)
            near = found >= edge
            kept, scores = np.concatenate([kept, some[near]]), np.concatenate([scores, found[near]])
            if len(scores) > limit:
                edge = np.partition(scores, len(scores) - limit)[len(scores) - limit] - _PRODUCT_ERROR
                kept, scores = kept[scores >= edge], scores[scores >= edge]
        products = self.vectors(kept).astype(np.float64) * vector.astype(np.float64)
        return best_rows(np.asarray(np.round(products.sum(axis=1), _DIGITS)), kept, limit)

    def _grow_graph(self, arrived: Positions, arrivals: Numbers, *, keep: bool) -> None:
        """In the order in which vectors came, whichever process does it and however often it starts anew. While all
        rows are still compared, by a few; then by all that there are."""
        if self._graph is None:
            self._graph = NeighbourGraph(self._saved, self._dim)
            self._in_graph = np.zeros(len(self._rows), dtype=np.bool_)
            self._in_graph[self._graph.keys - 1] = True
        grown = np.zeros(len(self._rows) - len(self._in_graph), dtype=np.bool_)
        self._in_graph = np.concatenate([self._in_graph, grown])
        fresh = arrived[~self._in_graph[arrived]]
        fresh = fresh[np.argsort(arrivals[fresh], kind="stable")]
        if len(arrived) > EXACT_ROWS:
            fresh = self._with_vectors(fresh)
        else:
            fresh = self._with_vectors(fresh[: 2 * FIRST_ROWS])[: _AHEAD_AT_ONCE if len(self._graph) else FIRST_ROWS]
        while len(fresh):
            some = fresh[:_ADDED_AT_ONCE] if len(self._graph) else fresh[:FIRST_ROWS]
            added = self._graph.add(some + 1, np.asarray(self._rows[some]), keep=keep)
            if not added:
                return
            self._in_graph[some[:added]] = True
            fresh = fresh[added:]

    def _with_vectors(self, rows: Positions) -> Positions:
        parts = [rows[start : start + _ROWS_AT_ONCE] for start in range(0, len(rows), _ROWS_AT_ONCE)]
        return np.concatenate([rows[:0], *(some[self._rows[some].any(axis=1)] for some in parts)])


def best_rows(scores: NDArray[np.floating[Any]], positions: Positions, limit: int) -> Positions:
    """The positions of the highest scores; of equal ones at the edge, the first."""
    if len(scores) <= limit:
        return positions
    nearest = nearest_rows(scores, positions, limit)
    return _best_rows(scores, positions, limit) if nearest is None else nearest


def _best_rows(scores: NDArray[np.floating[Any]], positions: Positions, limit: int) -> Positions:
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    above = positions[scores > edge]
    level = np.sort(positions[scores == edge])
    return np.concatenate([above, level[: limit - len(above)]])
