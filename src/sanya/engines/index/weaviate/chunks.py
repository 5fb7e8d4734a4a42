"""Chunks of papers in Weaviate in the words of the papers contract, for whoever fills or asks the class directly.

It goes through the index, so what it writes is in the store first, as everything is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import numpy as np

from sanya.engines.index.weaviate.index import WeaviateIndex
from sanya.engines.index.weaviate.schema import TERMS, TIMES_FOR_ONE, asked_terms
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import Document, FieldValue, Text
from sanya.retrieval.embedding import Embedder, Matrix
from sanya.retrieval.index import Entry, Terms
from sanya.retrieval.legs import MULTILINGUAL
from sanya.retrieval.terms import LANGUAGES, Language, language_of_text

NAMESPACE = "papers"
_REQUIRED = ("pmid", "chunk_id", "text", "vector")
_OPTIONAL = ("journal", "pub_types", "year", "quality_total", "edat", "lr", "source_url")
_BALANCED = 0.5
_SCORED = 100

ReadQuery = Callable[[str, Language], Terms]


class SearchResult(TypedDict):
    uuid: str
    pmid: str
    sim: NotRequired[float]
    bm25: NotRequired[float]
    quality: NotRequired[float]


@dataclass(frozen=True, slots=True)
class BatchResult:
    upserted: int
    uuids: tuple[str, ...]


class WeaviateChunks:
    """Its vectors are those of one embedder, in one space."""

    def __init__(self, index: WeaviateIndex, embedder: Embedder, read: ReadQuery, space: str = MULTILINGUAL) -> None:
        self._index = index
        self._embedder = embedder
        self._read = read
        self._space = space

    async def ensure_schema(self) -> None:
        await self._index.declare(NAMESPACE, {self._space: self._embedder.model})
        await self._index.classes.ensure(NAMESPACE, [self._space])

    async def upsert_chunks(self, chunks: Iterable[Mapping[str, Any]]) -> BatchResult:
        """All or none. An id that was there is replaced."""
        entries = [self._entry(chunk) for chunk in chunks]
        await self._index.upsert(NAMESPACE, entries)
        return BatchResult(len(entries), tuple(entry.document.id for entry in entries))

    async def hybrid_search(self, query: str, limit: int) -> list[SearchResult]:
        """The best chunks by words and meaning, fused by Weaviate itself by relative score."""
        from weaviate.classes.query import HybridFusion

        asked = " ".join(asked_terms(language, self._read(query, language)) for language in LANGUAGES).strip()
        vector = (await self._embedder.embed([query]))[0]
        async with self._index.classes.connection.answering("searching chunks"):
            found = await self._index.classes.collection(NAMESPACE).query.hybrid(
                query=asked,
                vector=vector.tolist(),
                alpha=_BALANCED if asked else 1.0,
                fusion_type=HybridFusion.RELATIVE_SCORE,
                target_vector=self._space,
                query_properties=[TERMS],
                limit=limit,
                include_vector=[self._space],
                return_properties=["pmid", "quality_total"],
            )
        scores = await self._scores(asked, limit)
        return [self._result(one, vector, scores) for one in found.objects]

    async def _scores(self, asked: str, limit: int) -> dict[str, float]:
        from weaviate.classes.query import MetadataQuery

        if not asked:
            return {}
        async with self._index.classes.connection.answering("searching chunks"):
            found = await self._index.classes.collection(NAMESPACE).query.bm25(
                query=asked,
                query_properties=[TERMS],
                limit=max(limit, _SCORED),
                return_metadata=MetadataQuery(score=True),
                return_properties=["pmid"],
            )
        return {str(one.uuid): (one.metadata.score or 0.0) / TIMES_FOR_ONE for one in found.objects}

    def _result(self, one: Any, vector: Matrix, scores: Mapping[str, float]) -> SearchResult:
        result = SearchResult(uuid=str(one.uuid), pmid=str(one.properties.get("pmid", "")))
        if self._space in one.vector:
            result["sim"] = float(np.asarray(one.vector[self._space], dtype=np.float32) @ vector)
        if result["uuid"] in scores:
            result["bm25"] = scores[result["uuid"]]
        if one.properties.get("quality_total") is not None:
            result["quality"] = float(one.properties["quality_total"])
        return result

    def _entry(self, chunk: Mapping[str, Any]) -> Entry:
        unknown = sorted(chunk.keys() - {*_REQUIRED, *_OPTIONAL})
        missing = [name for name in _REQUIRED if chunk.get(name) is None]
        if unknown or missing:
            raise InvalidArgument(f"a chunk has {', '.join(_REQUIRED)}; missing: {missing}, unknown: {unknown}")
        pmid, chunk_id, text = str(chunk["pmid"]), str(chunk["chunk_id"]), str(chunk["text"])
        uuid = str(self._index.classes.layout.uuid_of(f"{pmid}:{chunk_id}"))
        fields: dict[str, FieldValue] = {"pmid": pmid, "chunk_id": chunk_id, **_optional(chunk)}
        vector = np.asarray(chunk["vector"], dtype=np.float32)
        return Entry(Document(uuid, (Text(text),), fields), language_of_text(text), {self._space: vector})


def _optional(chunk: Mapping[str, Any]) -> dict[str, FieldValue]:
    given = {name: chunk[name] for name in _OPTIONAL if chunk.get(name) is not None}
    return {name: _plain(value) for name, value in given.items()}


def _plain(value: Any) -> FieldValue:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(str, value))
    assert isinstance(value, str | int | float)
    return value
