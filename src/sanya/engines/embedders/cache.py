"""An embedder that reuses vectors: those in the store, by model and content, and those bundled with the package."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from sanya.engines.embedders.bundled_vectors import BundledVectors
from sanya.engines.index.store import IndexStore, hash_content
from sanya.retrieval.embedding import Embedder, Matrix, Model
from sanya.retrieval.embedding_status import EmbeddingCounts


class CachedEmbedder:
    """Reads vectors that exist and embeds the rest. It stores nothing: a vector enters the store with its document."""

    def __init__(
        self,
        inner: Embedder,
        store: IndexStore,
        bundled: BundledVectors | None = None,
        counts: EmbeddingCounts | None = None,
    ) -> None:
        self._counts = counts or EmbeddingCounts()
        self._inner = inner
        self._store = store
        self._bundled = bundled

    @property
    def model(self) -> Model:
        return self._inner.model

    async def embed(self, texts: Sequence[str]) -> Matrix:
        if len(texts) < 2:
            return await self._embed(texts)
        hashes = [hash_content(text) for text in texts]
        known = self._bundled.find(self.model, hashes) if self._bundled else {}
        known |= await self._store.read_vectors(self.model, sorted(set(hashes) - known.keys()))
        missing = [row for row, digest in enumerate(hashes) if digest not in known]
        rows = np.empty((len(texts), self.model.dim), dtype=np.float32)
        for row, digest in enumerate(hashes):
            if digest in known:
                rows[row] = known[digest]
        self._counts.reused += len(texts) - len(missing)
        if missing:
            rows[missing] = await self._embed([texts[row] for row in missing])
        return rows

    async def _embed(self, texts: Sequence[str]) -> Matrix:
        began = perf_counter()
        rows = await self._inner.embed(texts)
        self._counts.embedded += len(texts)
        self._counts.seconds += perf_counter() - began
        return rows
