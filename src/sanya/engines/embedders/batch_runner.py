"""Runs a library that takes texts and gives vectors for the embedder port: in batches, on all cores, cancellable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from sanya.engines.embedders.local import readable
from sanya.engines.embedders.workers import Workers
from sanya.kernel.lru import LruCache
from sanya.retrieval.embedding import Matrix, Model

_TEXTS_AT_ONCE = 16
_REMEMBERED = 2048


class BatchedEmbedder:
    """`encode` is called from several threads. Single texts, which are queries, are remembered."""

    def __init__(self, model: Model, encode: Callable[[Sequence[str]], Matrix]) -> None:
        self.model = model
        self._encode = encode
        self._workers = Workers(model.name[:8])
        self._known: LruCache[str, Matrix] = LruCache(_REMEMBERED)

    async def embed(self, texts: Sequence[str]) -> Matrix:
        known = self._known.get(texts[0]) if len(texts) == 1 else None
        if known is not None:
            return known
        rows = np.empty((len(texts), self.model.dim), dtype=np.float32)
        # Batches not yet begun are dropped when the caller goes away.
        async with asyncio.TaskGroup() as group:
            for start in range(0, len(texts), _TEXTS_AT_ONCE):
                group.create_task(self._fill(rows, start, texts))
        if len(texts) == 1:
            self._known.put(texts[0], rows)
        return rows

    def close(self) -> None:
        self._workers.close()

    async def _fill(self, rows: Matrix, start: int, texts: Sequence[str]) -> None:
        clean = [readable(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
        rows[start : start + len(clean)] = await self._workers.run(partial(self._encode, clean), len(texts))
