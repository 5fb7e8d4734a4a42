"""Embeds a text once: vectors that the store already holds, by model and content, or that came with the package, are
taken from there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sanya.engines.embedders.bundled_vectors import ShippedVectors
from sanya.engines.index.store import IndexStore, content_hash
from sanya.retrieval.embedding import Embedder, Matrix, Model


class CachedEmbedder:
    """Fills nothing itself: a vector enters the store together with its document."""

    def __init__(self, inner: Embedder, store: IndexStore, shipped: ShippedVectors | None = None) -> None:
        self._inner = inner
        self._store = store
        self._shipped = shipped

    @property
    def model(self) -> Model:
        return self._inner.model

    async def embed(self, texts: Sequence[str]) -> Matrix:
        if len(texts) < 2:
            return await self._inner.embed(texts)
        hashes = [content_hash(text) for text in texts]
        known = self._shipped.vectors(self.model, hashes) if self._shipped else {}
        known |= await self._store.vectors(self.model, sorted(set(hashes) - known.keys()))
        missing = [at for at, one in enumerate(hashes) if one not in known]
        rows = np.empty((len(texts), self.model.dim), dtype=np.float32)
        for at, one in enumerate(hashes):
            if one in known:
                rows[at] = known[one]
        if missing:
            rows[missing] = await self._inner.embed([texts[at] for at in missing])
        return rows
