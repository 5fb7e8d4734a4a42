"""The way of a query: read it for each language of documents, find candidates, fuse, order, cut."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.database import Transaction
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.answers import Answers
from sanya.retrieval.documents import Document, Filter, check_document, check_filters
from sanya.retrieval.embedding import Embedder, Matrix, checked
from sanya.retrieval.fusion import meaning_share
from sanya.retrieval.index import Embedded, Entry, Index, Probe
from sanya.retrieval.legs import ENGLISH, MULTILINGUAL, Hit, Leg, RankedLeg, fuse, leg_weights
from sanya.retrieval.terms import (
    LANGUAGES,
    MAX_QUERY_CHARACTERS,
    Language,
    Reader,
    language_of_document,
    language_of_text,
)

Mode = Literal["bm25", "semantic", "hybrid"]

MAX_LIMIT = 1000
# Words bring so many candidates. With a filter fewer: each then costs several that do not pass, and measured on all
# sets of benchmarks/retrieval_quality.py the last of them changed nDCG@10 by no more than 0.002.
_POOL = 50
_FILTERED_POOL = 32
_EMBEDDED_AT_ONCE = 256
# Meaning's share at alpha 0.5, measured (benchmarks/retrieval_quality.py): words are strong in Thai, where they are
# read in two ways, and weaker in English and across languages.
_BALANCED = {("en", "en"): 0.6, ("th", "th"): 0.22, ("th", "en"): 0.6, ("en", "th"): 0.6}
_ANYTHING_READABLE = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Query:
    text: str
    namespace: str
    mode: Mode = "hybrid"
    alpha: float = 0.5
    limit: int = 10
    filters: tuple[Filter, ...] = ()
    among: tuple[Filter, ...] = ()
    """The documents that words are compared with, where others than these must not show in a score. The filters let
    through no others."""
    as_of: int | None = None
    languages: tuple[Language, ...] = LANGUAGES
    also: tuple[str, ...] = ()
    """Other names of what is asked for. Their words are looked up as well and count less; meaning needs none."""


@dataclass(frozen=True, slots=True)
class Found:
    query: Query
    language: Language
    hits: tuple[Hit, ...]
    legs: tuple[RankedLeg, ...]


class Library:
    """Documents of all namespaces, to be added and searched."""

    def __init__(self, index: Index, reader: Reader, embedders: Mapping[str, Embedder]) -> None:
        self._index = index
        self.reader = reader
        self._embedders = embedders
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def knowing(self, names: Iterable[tuple[str, str]]) -> Library:
        """The same documents, for queries in which these pairs of a Thai and an English name are known."""
        return Library(self._index, self.reader.knowing(names), self._embedders)

    @cached_property
    def answers(self) -> Answers:
        """Chooses sentences by the space that holds both languages."""
        return Answers(self.reader, self._embedders.get(MULTILINGUAL) or self._embedders[ENGLISH])

    async def declare(self, namespace: str, filtered: Collection[str] | None = None) -> None:
        """`filtered` are the fields that filters may name; None leaves them as they were declared before."""
        await self._index.declare(namespace, {space: one.model for space, one in self._embedders.items()}, filtered)

    async def add(
        self,
        namespace: str,
        documents: Sequence[Document],
        transaction: Transaction | None = None,
        *,
        embed: bool = True,
    ) -> int:
        """Adds or replaces; returns the number of the change, by which `as_of` finds this state again. Without `embed`
        the documents are found by words at once, and by meaning when `embed_missing` has come to them."""
        for document in documents:
            check_document(document)
        entries = await self._embedded(documents) if embed else _unembedded(documents)
        return await self._index.upsert(namespace, entries, transaction)

    async def missing(self, namespace: str) -> int:
        """How many documents are not found by meaning yet."""
        return await self._index.missing(namespace)

    async def embed_missing(
        self, namespace: str, *, progress: ProgressSink = ignore_progress, limit: int | None = None
    ) -> int:
        """Embeds the documents that were added without, at most `limit` of them, and returns how many. Each batch is
        kept when it is done: broken off at any point, the next call goes on. Several at once take turns at batches."""
        total = await self.missing(namespace)
        total = total if limit is None else min(total, limit)
        done = 0
        while done < total:
            async with self._turns[namespace]:
                rows = await self._index.unembedded(namespace, min(_EMBEDDED_AT_ONCE, total - done))
                if not rows:
                    return done
                vectors = await self._vectors([row.document.text for row in rows], [row.partition for row in rows])
                done += await self._index.give_vectors(namespace, list(map(Embedded, rows, vectors)))
            progress(Progress(done, total, "documents embedded"))
        return done

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
        ranked = [fuse(leg, vectors, weight) for leg, weight in zip(legs, leg_weights(legs, vectors), strict=True)]
        hits = [hit for one in ranked for hit in await one.hits(query.limit)]
        hits.sort(key=lambda hit: (-hit.score, hit.id))
        return Found(query, spoken, tuple(hits[: query.limit]), tuple(ranked))

    async def _embedded(self, documents: Sequence[Document]) -> list[Entry]:
        passages = [document.text for document in documents]
        languages = [language_of_text(passage) for passage in passages]
        return list(map(Entry, documents, languages, await self._vectors(passages, languages)))

    async def _vectors(self, passages: Sequence[str], languages: Sequence[str]) -> list[dict[str, Matrix]]:
        """Of each passage, in every space that holds its language."""
        vectors: list[dict[str, Matrix]] = [{} for _ in passages]
        for space, embedder in self._embedders.items():
            read = [at for at, one in enumerate(languages) if one == "en" or space != ENGLISH]
            texts = [passages[at] for at in read]
            for at, row in zip(read, checked(await embedder.embed(texts), texts, embedder.model), strict=True):
                vectors[at][space] = row
        return vectors

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
        terms = self.reader.read_query(query.text, language, query.also) if share < 1 else {}
        candidates = await self._index.search(
            Probe(
                query.namespace,
                language,
                terms,
                {space: vectors[space]} if space in vectors else {},
                {other: vector for other, vector in vectors.items() if other != space},
                query.filters,
                query.among,
                query.as_of,
                max(_FILTERED_POOL if query.filters else _POOL, query.limit),
                query.limit,
            )
        )
        return Leg(language, spoken != language, terms, space, share, candidates)


LibraryDoor = Callable[[], Awaitable[Library]]
"""How a suite gets at the library: it is opened when first asked for."""


def _unembedded(documents: Sequence[Document]) -> list[Entry]:
    return [Entry(document, language_of_document(document), {}, True) for document in documents]


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
