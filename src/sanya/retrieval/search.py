"""Search: reads the query for each language of documents, finds candidates, fuses their scores, sorts and limits."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from time import monotonic
from typing import Literal

from sanya.kernel.calls.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.calls.offloading import run_by_length, wait_briefly
from sanya.kernel.faults import Fault, InvalidArgument, Unavailable
from sanya.kernel.spans import open_span
from sanya.kernel.storage.database import Transaction
from sanya.retrieval.answers import AnswerSelector
from sanya.retrieval.documents import Document, Filter, check_document, check_filters
from sanya.retrieval.embedding import Embedder, Matrix, Model, WordsOnly, check_vectors
from sanya.retrieval.embedding_status import EmbeddingStatus
from sanya.retrieval.index import EmbeddedRow, Index, IndexEntry, Probe, UnembeddedRow, WeightedTerms
from sanya.retrieval.language_search import (
    ENGLISH,
    MULTILINGUAL,
    Hit,
    LanguageSearch,
    RankedSearch,
    fuse,
    weigh_languages,
)
from sanya.retrieval.relevance import find_model
from sanya.retrieval.reranking import RERANKED_HITS, Reranker, add_scores
from sanya.retrieval.terms import (
    LANGUAGES,
    MAX_QUERY_CHARACTERS,
    SearchLanguage,
    TermReader,
    detect_document_language,
    detect_text_language,
)

SearchMode = Literal["bm25", "semantic", "hybrid"]

MAX_LIMIT = 1000
# The number of candidates that words bring. Fewer with a filter, where each costs several rows that do not pass: on all
# sets of benchmarks/retrieval_quality.py the candidates left out changed nDCG@10 by no more than 0.002.
_POOL = 50
_FILTERED_POOL = 32
# A claim on rows lasts a minute, and a slow machine embeds three texts a second.
_EMBEDDED_AT_ONCE = 128
# While documents are embedded those that wait are counted so often, for the progress: counting takes 2 ms for each
# thousand of them, and others may embed some as well.
_COUNT_S = 5.0
# Answers tell how many documents await their vectors; counting them at every search would cost more than it tells.
_STATUS_S = 2.0
# Counting takes 2 ms for each thousand of them. A search waits no longer than this, and tells the former number.
_STATUS_WAIT_S = 0.02
# The weight of meaning where the caller gives no alpha, by language of query and documents, measured with
# benchmarks/retrieval_quality.py. Words are strong in Thai, which is indexed by words and by n-grams, and weaker in
# English and across languages.
_BALANCED = {("en", "en"): 0.6, ("th", "th"): 0.22, ("th", "en"): 0.6, ("en", "th"): 0.6}
_ANYTHING_READABLE = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    text: str
    namespace: str
    mode: SearchMode = "hybrid"
    alpha: float | None = None
    """The weight of meaning in a hybrid search, 0 to 1; None takes the weight that measured best for the languages."""
    limit: int = 10
    filters: tuple[Filter, ...] = ()
    statistics_filters: tuple[Filter, ...] = ()
    """Word statistics count only documents that pass these filters, so that data of others cannot show in a score.
    `filters` must not let through any other document."""
    as_of: int | None = None
    languages: tuple[SearchLanguage, ...] = LANGUAGES
    other_names: tuple[str, ...] = ()
    """Synonyms of what is languages for. Their words are looked up too, with a lower weight; meaning needs none."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    query: SearchQuery
    language: SearchLanguage
    hits: tuple[Hit, ...]
    searches: tuple[RankedSearch, ...]
    unindexed: int = 0
    """The number of stored documents that this search left out, because they are still being indexed."""


class Library:
    """Adds and searches the documents of all namespaces.

    With `words_only` no model is there: documents await their vectors, and every search goes by words alone.
    """

    def __init__(
        self,
        index: Index,
        reader: TermReader,
        embedders: Mapping[str, Embedder],
        words_only: WordsOnly | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self._index = index
        self.reader = reader
        self._embedders: Mapping[str, Embedder] = {} if words_only else embedders
        self.words_only = words_only
        self._reranker = reranker
        self._statuses: dict[str, tuple[float, EmbeddingStatus]] = {}
        self._status_tasks: dict[str, asyncio.Task[None]] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def with_names(self, names: Iterable[tuple[str, str]]) -> Library:
        """Return a library on the same documents that can also translate these pairs of a Thai and an English name."""
        reader = self.reader.with_names(names)
        return Library(self._index, reader, self._embedders, self.words_only, self._reranker)

    @cached_property
    def answer_selector(self) -> AnswerSelector:
        """Selects sentences by the vector space that holds both languages."""
        return AnswerSelector(self.reader, self._embedders.get(MULTILINGUAL) or self._embedders.get(ENGLISH))

    async def declare(self, namespace: str, filtered: Collection[str] | None = None) -> None:
        """Declare a namespace. `filtered` are the fields that filters may name; None keeps the earlier declaration."""
        if self.words_only:
            await self._declare_awaited(namespace, self.words_only.models, filtered)
            return
        await self._index.declare(
            namespace, {space: embedder.model for space, embedder in self._embedders.items()}, filtered
        )

    async def _declare_awaited(
        self, namespace: str, models: Mapping[str, Model], filtered: Collection[str] | None
    ) -> None:
        try:
            await self._index.declare(namespace, models, filtered)
        except InvalidArgument:  # it holds vectors of other models: they stay
            await self._index.declare(namespace, {}, filtered)

    async def add(
        self,
        namespace: str,
        documents: Sequence[Document],
        transaction: Transaction | None = None,
        *,
        embed: bool = True,
    ) -> int:
        """Add or replace documents and return the sequence number of the change, which `as_of` accepts. Without `embed`
        the documents are found by words at once, and by meaning after `embed_missing`."""
        for document in documents:
            check_document(document)
        embed_now = embed and not self.words_only
        entries = await self._embed_documents(documents) if embed_now else _make_unembedded(documents)
        return await self._index.upsert(namespace, entries, transaction)

    async def count_unembedded(self, namespace: str) -> int:
        """Return the number of documents that are not found by meaning yet."""
        return await self._index.count_unembedded(namespace)

    async def read_embedding_status(self, namespace: str) -> EmbeddingStatus:
        """Return how many documents await their vectors and how fast they get them, as of a moment ago."""
        if namespace not in self._statuses:
            await self._read_status(namespace)
        elif monotonic() - self._statuses[namespace][0] >= _STATUS_S:
            if namespace not in self._status_tasks:
                self._status_tasks[namespace] = asyncio.create_task(self._read_status(namespace))
            await wait_briefly(self._status_tasks[namespace], _STATUS_WAIT_S)
        return self._statuses[namespace][1]

    async def _read_status(self, namespace: str) -> None:
        try:
            self._statuses[namespace] = monotonic(), await self._index.read_embedding_status(namespace)
        finally:
            self._status_tasks.pop(namespace, None)

    async def embed_missing(
        self, namespace: str, *, progress: ProgressSink = ignore_progress, limit: int | None = None
    ) -> int:
        """Embed the documents that were added without vectors, at most `limit`, and return their number. Each batch is
        stored when it is done, so an interrupted run is resumed by the next. Concurrent runs take turns batch by
        batch, and other processes embed other documents: those that they are embedding are left to them. Without a
        model none are embedded: they await one."""
        if self.words_only:
            return 0
        total = await self.count_unembedded(namespace)
        most = total if limit is None else min(total, limit)
        done, left, counted = 0, total, monotonic()
        while done < most:
            async with self._turns[namespace]:
                rows = await self._index.claim_unembedded(namespace, min(_EMBEDDED_AT_ONCE, most - done))
                if not rows:
                    return done
                done += await self._embed_claimed(namespace, rows)
            if limit is None and monotonic() - counted >= _COUNT_S:
                left, counted = await self.count_unembedded(namespace), monotonic()
            progress(Progress(max(done, total - left), most, "documents embedded"))
        return done

    async def _embed_claimed(self, namespace: str, rows: Sequence[UnembeddedRow]) -> int:
        try:
            vectors = await self._embed_passages([row.document.text for row in rows], [row.partition for row in rows])
            return await self._index.give_vectors(namespace, list(map(EmbeddedRow, rows, vectors)))
        except BaseException:
            with suppress(Fault):  # the claims end by themselves after a minute
                await self._index.release_unembedded(namespace, rows)
            raise

    def require_models(self) -> None:
        """Raise Unavailable where no model can embed anything."""
        if self.words_only:
            raise Unavailable(self.words_only.describe())

    async def load_models(self) -> None:
        """Load the models, which the first search would wait for."""
        for embedder in self._embedders.values():
            await embedder.embed(["model"])

    async def remove(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._index.delete(namespace, ids, transaction)

    async def refresh(self) -> bool:
        """Make what is stored searchable. Return False where another process is doing that and has not finished."""
        return await self._index.refresh()

    async def require_whole(self, namespace: str) -> None:
        """Wait until searches see every stored document. Raises Unavailable if that takes too long."""
        await self._index.await_searchable(namespace, whole=True)

    async def rebuild(self, namespace: str) -> None:
        await self._index.rebuild(namespace)

    async def fetch_documents(
        self, namespace: str, ids: Sequence[str], as_of: int | None = None
    ) -> dict[str, Document]:
        return await self._index.fetch_documents(namespace, ids, as_of)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        check_filters(filters)
        return await self._index.count(namespace, filters, as_of)

    async def search(self, query: SearchQuery) -> SearchResult:
        check_query(query)
        if self.words_only:
            query = replace(query, mode="hybrid" if query.mode == "semantic" else query.mode, alpha=None)
        spoken = detect_text_language(query.text)
        unindexed = await self._index.await_searchable(query.namespace, query.as_of)
        languages = await self._choose_languages(query)
        vectors = await self._embed_query(query, spoken, languages)
        searches = [await self._search_language(query, spoken, language, vectors) for language in languages]
        weights = weigh_languages(searches, vectors)
        ranked = [fuse(search, vectors, weight) for search, weight in zip(searches, weights, strict=True)]
        hits = [hit for search in ranked for hit in await search.list_hits(query.limit)]
        hits.sort(key=lambda hit: (-hit.score, hit.id))
        del hits[query.limit :]
        if self._reranker is not None and vectors:
            hits = await self._rerank(self._reranker, query, hits)
        return SearchResult(query, spoken, tuple(hits), tuple(ranked), unindexed)

    async def _rerank(self, reranker: Reranker, query: SearchQuery, hits: Sequence[Hit]) -> list[Hit]:
        """Reorder the hits of a search in which meaning takes part."""
        first = hits[:RERANKED_HITS]
        if len(first) < 2:
            return list(hits)
        documents = await self.fetch_documents(query.namespace, [hit.id for hit in first], query.as_of)
        passages = [documents[hit.id].text if hit.id in documents else "" for hit in first]
        return add_scores(hits, await reranker.score(query.text, passages))

    async def _choose_languages(self, query: SearchQuery) -> list[SearchLanguage]:
        """Return the wanted languages that the namespace has documents in; none if the query has no letter or digit."""
        present = await self._index.list_partitions(query.namespace)
        is_readable = _ANYTHING_READABLE.search(query.text) is not None
        return [language for language in query.languages if language in present] if is_readable else []

    async def _embed_documents(self, documents: Sequence[Document]) -> list[IndexEntry]:
        passages = [document.text for document in documents]
        languages = [detect_text_language(passage) for passage in passages]
        return list(map(IndexEntry, documents, languages, await self._embed_passages(passages, languages)))

    async def _embed_passages(self, passages: Sequence[str], languages: Sequence[str]) -> list[dict[str, Matrix]]:
        """Return the vectors of each passage, in every space that knows its language."""
        vectors: list[dict[str, Matrix]] = [{} for _ in passages]
        for space, embedder in self._embedders.items():
            read = [at for at, language in enumerate(languages) if language == "en" or space != ENGLISH]
            texts = [passages[at] for at in read]
            for at, row in zip(read, check_vectors(await embedder.embed(texts), texts, embedder.model), strict=True):
                vectors[at][space] = row
        return vectors

    async def _embed_query(
        self, query: SearchQuery, spoken: SearchLanguage, languages: Sequence[SearchLanguage]
    ) -> dict[str, Matrix]:
        """Embed the query only in the spaces that are needed: embedding is the most expensive step of a search."""
        if self.words_only or query.mode == "bm25" or (query.mode == "hybrid" and query.alpha == 0) or not languages:
            return {}
        needed = {_choose_space(spoken, language, self._embedders) for language in languages}
        if len(languages) > 1:
            needed.add(_choose_space("th", "th", self._embedders))
        return {space: await self._embed_text(self._embedders[space], query.text) for space in sorted(needed)}

    async def _embed_text(self, embedder: Embedder, text: str) -> Matrix:
        name = embedder.model.name
        attributes = {"gen_ai.operation.name": "embeddings", "gen_ai.request.model": name}
        with open_span(f"embeddings {name}", attributes, "internal"):
            rows = await embedder.embed([text])
        vector: Matrix = rows[0]
        return vector

    async def _search_language(
        self, query: SearchQuery, spoken: SearchLanguage, language: SearchLanguage, vectors: Mapping[str, Matrix]
    ) -> LanguageSearch:
        space = _choose_space(spoken, language, self._embedders) if self._embedders else ""
        share = _compute_share(query, spoken, language)
        terms: WeightedTerms = {}
        if share < 1:
            read = self.reader.read_query
            terms = await run_by_length(len(query.text), read, query.text, language, query.other_names)
        probe = Probe(
            query.namespace,
            language,
            terms,
            {space: vectors[space]} if space in vectors else {},
            {other: vector for other, vector in vectors.items() if other != space},
            query.filters,
            query.statistics_filters,
            query.as_of,
            max(_FILTERED_POOL if query.filters else _POOL, query.limit),
            query.limit,
        )
        attributes = {"db.operation.name": "search", "db.collection.name": query.namespace}
        with open_span(f"search {query.namespace}", attributes, "internal"):
            candidates = await self._index.search(probe)
        digest = self._embedders[space].model.digest if space in vectors else None
        model = find_model(spoken, language, digest)
        return LanguageSearch(language, spoken != language, terms, space, share, candidates, model)


LibraryOpener = Callable[[], Awaitable[Library]]
"""Returns the library, which is opened on the first call."""


def _make_unembedded(documents: Sequence[Document]) -> list[IndexEntry]:
    return [IndexEntry(document, detect_document_language(document), {}, True) for document in documents]


def check_query(query: SearchQuery) -> None:
    check_filters(query.filters)
    if not 1 <= query.limit <= MAX_LIMIT:
        raise InvalidArgument(f"limit is {query.limit}; it must be 1 to {MAX_LIMIT}", field="limit")
    if query.alpha is not None and not 0 <= query.alpha <= 1:
        raise InvalidArgument(f"alpha is {query.alpha}; it must be 0 to 1", field="alpha")
    if len(query.text) > MAX_QUERY_CHARACTERS:
        raise InvalidArgument(
            f"the query has {len(query.text)} characters; shorten it to {MAX_QUERY_CHARACTERS}", field="query"
        )


def _compute_share(query: SearchQuery, spoken: SearchLanguage, language: SearchLanguage) -> float:
    match query.mode:
        case "bm25":
            return 0.0
        case "semantic":
            return 1.0
        case "hybrid":
            return _BALANCED[spoken, language] if query.alpha is None else query.alpha


def _choose_space(spoken: SearchLanguage, documents: SearchLanguage, embedders: Mapping[str, Embedder]) -> str:
    if (spoken == documents == "en" and ENGLISH in embedders) or MULTILINGUAL not in embedders:
        return ENGLISH
    return MULTILINGUAL
