"""Chunks of papers in Weaviate by the field names of the papers contract, for code that fills or queries the class
directly.

It goes through the index, so what it writes enters the store first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import numpy as np

from sanya.engines.index.weaviate.index import WeaviateIndex
from sanya.engines.index.weaviate.schema import REPEATS_PER_WEIGHT, TERMS, format_query_terms
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import Document, DocumentText, FieldValue
from sanya.retrieval.embedding import Embedder, Matrix
from sanya.retrieval.index import IndexEntry, WeightedTerms
from sanya.retrieval.language_search import MULTILINGUAL
from sanya.retrieval.terms import LANGUAGES, SearchLanguage, detect_text_language

NAMESPACE = "papers"
_REQUIRED_FIELDS = ("pmid", "chunk_id", "text", "vector")
_OPTIONAL_FIELDS = ("journal", "pub_types", "year", "quality_total", "edat", "lr", "source_url")
_BALANCED = 0.5
_SCORED_HITS = 100

ReadQuery = Callable[[str, SearchLanguage], WeightedTerms]


class ChunkHit(TypedDict):
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
    """Writes and searches chunks with the vectors of one embedder, in one space."""

    def __init__(self, index: WeaviateIndex, embedder: Embedder, read: ReadQuery, space: str = MULTILINGUAL) -> None:
        self._index = index
        self._embedder = embedder
        self._read = read
        self._space = space

    async def ensure_schema(self) -> None:
        await self._index.declare(NAMESPACE, {self._space: self._embedder.model})
        await self._index.classes.ensure(NAMESPACE, [self._space])

    async def upsert_chunks(self, chunks: Iterable[Mapping[str, Any]]) -> BatchResult:
        """Write chunks, all or none. A chunk with the same id is replaced."""
        entries = [self._to_entry(chunk) for chunk in chunks]
        await self._index.upsert(NAMESPACE, entries)
        return BatchResult(len(entries), tuple(entry.document.id for entry in entries))

    async def search_hybrid(self, query: str, limit: int) -> list[ChunkHit]:
        """Return the best chunks by words and vectors, fused by Weaviate by relative score."""
        from weaviate.classes.query import HybridFusion

        terms = " ".join(format_query_terms(language, self._read(query, language)) for language in LANGUAGES).strip()
        vector = (await self._embedder.embed([query]))[0]
        async with self._index.classes.connection.request("searching chunks"):
            result = await self._index.classes.get_collection(NAMESPACE).query.hybrid(
                query=terms,
                vector=vector.tolist(),
                alpha=_BALANCED if terms else 1.0,
                fusion_type=HybridFusion.RELATIVE_SCORE,
                target_vector=self._space,
                query_properties=[TERMS],
                limit=limit,
                include_vector=[self._space],
                return_properties=["pmid", "quality_total"],
            )
        scores = await self._read_scores(terms, limit)
        return [self._to_result(hit, vector, scores) for hit in result.objects]

    async def _read_scores(self, terms: str, limit: int) -> dict[str, float]:
        from weaviate.classes.query import MetadataQuery

        if not terms:
            return {}
        async with self._index.classes.connection.request("searching chunks"):
            result = await self._index.classes.get_collection(NAMESPACE).query.bm25(
                query=terms,
                query_properties=[TERMS],
                limit=max(limit, _SCORED_HITS),
                return_metadata=MetadataQuery(score=True),
                return_properties=["pmid"],
            )
        return {str(hit.uuid): (hit.metadata.score or 0.0) / REPEATS_PER_WEIGHT for hit in result.objects}

    def _to_result(self, hit: Any, vector: Matrix, scores: Mapping[str, float]) -> ChunkHit:
        result = ChunkHit(uuid=str(hit.uuid), pmid=str(hit.properties.get("pmid", "")))
        if self._space in hit.vector:
            result["sim"] = float(np.asarray(hit.vector[self._space], dtype=np.float32) @ vector)
        if result["uuid"] in scores:
            result["bm25"] = scores[result["uuid"]]
        if hit.properties.get("quality_total") is not None:
            result["quality"] = float(hit.properties["quality_total"])
        return result

    def _to_entry(self, chunk: Mapping[str, Any]) -> IndexEntry:
        unknown = sorted(chunk.keys() - {*_REQUIRED_FIELDS, *_OPTIONAL_FIELDS})
        missing = [name for name in _REQUIRED_FIELDS if chunk.get(name) is None]
        if unknown or missing:
            raise InvalidArgument(
                f"a chunk needs {', '.join(_REQUIRED_FIELDS)}; missing: {missing}, unknown: {unknown}"
            )
        pmid, chunk_id, text = str(chunk["pmid"]), str(chunk["chunk_id"]), str(chunk["text"])
        uuid = str(self._index.classes.layout.derive_uuid(f"{pmid}:{chunk_id}"))
        fields: dict[str, FieldValue] = {"pmid": pmid, "chunk_id": chunk_id, **_read_optional(chunk)}
        vector = np.asarray(chunk["vector"], dtype=np.float32)
        return IndexEntry(
            Document(uuid, (DocumentText(text),), fields), detect_text_language(text), {self._space: vector}
        )


def _read_optional(chunk: Mapping[str, Any]) -> dict[str, FieldValue]:
    present = {name: chunk[name] for name in _OPTIONAL_FIELDS if chunk.get(name) is not None}
    return {name: _to_plain(value) for name, value in present.items()}


def _to_plain(value: Any) -> FieldValue:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(str, value))
    assert isinstance(value, str | int | float)
    return value
