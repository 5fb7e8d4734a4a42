"""Implements the embedder port with a local model: in batches, on all cores."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from sanya.engines.embedders.workers import Workers
from sanya.kernel.lru import LruCache
from sanya.retrieval.embedding import Matrix, Model

_BATCH_TOKENS = 1024
_MAX_CHARACTERS = 20_000
_CACHED_QUERIES = 2048


class LocalModel(Protocol):
    @property
    def model(self) -> Model: ...

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]: ...

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix: ...


class LocalEmbedder:
    """Loads its model on first use. Vectors of single texts, which are queries, are cached."""

    def __init__(self, model: Model, load: Callable[[], LocalModel]) -> None:
        self.model = model
        self._load = load
        self._loaded: LocalModel | None = None
        self._loading = threading.Lock()
        self._workers = Workers(model.name[:8])
        self._known: LruCache[str, Matrix] = LruCache(_CACHED_QUERIES)

    async def embed(self, texts: Sequence[str]) -> Matrix:
        if not texts:
            return np.empty((0, self.model.dim), dtype=np.float32)
        if len(texts) == 1:
            return await self._embed_query(texts[0])
        return await self._embed_all(texts)

    def close(self) -> None:
        self._workers.close()

    async def _embed_query(self, text: str) -> Matrix:
        known = self._known.get(text)
        if known is not None:
            return known
        # Tokenize and encode in one piece of work: a query is short, and a hop to a thread is a large part of its time.
        rows = await self._workers.run(partial(self._embed_one, text), 1)
        self._known.put(text, rows)
        return rows

    def _embed_one(self, text: str) -> Matrix:
        return self._get_model().encode(self._tokenize([text]))

    async def _embed_all(self, texts: Sequence[str]) -> Matrix:
        ids = await self._workers.run(partial(self._tokenize, texts), len(texts))
        rows = np.empty((len(texts), self.model.dim), dtype=np.float32)
        # Cancelling the caller drops batches that have not started; a running one takes a fraction of a second.
        async with asyncio.TaskGroup() as group:
            for batch in _group_batches(ids):
                group.create_task(self._fill(rows, batch, ids))
        return rows

    async def _fill(self, rows: Matrix, batch: list[int], ids: list[list[int]]) -> None:
        model = self._get_model()
        rows[batch] = await self._workers.run(partial(model.encode, [ids[at] for at in batch]), len(ids))

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return self._get_model().tokenize([replace_surrogates(text[:_MAX_CHARACTERS]) for text in texts])

    def _get_model(self) -> LocalModel:
        with self._loading:
            if self._loaded is None:
                # One thread for each batch and one batch for each core is faster than all cores on one product.
                threadpool_limits(1, "blas")
                self._loaded = self._load()
            return self._loaded


def _group_batches(ids: Sequence[Sequence[int]]) -> list[list[int]]:
    """Group texts of similar length, longest first, so that the last batches to finish are short. Return text
    numbers."""
    batches: list[list[int]] = []
    capacity = 0
    for text in sorted(range(len(ids)), key=lambda text: (-len(ids[text]), text)):
        if len(ids[text]) > capacity:
            batches.append([])
            capacity = _BATCH_TOKENS
        batches[-1].append(text)
        capacity -= len(ids[text])
    return batches


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which no tokenizer takes, by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
