"""Runs a model of this machine for the embedder port: in batches, on all cores."""

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

_TOKENS_AT_ONCE = 1024
_MOST_CHARACTERS = 20_000
_REMEMBERED = 2048


class LocalModel(Protocol):
    @property
    def model(self) -> Model: ...

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]: ...

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix: ...


class LocalEmbedder:
    """Loads its model when it is first asked. Single texts, which are queries, are remembered."""

    def __init__(self, model: Model, load: Callable[[], LocalModel]) -> None:
        self.model = model
        self._load = load
        self._loaded: LocalModel | None = None
        self._loading = threading.Lock()
        self._workers = Workers(model.name[:8])
        self._known: LruCache[str, Matrix] = LruCache(_REMEMBERED)

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
        # In one piece of work: a query is short, and each hop to a thread is a share of its time.
        rows = await self._workers.run(partial(self._embed_one, text), 1)
        self._known.put(text, rows)
        return rows

    def _embed_one(self, text: str) -> Matrix:
        return self._ready().encode(self._tokenize([text]))

    async def _embed_all(self, texts: Sequence[str]) -> Matrix:
        ids = await self._workers.run(partial(self._tokenize, texts), len(texts))
        rows = np.empty((len(texts), self.model.dim), dtype=np.float32)
        # Batches not yet begun are dropped when the caller goes away; one that runs is a fraction of a second.
        async with asyncio.TaskGroup() as group:
            for batch in _batches(ids):
                group.create_task(self._fill(rows, batch, ids))
        return rows

    async def _fill(self, rows: Matrix, batch: list[int], ids: list[list[int]]) -> None:
        model = self._ready()
        rows[batch] = await self._workers.run(partial(model.encode, [ids[at] for at in batch]), len(ids))

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return self._ready().tokenize([readable(text[:_MOST_CHARACTERS]) for text in texts])

    def _ready(self) -> LocalModel:
        with self._loading:
            if self._loaded is None:
                # One thread a batch and a batch a core, rather than all cores on one product after another.
                threadpool_limits(1, "blas")
                self._loaded = self._load()
            return self._loaded


def _batches(ids: Sequence[Sequence[int]]) -> list[list[int]]:
    """Texts of like length together, the longest first, so that the last batches to finish are short."""
    batches: list[list[int]] = []
    room = 0
    for at in sorted(range(len(ids)), key=lambda one: (-len(ids[one]), one)):
        if len(ids[at]) > room:
            batches.append([])
            room = _TOKENS_AT_ONCE
        batches[-1].append(at)
        room -= len(ids[at])
    return batches


def readable(text: str) -> str:
    """Half characters, which no tokenizer takes, are read as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
