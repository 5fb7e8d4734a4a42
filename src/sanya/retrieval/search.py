"""The way of a query: read it for each language of documents, find candidates, fuse, order, cut."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from sanya.kernel.database import Transaction
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import Document, Filter, check_document, check_filters
from sanya.retrieval.embedding import Embedder, Matrix, checked
from sanya.retrieval.fusion import Scores, exact, meaning_share, part, relative_meaning, relative_words, similarities
from sanya.retrieval.index import Candidates, Entry, Index, Probe, Terms
from sanya.retrieval.terms import LANGUAGES, MAX_QUERY_CHARACTERS, Language, Reader, language_of_text

Mode = Literal["bm25", "semantic", "hybrid"]

ENGLISH, MULTILINGUAL = "english", "multilingual"
"""The vector spaces: the first is sharper but knows English only, the second holds both languages."""

MAX_LIMIT = 1000
_POOL = 100
# Meaning's share at alpha 0.5, measured (benchmarks/retrieval_quality.py): words are strong in Thai, where they are
# read in two ways, and weaker in English and across languages.
_BALANCED = {("en", "en"): 0.6, ("th", "th"): 0.22, ("th", "en"): 0.6, ("en", "th"): 0.6}
# A hit in the other language stands a little behind an equal one in the asker's own.
_FOREIGN = 0.8
# The best hits say what was meant: the query's vector is moved a little towards theirs.
_FEEDBACK_HITS = 5
_FEEDBACK_WEIGHT = 0.3
_ANYTHING_READABLE = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Query:
    text: str
    namespace: str
    mode: Mode = "hybrid"
    alpha: float = 0.5
    limit: int = 10
    filters: tuple[Filter, ...] = ()
    as_of: int | None = None
    languages: tuple[Language, ...] = LANGUAGES


@dataclass(frozen=True, slots=True)
class Hit:
    id: str
    score: float
    parts: Mapping[str, float]
    """`words` and `meaning`; their sum is the score, to the last bit."""
    bm25: float
    similarity: float
    language: Language
    """Of the document; another than the query's means that it was found by translation."""


@dataclass(frozen=True, slots=True)
class Leg:
    """The search among the documents of one language: what was looked up and what came of it."""

    language: Language
    foreign: bool
    terms: Terms
    space: str
    share: float
    candidates: Candidates
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Found:
    query: Query
    language: Language
    hits: tuple[Hit, ...]
    legs: tuple[Leg, ...]


class Library:
    """Documents of all namespaces, to be added and searched."""

    def __init__(self, index: Index, reader: Reader, embedders: Mapping[str, Embedder]) -> None:
        self._index = index
        self.reader = reader
        self._embedders = embedders

    async def declare(self, namespace: str) -> None:
        await self._index.declare(namespace, {space: one.model for space, one in self._embedders.items()})

    async def add(self, namespace: str, documents: Sequence[Document], transaction: Transaction | None = None) -> int:
        """Adds or replaces; returns the number of the change, by which `as_of` finds this state again."""
        for document in documents:
            check_document(document)
        return await self._index.upsert(namespace, await self._entries(documents), transaction)

    async def remove(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._index.delete(namespace, ids, transaction)

    async def refresh(self) -> None:
        await self._index.refresh()

    async def rebuild(self, namespace: str) -> None:
        await self._index.rebuild(namespace)

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]:
        return await self._index.documents(namespace, ids, as_of)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        check_filters(filters)
        return await self._index.count(namespace, filters, as_of)

    async def search(self, query: Query) -> Found:
        check_query(query)
        spoken = language_of_text(query.text)
        present = await self._index.partitions(query.namespace)
        asked = [one for one in query.languages if one in present] if _ANYTHING_READABLE.search(query.text) else []
        vectors = await self._query_vectors(query, spoken, asked)
        legs = [await self._leg(query, spoken, one, vectors) for one in asked]
        legs = _anchored(legs, vectors) if len(legs) > 1 else legs
        hits = sorted((hit for leg in legs for hit in leg.hits), key=lambda hit: (-hit.score, hit.id))
        return Found(query, spoken, tuple(hits[: query.limit]), tuple(legs))

    async def _entries(self, documents: Sequence[Document]) -> list[Entry]:
        passages = [document.text for document in documents]
        languages = [language_of_text(passage) for passage in passages]
        vectors: list[dict[str, Matrix]] = [{} for _ in documents]
        for space, embedder in self._embedders.items():
            read = [at for at, one in enumerate(languages) if one == "en" or space != ENGLISH]
            texts = [passages[at] for at in read]
            for at, row in zip(read, checked(await embedder.embed(texts), texts, embedder.model), strict=True):
                vectors[at][space] = row
        return [
            Entry(document, language, of_document)
            for document, language, of_document in zip(documents, languages, vectors, strict=True)
        ]

    async def _query_vectors(self, query: Query, spoken: Language, asked: Sequence[Language]) -> dict[str, Matrix]:
        """Only the spaces that some leg needs are asked, because an embedding is the dearest step of a search."""
        if query.mode == "bm25" or (query.mode == "hybrid" and query.alpha == 0) or not asked:
            return {}
        needed = {_space(spoken, language, self._embedders) for language in asked}
        if len(asked) > 1:
            needed.add(_space("th", "th", self._embedders))
        return {space: (await self._embedders[space].embed([query.text]))[0] for space in sorted(needed)}

    async def _leg(self, query: Query, spoken: Language, language: Language, vectors: Mapping[str, Matrix]) -> Leg:
        space = _space(spoken, language, self._embedders)
        share = _share(query, spoken, language)
        terms = self.reader.read_query(query.text, language) if share < 1 else {}
        candidates = await self._index.search(
            Probe(
                query.namespace,
                language,
                terms,
                {space: vectors[space]} if space in vectors else {},
                {other: vector for other, vector in vectors.items() if other != space},
                query.filters,
                query.as_of,
                max(_POOL, query.limit),
            )
        )
        leg = Leg(language, spoken != language, terms, space, share, candidates, ())
        return _with_hits(leg, vectors, _FOREIGN if leg.foreign else 1.0)


def check_query(query: Query) -> None:
    check_filters(query.filters)
    if not 1 <= query.limit <= MAX_LIMIT:
        raise InvalidArgument(f"limit is {query.limit}; it takes 1 to {MAX_LIMIT}", field="limit")
    if not 0 <= query.alpha <= 1:
        raise InvalidArgument(f"alpha is {query.alpha}; it takes 0 to 1", field="alpha")
    if len(query.text) > MAX_QUERY_CHARACTERS:
        raise InvalidArgument(
            f"the query has {len(query.text)} characters; it takes up to {MAX_QUERY_CHARACTERS}", field="query"
        )


def _share(query: Query, spoken: Language, language: Language) -> float:
    match query.mode:
        case "bm25":
            return 0.0
        case "semantic":
            return 1.0
        case "hybrid":
            return meaning_share(query.alpha, _BALANCED[spoken, language])


def _space(spoken: Language, documents: Language, embedders: Mapping[str, Embedder]) -> str:
    if (spoken == documents == "en" and ENGLISH in embedders) or MULTILINGUAL not in embedders:
        return ENGLISH
    return MULTILINGUAL


def _anchored(legs: Sequence[Leg], vectors: Mapping[str, Matrix]) -> list[Leg]:
    """Legs are comparable only through the space they share: one whose best candidate is far off is held down."""
    if MULTILINGUAL not in vectors:
        return list(legs)
    best = [float((leg.candidates.vectors[MULTILINGUAL] @ vectors[MULTILINGUAL]).max(initial=0.0)) for leg in legs]
    top = max(best)
    if top <= 0:
        return list(legs)
    return [
        _with_hits(leg, vectors, (_FOREIGN if leg.foreign else 1.0) * one / top)
        for leg, one in zip(legs, best, strict=True)
    ]


def _with_hits(leg: Leg, vectors: Mapping[str, Matrix], weight: float) -> Leg:
    found = leg.candidates
    words = part(relative_words(found.words), weight * (1 - leg.share))
    similarity: Scores = np.zeros(len(found.ids))
    meaning: Scores = np.zeros(len(found.ids))
    if leg.space in vectors and found.ids:
        rows, vector = found.vectors[leg.space], vectors[leg.space]
        similarity = similarities(rows, vector)
        meaning = part(relative_meaning(similarity), weight * leg.share)
        if leg.space == ENGLISH:
            moved = _moved_vector(rows, vector, words + meaning, found.ids)
            meaning = part(relative_meaning(similarities(rows, moved)), weight * leg.share)
    hits = [
        Hit(
            one,
            float(words[at] + meaning[at]),
            {"words": float(words[at]), "meaning": float(meaning[at])},
            exact(float(found.words[at])),
            float(similarity[at]),
            leg.language,
        )
        for at, one in enumerate(found.ids)
    ]
    hits.sort(key=lambda hit: (-hit.score, hit.id))
    return Leg(leg.language, leg.foreign, leg.terms, leg.space, leg.share, found, tuple(hits))


def _moved_vector(rows: Matrix, vector: Matrix, scores: Scores, ids: Sequence[str]) -> Matrix:
    """The query's vector with that of the best hits mixed in, each by its score (pseudo relevance feedback)."""
    best = sorted(range(len(ids)), key=lambda at: (-scores[at], ids[at]))[:_FEEDBACK_HITS]
    weights = scores[best].astype(np.float32)
    total = float(weights.sum())
    if total <= 0:
        return vector
    moved = vector + _FEEDBACK_WEIGHT * ((weights / total) @ rows[best])
    return cast(Matrix, (moved / np.linalg.norm(moved)).astype(np.float32))
