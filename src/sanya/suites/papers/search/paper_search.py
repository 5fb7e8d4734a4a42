"""Searches papers: expands the query with synonyms, searches the index, ranks, and assembles papers from chunks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from sanya.suite.runtime import wait_briefly
from sanya.suite.search import AnyOf, Between, Filter, Fit, judge_fit
from sanya.suite.text import PartialDate
from sanya.suites.papers.corpus import CorpusState
from sanya.suites.papers.indexing.chunks import Chunk, split_record
from sanya.suites.papers.indexing.fields import read_publication_date, to_date_number
from sanya.suites.papers.indexing.name_folding import fold_name_cached
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.indexing.quality import load_journal_names
from sanya.suites.papers.indexing.sections import SectionName
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.search.chunk_cache import AssembledPaper, ChunkCache, IndexedChunk
from sanya.suites.papers.search.passages import PassageSource, Quotation
from sanya.suites.papers.search.ranking import RankedChunk, group_by_paper, merge_passages, rank_chunks
from sanya.suites.papers.search.synonyms import Synonyms

if TYPE_CHECKING:
    from sanya.suite.search import EmbeddingStatus, Library, WordsOnly

PaperSearchMode = Literal["hybrid", "semantic", "bm25"]

# A paper has several chunks, and quality lifts papers from further down, so the search ranks more chunks than it shows.
# Where too few papers come of them, it searches again for four times as many.
_CHUNKS_PER_RESULT = 3
_WIDENING_FACTOR = 4
_MAX_CHUNKS = 1000
# Papers of another process, such as an import beside the server, must first be indexed here. A few take some
# milliseconds; a whole file takes seconds, and for that a search does not wait.
_CATCH_UP_S = 0.25


@dataclass(frozen=True, slots=True)
class PaperFilter:
    """A filter of papers. A date that is known to the month or year only matches with any of its days."""

    date_from: PartialDate | None = None
    date_to: PartialDate | None = None
    journals: tuple[str, ...] = ()

    @property
    def filters(self) -> tuple[Filter, ...]:
        filters: list[Filter] = []
        if self.date_from is not None:
            filters.append(Between("date_last", to_date_number(self.date_from.first_day), None))
        if self.date_to is not None:
            filters.append(Between("date_first", None, to_date_number(self.date_to.last_day)))
        if self.journals:
            filters.append(AnyOf("journal_names", _expand_journals(self.journals)))
        return tuple(filters)

    def is_passed_by(self, record: PaperRecord) -> bool:
        """Return whether the paper passes, as the filters of the index would say."""
        day = read_publication_date(record)
        if (self.date_from or self.date_to) and day is None:
            return False
        if day and self.date_from and day.last_day < self.date_from.first_day:
            return False
        if day and self.date_to and day.first_day > self.date_to.last_day:
            return False
        names = {fold_name_cached(name) for name in (record.journal, record.journal_abbreviation) if name}
        return not self.journals or not names.isdisjoint(_expand_journals(self.journals))


def _expand_journals(journals: Sequence[str]) -> tuple[str, ...]:
    """Return all names of the given journals, as far as they are listed: NEJM is N Engl J Med."""
    folded = [fold_name_cached(journal) for journal in journals]
    return tuple(sorted({name for journal in folded for name in load_journal_names().get(journal, {journal})}))


@dataclass(frozen=True, slots=True)
class PaperQuery:
    text: str
    limit: int
    mode: PaperSearchMode
    alpha: float | None
    paper_filter: PaperFilter
    by_quality: bool
    enhance: bool
    returns_chunks: bool
    sections: tuple[SectionName, ...] = ()
    """Only chunks of these sections, and passages of full texts as well; none for abstracts alone."""
    demotes_retracted: bool = True
    """Whether retracted papers rank below all others. Where a paper is looked up by its title, they must not."""


@dataclass(frozen=True, slots=True)
class PaperHit:
    """A chunk, or a paper with its best chunk and all its matching chunks."""

    best: RankedChunk
    matches: Sequence[RankedChunk]
    text: str | None
    sections: Sequence[SectionName]
    """The sections with a matching chunk, in the order of the text."""

    @property
    def quotation(self) -> Quotation | None:
        """The best passage of its full text, if any matches."""
        return next((match.indexed.quotation for match in self.matches if match.indexed.quotation), None)

    @property
    def relevance(self) -> float | None:
        """The relevance of its most relevant chunk."""
        return max((match.relevance for match in self.matches if match.relevance is not None), default=None)


@dataclass(frozen=True, slots=True)
class PaperSearchResult:
    hits: Sequence[PaperHit]
    """Empty if nothing fits."""
    fit: Fit
    awaiting: EmbeddingStatus | None
    """The chunks without vectors; None for an earlier state of the corpus."""
    fell_back: bool
    """True if meaning was asked for, nothing has a vector yet, and words were searched instead."""
    is_enhanced: bool
    search_ms: float
    words_only: WordsOnly | None = None
    """Why meaning was asked for and words alone were searched, if there is no model."""
    unindexed: int = 0
    """The chunks that were left out, because they are still being indexed."""
    is_wordless: bool = False
    """True if the query has only stop words and signs, so that nothing fits."""


class PaperSearch:
    """Searches the corpus. `synonyms` loads the table when a query is first enhanced; `passages` finds paragraphs of
    full texts for a query by sections."""

    def __init__(
        self, index: PaperIndex, synonyms: Callable[[], Synonyms], passages: PassageSource | None = None
    ) -> None:
        self._index = index
        self._passages = passages
        self._synonyms = cache(synonyms)
        self._chunks = ChunkCache(index)
        self._seen_revision = -1
        self._catching_up: asyncio.Task[None] | None = None

    async def find(self, query: PaperQuery, state: CorpusState) -> PaperSearchResult:
        library = await self._open_library(state)
        begun = perf_counter()
        is_by_words = query.mode != "semantic" or library.words_only is not None
        also = self._find_synonyms(library, query) if query.enhance and is_by_words else ()
        awaiting = await library.read_embedding_status(NAMESPACE) if state.seq is None else None
        ranked, unindexed = await self._find_chunks(library, query, state, also)
        words_only = library.words_only if query.mode != "bm25" else None
        is_awaiting = awaiting is None or awaiting.awaiting > 0
        fell_back = query.mode == "semantic" and not words_only and not ranked and is_awaiting
        if fell_back:
            query = replace(query, mode="bm25")
            also = self._find_synonyms(library, query) if query.enhance else ()
            ranked, unindexed = await self._find_chunks(library, query, state, also)
            fell_back = bool(ranked)  # where words find nothing either, the filters let nothing through
        if query.sections and state.seq is None and self._passages is not None:
            ranked = await self._add_passages(self._passages, library, query, state, ranked)
        has_vectors = any(match.hit.similarity for match in ranked)
        fit = judge_fit([match.relevance for match in ranked], by_words_alone=not has_vectors)
        if fit.level == "none":
            hits = []
        elif query.returns_chunks:
            hits = [_to_chunk_hit(match) for match in ranked[: query.limit]]
        else:
            hits = await self._assemble_papers(library, ranked, query.limit, state)
        elapsed_ms = (perf_counter() - begun) * 1000
        is_wordless = fit.level != "good" and not _has_words(library, query.text)
        return PaperSearchResult(
            hits, fit, awaiting, fell_back, bool(also), elapsed_ms, words_only, unindexed, is_wordless
        )

    async def _open_library(self, state: CorpusState) -> Library:
        """Open the library, refreshed where another process has stored papers since.

        A refresh that takes long goes on in the background, and the search answers from what is indexed by now.
        """
        library = await self._index.prepare()
        if state.seq is None and state.revision != self._seen_revision:
            if self._catching_up is None:
                self._catching_up = asyncio.create_task(
                    self._catch_up(library, state.revision), name="papers: catch up"
                )
            await wait_briefly(self._catching_up, _CATCH_UP_S)
        return library

    async def _catch_up(self, library: Library, revision: int) -> None:
        try:
            if await library.refresh():
                self._seen_revision = revision
        finally:
            self._catching_up = None

    def _find_synonyms(self, library: Library, query: PaperQuery) -> tuple[str, ...]:
        """Return synonyms that share no word with the query.

        A synonym that shares one would add its other words to the query, as if they had been asked for as well:
        "hypovitaminosis" beside "vitamin D deficiency".
        """
        from sanya.suite.search import MAX_QUERY_CHARACTERS  # lazy, as below

        text = query.text[:MAX_QUERY_CHARACTERS]  # the search refuses a longer query: do not read all of it
        names = self._synonyms().find_other_names(text)
        query_words = library.reader.extract_words(text) if names else ()
        return tuple(name for name in names if not set(library.reader.extract_words(name)).intersection(query_words))

    async def _add_passages(
        self,
        passages: PassageSource,
        library: Library,
        query: PaperQuery,
        state: CorpusState,
        ranked: Sequence[RankedChunk],
    ) -> list[RankedChunk]:
        """Return chunks and passages of full texts, ranked together. A passage counts for its paper, with its quality,
        date and journal; an article whose paper is not stored is left out."""
        found = await passages.find(query, query.limit * _CHUNKS_PER_RESULT)
        records = await self._index.read_records(sorted({passage.pmid for passage in found}))
        uuids = {
            pmid: self._index.make_uuid(pmid, split_record(record)[0].chunk_id)
            for pmid, record in records.items()
            if query.paper_filter.is_passed_by(record)
        }
        papers = await self._chunks.read_chunks(library, uuids.values(), state)
        known = [passage for passage in found if uuids.get(passage.pmid) in papers]
        indexed = {
            passage.hit.id: self._to_passage_chunk(papers[uuids[passage.pmid]], passage.quotation) for passage in known
        }
        hits = [passage.hit for passage in known]
        return merge_passages(ranked, rank_chunks(hits, indexed, state.as_of, by_quality=query.by_quality))

    def _to_passage_chunk(self, paper: IndexedChunk, quotation: Quotation) -> IndexedChunk:
        chunk_id = f"p{quotation.paragraph}"
        chunk = Chunk(chunk_id, quotation.section, quotation.text)
        uuid = self._index.make_uuid(paper.pmid, chunk_id)
        return replace(paper, uuid=uuid, chunk=chunk, quotation=quotation)

    async def _assemble_papers(
        self, library: Library, ranked: Sequence[RankedChunk], limit: int, state: CorpusState
    ) -> list[PaperHit]:
        shown = list(group_by_paper(ranked).values())[:limit]
        assembled = await self._chunks.assemble_papers(library, [matches[0].indexed for matches in shown], state)
        return [_to_paper_hit(matches, paper) for matches, paper in zip(shown, assembled, strict=True)]

    async def _find_chunks(
        self, library: Library, query: PaperQuery, state: CorpusState, also: tuple[str, ...]
    ) -> tuple[list[RankedChunk], int]:
        """Rank more and more chunks until there are enough papers, or the index has no more matches. Return them with
        the number of chunks that are not indexed yet."""
        from sanya.suite.search import SearchQuery  # lazy: it imports numpy

        limit = query.limit * _CHUNKS_PER_RESULT
        while True:
            index_query = SearchQuery(
                query.text,
                NAMESPACE,
                query.mode,
                query.alpha,
                limit,
                query.paper_filter.filters,
                as_of=state.seq,
                other_names=also,
            )
            found = await library.search(index_query)
            hits = found.hits
            chunks = await self._chunks.read_chunks(library, [hit.id for hit in hits], state)
            if query.sections:
                chunks = {uuid: chunk for uuid, chunk in chunks.items() if chunk.chunk.section in query.sections}
            ranked = rank_chunks(
                hits, chunks, state.as_of, by_quality=query.by_quality, demotes_retracted=query.demotes_retracted
            )
            count = len(ranked) if query.returns_chunks else len({match.indexed.pmid for match in ranked})
            if count >= query.limit or len(hits) < limit or limit >= _MAX_CHUNKS:
                return ranked, found.unindexed
            limit = min(limit * _WIDENING_FACTOR, _MAX_CHUNKS)


def _has_words(library: Library, text: str) -> bool:
    from sanya.suite.search import SEARCH_LANGUAGES  # lazy: it imports numpy

    return any(library.reader.read_query(text, language)["words"] for language in SEARCH_LANGUAGES)


def _to_chunk_hit(match: RankedChunk) -> PaperHit:
    chunk = match.indexed.chunk
    return PaperHit(match, [match], chunk.text or None, [chunk.section])


def _to_paper_hit(matches: Sequence[RankedChunk], paper: AssembledPaper) -> PaperHit:
    ids = {match.indexed.chunk.chunk_id for match in matches}
    sections = dict.fromkeys(chunk.section for chunk in paper.chunks if chunk.chunk_id in ids)
    sections |= dict.fromkeys(match.indexed.chunk.section for match in matches if match.indexed.quotation)
    return PaperHit(matches[0], matches, paper.abstract, list(sections))
