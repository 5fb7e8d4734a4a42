"""The vectors of the embedded index: a file of vectors by position, and a graph that finds neighbours.

The graph only proposes rows. Scores are always computed from the file, so they are exact and do not depend on how a
candidate was found. Few rows need no graph: all of them are compared.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from sanya.engines.index.arrays import Int64Array, Positions, select_best
from sanya.engines.index.embedded.graph import FIRST_ROWS, NeighbourGraph
from sanya.retrieval.embedding import Matrix

EXACT_ROWS = 12_000
"""Up to this many rows are compared one by one, which takes a millisecond or two; a graph of them takes some megabytes
and several seconds to build. Every process has the same rows and so makes the same choice."""

# From here on the graph is built, a few rows with each change, so that no search waits for all of it at once. Eight
# rows a change are enough even where each change brings one row: there are four times as many rows to add as changes
# left.
_GRAPH_START_ROWS = EXACT_ROWS - FIRST_ROWS // 2
_GROW_STEP = 8

_NUMBER_BYTES = 4
_BATCH_ROWS = 2048
# Searches wait while the graph adds rows, so it adds few at a time.
_ADD_STEP = 256
# Two products of the same unit vectors in single precision differ by less than this.
_PRODUCT_ERROR = 1e-3
_DIGITS = 9


class VectorSpace:
    """Vectors of one model in one partition. Row i is position i + 1; a row of zeros stands for no vector."""

    def __init__(self, folder: Path, name: str, dim: int) -> None:
        self._file = folder / f"{name}.vectors"
        self._saved = folder / f"{name}.graph"
        self._dim = dim
        self._rows: Matrix = np.empty((0, dim), dtype=np.float32)
        self._graph: NeighbourGraph | None = None
        self._in_graph = np.zeros(0, dtype=np.bool_)
        self._is_large = False
        """True if there are too many rows to compare all of them."""
        self._embedded: Positions | None = None
        """The positions that have vectors; None if all have."""

    def write(self, first: int, vectors: Mapping[int, Matrix], last: int) -> None:
        """Write the rows of positions `first` to `last`, after truncating the file there."""
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
        """Overwrite rows that waited for their vectors."""
        self._file.touch()
        with self._file.open("r+b") as file:
            for position, vector in vectors.items():
                file.seek((position - 1) * self._dim * _NUMBER_BYTES)
                file.write(vector.astype(np.float32).tobytes())
            file.flush()
            os.fsync(file.fileno())

    def load(self, count: int, arrivals: Int64Array, seq: int, *, keep: bool) -> None:
        """Map the rows up to `count` that the file holds, and add to the graph those whose vectors arrived up to the
        change `seq`. Only a process that may `keep` writes the graph's file."""
        held = self._file.stat().st_size // (self._dim * _NUMBER_BYTES) if self._file.exists() else 0
        count = min(count, held)
        if count > len(self._rows):
            mapped = np.memmap(self._file, dtype=np.float32, mode="r", shape=(count, self._dim))
            # As a plain array: indexing a memmap costs more than reading the rows.
            self._rows = mapped.view(np.ndarray)
        arrived = np.flatnonzero(arrivals[:count] <= seq)
        if len(arrived) > _GRAPH_START_ROWS:
            self._grow_graph(arrived, arrivals, keep=keep)
        self._is_large = len(arrived) > EXACT_ROWS
        self._embedded = None if len(arrived) == count else arrived + 1

    def read(self, positions: Positions) -> Matrix:
        held = positions <= len(self._rows)
        if held.all():
            return self._rows.take(positions - 1, axis=0)
        rows = np.zeros((len(positions), self._dim), dtype=np.float32)
        rows[held] = self._rows[positions[held] - 1]
        return rows

    def find_nearest(self, vector: Matrix, limit: int, *, in_order: bool = True) -> Positions:
        """Return about the `limit` nearest rows, nearest first. A caller that takes all of them can skip the sort with
        `in_order=False`."""
        if self._is_large and self._graph is not None and len(self._graph):
            return self._graph.search(vector, limit)
        rows = self._rows if self._embedded is None else self.read(self._embedded)
        scores = np.asarray(rows @ vector)
        best = select_best(scores, np.arange(len(scores)), limit)
        if in_order:
            best = best[np.argsort(-scores[best], kind="stable")]
        return best + 1 if self._embedded is None else self._embedded[best]

    def find_nearest_among(self, vector: Matrix, positions: Positions, limit: int) -> Positions:
        """Return the nearest among given rows, compared one by one."""
        return select_best(self.read(positions) @ vector, positions, limit)

    def find_nearest_exactly(self, vector: Matrix, positions: Positions, limit: int) -> Positions:
        """Return the nearest among given rows, independent of which other rows there are.

        BLAS may give other last bits for a product of many rows than for one of few. So rows near the edge are
        compared again, each by itself, in double precision and rounded.
        """
        edge, nearest = -np.inf, np.empty(0, dtype=np.int64)
        scores = np.empty(0, dtype=np.float32)
        for start in range(0, len(positions), _BATCH_ROWS):
            batch = positions[start : start + _BATCH_ROWS]
            batch_scores = np.asarray(self.read(batch) @ vector)
            near = batch_scores >= edge
            nearest, scores = np.concatenate([nearest, batch[near]]), np.concatenate([scores, batch_scores[near]])
            if len(scores) > limit:
                edge = np.partition(scores, len(scores) - limit)[len(scores) - limit] - _PRODUCT_ERROR
                nearest, scores = nearest[scores >= edge], scores[scores >= edge]
        products = self.read(nearest).astype(np.float64) * vector.astype(np.float64)
        return select_best(np.asarray(np.round(products.sum(axis=1), _DIGITS)), nearest, limit)

    def _grow_graph(self, arrived: Positions, arrivals: Int64Array, *, keep: bool) -> None:
        """Add rows to the graph in the order in which their vectors arrived, so that every process builds the same
        graph. While searches still compare all rows, add a few rows at a time; after that, all that are missing."""
        if self._graph is None:
            self._graph = NeighbourGraph(self._saved, self._dim)
            self._in_graph = np.zeros(len(self._rows), dtype=np.bool_)
            self._in_graph[self._graph.keys - 1] = True
        grown = np.zeros(len(self._rows) - len(self._in_graph), dtype=np.bool_)
        self._in_graph = np.concatenate([self._in_graph, grown])
        missing = arrived[~self._in_graph[arrived]]
        missing = missing[np.argsort(arrivals[missing], kind="stable")]
        if len(arrived) > EXACT_ROWS:
            missing = self._keep_embedded(missing)
        else:
            missing = self._keep_embedded(missing[: 2 * FIRST_ROWS])[: _GROW_STEP if len(self._graph) else FIRST_ROWS]
        while len(missing):
            batch = missing[:_ADD_STEP] if len(self._graph) else missing[:FIRST_ROWS]
            added = self._graph.add(batch + 1, np.asarray(self._rows[batch]), keep=keep)
            if not added:
                return
            self._in_graph[batch[:added]] = True
            missing = missing[added:]

    def _keep_embedded(self, rows: Positions) -> Positions:
        parts = [rows[start : start + _BATCH_ROWS] for start in range(0, len(rows), _BATCH_ROWS)]
        return np.concatenate([rows[:0], *(batch[self._rows[batch].any(axis=1)] for batch in parts)])
