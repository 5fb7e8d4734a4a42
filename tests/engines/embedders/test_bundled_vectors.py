"""Bundled vectors, and the embedder that uses them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sanya.engines.embedders.bundled_vectors import BundledVectors, encode_vectors
from sanya.engines.embedders.cache import CachedEmbedder
from sanya.engines.index.store import IndexStore, hash_content
from sanya.kernel.storage.database import Database
from sanya.retrieval.embedding import Matrix, Model

MODEL = Model("small", 4, "digest of small")
ROW = np.array([0.5, 0.5, 0.5, 0.5], dtype=np.float32)


class Counting:
    """Embeds every text alike and records the texts."""

    model = MODEL

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Matrix:
        self.asked += texts
        return np.tile(np.array([1, 0, 0, 0], dtype=np.float32), (len(texts), 1))


def write_bundled(folder: Path, digest: str = MODEL.digest) -> BundledVectors:
    file = folder / "vectors.npz"
    file.write_bytes(encode_vectors({digest: {hash_content("known"): ROW}}))
    return BundledVectors(file)


async def test_a_text_that_came_with_its_vector_is_not_embedded(database: Database, tmp_path: Path) -> None:
    inner = Counting()
    embedder = CachedEmbedder(inner, IndexStore(database), write_bundled(tmp_path))
    rows = await embedder.embed(["known", "new"])
    assert inner.asked == ["new"]
    assert rows.tolist() == [ROW.tolist(), [1, 0, 0, 0]]


async def test_vectors_of_another_model_are_not_taken(database: Database, tmp_path: Path) -> None:
    inner = Counting()
    await CachedEmbedder(inner, IndexStore(database), write_bundled(tmp_path, "another")).embed(["known", "new"])
    assert inner.asked == ["known", "new"]


def test_a_package_without_vectors_has_none(tmp_path: Path) -> None:
    assert BundledVectors(tmp_path / "absent.npz").find(MODEL, [hash_content("known")]) == {}


def test_the_same_vectors_are_written_to_the_same_bytes() -> None:
    spaces = {MODEL.digest: {hash_content(text): ROW for text in ("a", "b")}}
    turned = {MODEL.digest: dict(reversed(spaces[MODEL.digest].items()))}
    assert encode_vectors(spaces) == encode_vectors(turned)
