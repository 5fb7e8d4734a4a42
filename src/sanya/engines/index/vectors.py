"""The meaning side of the embedded index: a file of vectors by position, and a graph (usearch) that finds neighbours.

The graph holds coarse vectors (one byte a number) and only proposes; scores are always taken from the file, so they are
exact, and the same whichever way a candidate was found. Few rows need no graph: all are compared.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from usearch.index import Index as Graph

from sanya.engines.index.columns import Numbers
from sanya.engines.index.words import Positions
from sanya.retrieval.embedding import Matrix

EXACT_ROWS = 10_000
"""Up to so many rows are compared one by one."""

_NUMBER_BYTES = 4
# How widely the graph is searched: a larger one must be, for the same recall.
_EXPANSION_SEARCH = 64
_EXPANSION_SEARCH_LARGE = 128
_LARGE_ROWS = 200_000
_EXPANSION_ADD = 128
_ROWS_AT_ONCE = 2048
_ROWS_FOR_ALL_CORES = 512
_SAVE_GROWTH = 1.25
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
        self._graph: Graph | None = None
        self._looked_at = np.zeros(0, dtype=np.bool_)
        self._in_saved = 0
        # The graph is not built to be read while it grows.
        self._turn = Lock()

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

    def load(self, count: int, arrivals: Numbers, seq: int) -> None:
        """Takes in the rows up to `count` that the file holds, and lets the graph grow to those of them that have their
        vectors since the change `seq` or before."""
        held = self._file.stat().st_size // (self._dim * _NUMBER_BYTES) if self._file.exists() else 0
        count = min(count, held)
        if count > len(self._rows):
            mapped = np.memmap(self._file, dtype=np.float32, mode="r", shape=(count, self._dim))
            # As a plain array: a memmap's own indexing costs more than the rows.
            self._rows = mapped.view(np.ndarray)
        if count > EXACT_ROWS:
            self._grow_graph(count, arrivals[:count], seq)

    def save(self, *, closing: bool = False) -> None:
        """Keeps the graph for the next start, when it has grown enough to be worth the writing."""
        if self._graph is None or len(self._graph) < self._in_saved * (1.0 if closing else _SAVE_GROWTH) + 1:
            return
        unfinished = self._saved.with_suffix(".unfinished")
        with self._turn:
            self._graph.save(str(unfinished))
            self._in_saved = len(self._graph)
        unfinished.replace(self._saved)

    def vectors(self, positions: Positions) -> Matrix:
        held = positions <= len(self._rows)
        if held.all():
            return np.asarray(self._rows[positions - 1])
        rows = np.zeros((len(positions), self._dim), dtype=np.float32)
        rows[held] = self._rows[positions[held] - 1]
        return rows

    def nearest(self, vector: Matrix, limit: int) -> Positions:
        """About the `limit` nearest rows, in no order; all rows that could matter when they are few."""
        count = len(self._rows)
        if count <= EXACT_ROWS:
            return best_rows(np.asarray(self._rows @ vector), np.arange(1, count + 1), limit)
        assert self._graph is not None
        with self._turn:
            proposed = self._graph.search(vector, limit, threads=1).keys
        return np.asarray(proposed, dtype=np.int64)

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

    def _grow_graph(self, count: int, arrivals: Numbers, seq: int) -> None:
        """In the order in which vectors came, whichever process does it and however often it starts anew."""
        self._looked_at = np.concatenate([self._looked_at, np.zeros(count - len(self._looked_at), dtype=np.bool_)])
        with self._turn:
            if self._graph is None:
                self._graph = self._open_graph()
                self._in_saved = len(self._graph)
                self._looked_at[np.asarray(self._graph.keys, dtype=np.int64) - 1] = True
        graph: Any = self._graph  # its types know `expansion_search` as one to read only
        fresh = np.flatnonzero(~self._looked_at[:count] & (arrivals <= seq))
        fresh = fresh[np.argsort(arrivals[fresh], kind="stable")]
        for start in range(0, len(fresh), _ROWS_AT_ONCE):
            some = fresh[start : start + _ROWS_AT_ONCE]
            rows = np.asarray(self._rows[some])
            known = rows.any(axis=1)
            with self._turn:
                graph.add(some[known] + 1, rows[known], threads=0 if len(some) >= _ROWS_FOR_ALL_CORES else 1)
            self._looked_at[some] = True
        graph.expansion_search = _EXPANSION_SEARCH if count < _LARGE_ROWS else _EXPANSION_SEARCH_LARGE

    def _open_graph(self) -> Graph:
        graph = Graph(
            ndim=self._dim,
            metric="cos",
            dtype="i8",
            expansion_add=_EXPANSION_ADD,
            expansion_search=_EXPANSION_SEARCH,
        )
        if self._saved.exists():
            graph.load(str(self._saved))
        return graph


def best_rows(scores: NDArray[np.floating[Any]], positions: Positions, limit: int) -> Positions:
    """The positions of the highest scores; of equal ones at the edge, the first."""
    if len(scores) <= limit:
        return positions
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    above = positions[scores > edge]
    level = np.sort(positions[scores == edge])
    return np.concatenate([above, level[: limit - len(above)]])
