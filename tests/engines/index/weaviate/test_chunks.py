"""Chunks in Weaviate by the field names of the papers contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from uuid import uuid5

import numpy as np
import pytest

from sanya.engines.database import open_database
from sanya.engines.index.weaviate.chunks import WeaviateChunks
from sanya.engines.index.weaviate.index import open_weaviate
from sanya.engines.index.weaviate.schema import CHUNK_NAMESPACE
from sanya.kernel.faults import Fault, InvalidArgument
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import WeightedTerms
from tests.engines.index.conftest import DIM, MODEL, make_vector, read_words
from tests.engines.index.weaviate_server.choice import weaviate_options


class Letters:
    """An embedder for which texts with common letters are near."""

    model = MODEL

    async def embed(self, texts: Sequence[str]) -> Matrix:
        rows = np.array([[1 + text.count(chr(97 + at)) for at in range(DIM)] for text in texts], dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def read(query: str, language: str) -> WeightedTerms:
    return {"words": dict.fromkeys(query.split(), 1.0)}


async def chunk(pmid: str, text: str, **more: object) -> dict[str, object]:
    return {"pmid": pmid, "chunk_id": "s0", "text": text, "vector": (await Letters().embed([text]))[0].tolist(), **more}


@pytest.fixture
async def chunks(home: Path) -> AsyncIterator[WeaviateChunks]:
    async with (
        weaviate_options() as options,
        open_database("", home) as database,
        open_weaviate(database, home / "weaviate", read_words, options) as index,
    ):
        adapter = WeaviateChunks(index, Letters(), read)
        await adapter.ensure_schema()
        await adapter.ensure_schema()
        yield adapter


async def test_chunks_are_found_with_their_identity_and_both_scores(chunks: WeaviateChunks) -> None:
    given = [
        await chunk("1", "weight loss with placebo", quality_total=9, year=2024, pub_types=["Review"], journal="J"),
        await chunk("2", "rice fields in the north", edat="2024-06-02T00:00:00Z"),
        await chunk("3", "ฟ้าทะลายโจร แก้ ไข้"),
    ]
    result = await chunks.upsert_chunks(given)
    assert result.upserted == 3 and result.uuids[0] == str(uuid5(CHUNK_NAMESPACE, "1:s0"))
    first = (await chunks.search_hybrid("weight loss", 2))[0]
    assert first["uuid"] == result.uuids[0] and first["pmid"] == "1" and first["quality"] == 9
    assert first["bm25"] > 0 and 0 < first["sim"] <= 1.001
    (thai,) = [hit for hit in await chunks.search_hybrid("ฟ้าทะลายโจร", 3) if "bm25" in hit]
    assert thai["pmid"] == "3" and "quality" not in thai
    assert len(await chunks.search_hybrid(" ", 2)) == 2


async def test_the_same_chunk_twice_is_one(chunks: WeaviateChunks) -> None:
    await chunks.upsert_chunks([await chunk("1", "old words")])
    await chunks.upsert_chunks([await chunk("1", "new words")])
    found = await chunks.search_hybrid("words", 10)
    assert [hit["pmid"] for hit in found] == ["1"]


async def test_a_wrong_chunk_is_refused_with_all_of_its_batch(chunks: WeaviateChunks) -> None:
    good = await chunk("1", "text")
    for wrong in (
        {**good, "vector": [1.0, 0.0]},
        {**good, "vector": (3 * make_vector(1)).tolist()},
        {name: value for name, value in good.items() if name != "text"},
        {**good, "another": 1},
    ):
        with pytest.raises(Fault):
            await chunks.upsert_chunks([good, wrong])
    with pytest.raises(InvalidArgument, match="unknown: \\['another'\\]"):
        await chunks.upsert_chunks([{**good, "another": 1}])
    assert await chunks.search_hybrid("text", 10) == []
