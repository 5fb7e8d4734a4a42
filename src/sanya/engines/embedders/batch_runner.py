"""Implements the embedder port with a function from texts to vectors: in batches, on all cores, cancellable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from sanya.engines.embedders.local import replace_surrogates
from sanya.engines.embedders.workers import Workers
from sanya.kernel.lru import LruCache
from sanya.retrieval.embedding import Matrix, Model

_BATCH_TEXTS = 16
_CACHED_QUERIES = 2048


class BatchEmbedder:
    """Calls `encode` from several threads. Vectors of single texts, which are queries, are cached."""

    def __init__(self, model: Model, encode: Callable[[Sequence[str]], Matrix]) -> None:
        self.model = model
        self._encode = encode
        self._workers = Workers(model.name[:8])
        self._known: LruCache[str, Matrix] = LruCache(_CACHED_QUERIES)

    async def embed(self, texts: Sequence[str]) -> Matrix:
        known = self._known.get(texts[0]) if len(texts) == 1 else None
        if known is not None:
            return known
        rows = np.empty((len(texts), self.model.dim), dtype=np.float32)
        # Cancelling the caller drops batches that have not started.
        async with asyncio.TaskGroup() as group:
            for start in range(0, len(texts), _BATCH_TEXTS):
                group.create_task(self._fill(rows, start, texts))
        if len(texts) == 1:
            self._known.put(texts[0], rows)
        return rows

    def close(self) -> None:
        self._workers.close()

    async def _fill(self, rows: Matrix, start: int, texts: Sequence[str]) -> None:
        clean = [replace_surrogates(text) for text in texts[start : start + _BATCH_TEXTS]]
        rows[start : start + len(clean)] = await self._workers.run(partial(self._encode, clean), len(texts))
