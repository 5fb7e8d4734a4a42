"""A graph of neighbours (usearch) that depends on nothing but which vectors came, in which order.

A graph draws its levels at random, from a sequence that begins anew when the graph is loaded or outgrows its room, and
threads that build it race. So one thread builds; at fixed sizes the graph is written to its file and read back, and
what is written elsewhere is never read: whoever builds it, in one go or over many starts, gets the same graph.
"""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from usearch.index import Index

from sanya.engines.index.embedded.word_index import Positions
from sanya.retrieval.embedding import Matrix

FIRST_ROWS = 4096
"""A graph begins with so many at once. Before that there is none."""

_EXPANSION_ADD = 128
_EXPANSION_SEARCH = 56
# How widely it is searched from so many rows on: a larger graph must be, for the same recall.
_WIDER = ((200_000, 128), (500_000, 320))
# Between two fixed sizes lies a sixteenth of the power of two below: so many rows, at most, does a start add again.
_PARTS = 16


class NeighbourGraph:
    """It holds coarse vectors (one byte a number) and only proposes."""

    def __init__(self, file: Path, dim: int) -> None:
        self._file = file
        self._dim = dim
        # The graph is not built to be read while it grows.
        self._turn = Lock()
        self._graph = self._loaded(file) if file.exists() else self._empty()

    def __len__(self) -> int:
        return len(self._graph)

    @property
    def keys(self) -> Positions:
        return np.asarray(self._graph.keys, dtype=np.int64)

    def add(self, positions: Positions, rows: Matrix, *, keep: bool) -> int:
        """Adds the first of the given rows and returns how many: none while a graph cannot begin. Only who may `keep`
        writes the file that the next start reads."""
        room = next_size(len(self)) - len(self)
        if len(positions) < room and not len(self):
            return 0
        with self._turn:
            self._graph.add(positions[:room], rows[:room], threads=1)
        if len(positions) >= room:
            self._begin_anew(keep=keep)
        return min(room, len(positions))

    def search(self, vector: Matrix, limit: int) -> Positions:
        with self._turn:
            return np.asarray(self._graph.search(vector, limit, threads=1).keys, dtype=np.int64)

    def _begin_anew(self, *, keep: bool) -> None:
        written = self._file.with_suffix(f".{os.getpid()}")
        try:
            self._graph.save(str(written))
            loaded = self._loaded(written)
            if keep:
                written.replace(self._file)
        finally:
            written.unlink(missing_ok=True)
        with self._turn:
            self._graph = loaded

    def _loaded(self, file: Path) -> Index:
        graph = self._empty()
        graph.load(str(file))
        settable: Any = graph  # its types know the next line's property as one to read only
        settable.expansion_search = max([_EXPANSION_SEARCH, *(width for rows, width in _WIDER if len(graph) >= rows)])
        return graph

    def _empty(self) -> Index:
        return Index(
            ndim=self._dim,
            metric="cos",
            dtype="i8",
            expansion_add=_EXPANSION_ADD,
            expansion_search=_EXPANSION_SEARCH,
        )


def next_size(count: int) -> int:
    """The fixed size after `count`. Powers of two are among them, so that no graph outgrows its room in between."""
    step = max(FIRST_ROWS, (1 << max(0, count.bit_length() - 1)) // _PARTS)
    return (count // step + 1) * step
