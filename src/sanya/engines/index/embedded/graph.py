"""A graph of neighbours (HNSW, by usearch) that depends only on the vectors and the order in which they came.

Two processes must answer alike, and a restart must not change an answer, so the graph has to be the same however it was
built. HNSW does not give that for free, for three reasons. Threads that add rows race; so one thread adds. usearch
draws the level of each row from a pseudo-random sequence that starts again whenever a graph is loaded; so every builder
must load at the same sizes. And it starts again when the graph outgrows its capacity; so capacity must be outgrown at
those sizes only.

Hence the fixed sizes of `compute_next_size`, powers of two among them. Whenever the graph reaches one, it is saved and
loaded back, by every builder, and only a graph saved at a fixed size is ever read from disk. A process that starts
loads the last fixed size and adds the rows since, in the order in which their vectors arrived. It gets the graph that
a process has which never stopped.
"""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from sanya.engines.index.arrays import Positions
from sanya.retrieval.embedding import Matrix

if TYPE_CHECKING:
    from usearch.index import Index

FIRST_ROWS = 4096
"""A graph starts with this many rows at once. Below that there is none."""

_EXPANSION_ADD = 128
_EXPANSION_SEARCH = 56
# (rows, expansion): a larger graph is searched more widely, for the same recall.
_WIDER_SEARCH = ((200_000, 128), (500_000, 320))
# Fixed sizes per doubling: a start adds at most a sixteenth of the rows again.
_STEPS_PER_DOUBLING = 16


class NeighbourGraph:
    """Proposes neighbours. It holds quantized vectors, one byte a number, so exact scores come from elsewhere."""

    def __init__(self, file: Path, dim: int) -> None:
        self._file = file
        self._dim = dim
        # usearch does not allow a search while rows are added.
        self._lock = Lock()
        self._graph = self._load(file) if file.exists() else None

    def __len__(self) -> int:
        return 0 if self._graph is None else len(self._graph)

    @property
    def keys(self) -> Positions:
        return np.asarray([] if self._graph is None else self._graph.keys, dtype=np.int64)

    def add(self, positions: Positions, rows: Matrix, *, keep: bool) -> int:
        """Add the first of the given rows, up to the next fixed size, and return how many; 0 while they are too few to
        start a graph. Only a process that may `keep` replaces the file that the next start loads."""
        room = compute_next_size(len(self)) - len(self)
        if len(positions) < room and not len(self):
            return 0
        graph = self._create_empty() if self._graph is None else self._graph
        with self._lock:
            graph.add(positions[:room], rows[:room], threads=1)
            self._graph = graph
        if len(positions) >= room:
            self._reload(graph, keep=keep)
        return min(room, len(positions))

    def search(self, vector: Matrix, limit: int) -> Positions:
        with self._lock:
            if self._graph is None:
                return np.empty(0, dtype=np.int64)
            return np.asarray(self._graph.search(vector, limit, threads=1).keys, dtype=np.int64)

    def _reload(self, graph: Index, *, keep: bool) -> None:
        saved = self._file.with_suffix(f".{os.getpid()}")
        try:
            graph.save(str(saved))
            loaded = self._load(saved)
            if keep:
                saved.replace(self._file)
        finally:
            saved.unlink(missing_ok=True)
        with self._lock:
            self._graph = loaded

    def _load(self, file: Path) -> Index:
        graph = self._create_empty()
        graph.load(str(file))
        settable: Any = graph  # its type stubs declare the next property read-only
        settable.expansion_search = max(
            [_EXPANSION_SEARCH, *(width for rows, width in _WIDER_SEARCH if len(graph) >= rows)]
        )
        return graph

    def _create_empty(self) -> Index:
        from usearch.index import Index  # here: few partitions grow to have a graph, and it imports an HTTP client

        return Index(
            ndim=self._dim,
            metric="cos",
            dtype="i8",
            expansion_add=_EXPANSION_ADD,
            expansion_search=_EXPANSION_SEARCH,
        )


def compute_next_size(count: int) -> int:
    """Return the fixed size after `count`. Powers of two are among them, because usearch doubles its capacity there."""
    step = max(FIRST_ROWS, (1 << max(0, count.bit_length() - 1)) // _STEPS_PER_DOUBLING)
    return (count // step + 1) * step
