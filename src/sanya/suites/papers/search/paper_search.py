"""The way of a search: other names of what is asked for, the engines, the order, papers put together from chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from sanya.retrieval.documents import AnyOf, Between, Filter
from sanya.suites.papers.corpus import CorpusState
from sanya.suites.papers.indexing.fields import to_date_number
from sanya.suites.papers.indexing.name_folding import fold_name_cached
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.indexing.quality import load_journal_names
from sanya.suites.papers.indexing.sections import SectionName
from sanya.suites.papers.search.chunk_cache import AssembledPaper, ChunkCache
from sanya.suites.papers.search.ranking import RankedChunk, group_by_paper, rank_chunks
from sanya.suites.papers.search.synonyms import Synonyms
from sanya.text.dates import PartialDate

if TYPE_CHECKING:
    from sanya.retrieval.search import Library

PaperSearchMode = Literal["hybrid", "semantic", "bm25"]

# A paper has several chunks, and quality moves what was found further down: so more is looked at than is shown.
_CHUNKS_A_RESULT = 3
_WIDER = 4
_MOST_CHUNKS = 1000


@dataclass(frozen=True, slots=True)
class PaperFilter:
    """Which papers come into question. A date that is known to the month or year only counts with all its days."""

    date_from: PartialDate | None = None
    date_to: PartialDate | None = None
    journals: tuple[str, ...] = ()

    @property
    def filters(self) -> tuple[Filter, ...]:
        found: list[Filter] = []
        if self.date_from is not None:
            found.append(Between("date_last", to_date_number(self.date_from.first_day), None))
        if self.date_to is not None:
            found.append(Between("date_first", None, to_date_number(self.date_to.last_day)))
        if self.journals:
            found.append(AnyOf("journal_names", _expand_journals(self.journals)))
        return tuple(found)


def _expand_journals(journals: Sequence[str]) -> tuple[str, ...]:
    """The listed journals are known by all their names: NEJM is N Engl J Med."""
    given = [fold_name_cached(one) for one in journals]
    return tuple(sorted({name for one in given for name in load_journal_names().get(one, {one})}))


@dataclass(frozen=True, slots=True)
class PaperQuery:
    text: str
    limit: int
    mode: PaperSearchMode
    alpha: float
    paper_filter: PaperFilter
    by_quality: bool
    enhance: bool
    returns_chunks: bool


@dataclass(frozen=True, slots=True)
class PaperHit:
    """A chunk, or a paper: then `best` is what was found best of it and `found` all that was found of it."""

    best: RankedChunk
    matches: Sequence[RankedChunk]
    text: str | None
    sections: Sequence[SectionName]
    """Those in which something was found, in the order of the text."""


@dataclass(frozen=True, slots=True)
class PaperSearchResult:
    hits: Sequence[PaperHit]
    is_enhanced: bool
    search_ms: float


class PaperSearch:
    """`synonyms` are read when a query is first enhanced."""

    def __init__(self, shelf: PaperIndex, synonyms: Callable[[], Synonyms]) -> None:
        self._shelf = shelf
        self._synonyms = cache(synonyms)
        self._pieces = ChunkCache(shelf)
        self._seen_revision = -1

    async def find(self, asked: PaperQuery, state: CorpusState) -> PaperSearchResult:
        library = await self._open_library(state)
        begun = perf_counter()
        also = self._find_synonyms(library, asked) if asked.enhance and asked.mode != "semantic" else ()
        if asked.returns_chunks:
            ranked = await self._find_chunks(library, asked, state, also)
            results = [_to_chunk_hit(one) for one in ranked[: asked.limit]]
        else:
            results = await self._find_papers(library, asked, state, also)
        return PaperSearchResult(results, bool(also), (perf_counter() - begun) * 1000)

    async def _open_library(self, state: CorpusState) -> Library:
        """Shows what others have stored since: another process may have synced."""
        library = await self._shelf.prepare()
        if state.seq is None and state.revision != self._seen_revision:
            await library.refresh()
            self._seen_revision = state.revision
        return library

    def _find_synonyms(self, library: Library, asked: PaperQuery) -> tuple[str, ...]:
        """Those that have no word in common with the question. Of the others the rest would count beside what was
        asked for, as if it were asked for as well: "hypovitaminosis" beside "vitamin D deficiency"."""
        from sanya.retrieval.terms import MAX_QUERY_CHARACTERS  # here, as below

        text = asked.text[:MAX_QUERY_CHARACTERS]  # a longer question is refused, and must not be read for that
        names = self._synonyms().find_other_names(text)
        said = library.reader.words(text) if names else ()
        return tuple(name for name in names if not set(library.reader.words(name)).intersection(said))

    async def _find_papers(
        self, library: Library, asked: PaperQuery, state: CorpusState, also: tuple[str, ...]
    ) -> list[PaperHit]:
        papers = group_by_paper(await self._find_chunks(library, asked, state, also))
        shown = list(papers.values())[: asked.limit]
        whole = await self._pieces.assemble_papers(library, [found[0].chunk for found in shown], state)
        return [_to_paper_hit(found, one) for found, one in zip(shown, whole, strict=True)]

    async def _find_chunks(
        self, library: Library, asked: PaperQuery, state: CorpusState, also: tuple[str, ...]
    ) -> list[RankedChunk]:
        """Looks further until there are as many papers as are wanted, or nothing more is found."""
        from sanya.retrieval.search import Query  # here: it brings numpy along

        limit = asked.limit * _CHUNKS_A_RESULT
        while True:
            query = Query(
                asked.text,
                NAMESPACE,
                asked.mode,
                asked.alpha,
                limit,
                asked.paper_filter.filters,
                as_of=state.seq,
                also=also,
            )
            hits = (await library.search(query)).hits
            pieces = await self._pieces.read_chunks(library, [hit.id for hit in hits], state)
            ranked = rank_chunks(hits, pieces, state.as_of, by_quality=asked.by_quality)
            enough = len(ranked) if asked.returns_chunks else len({one.chunk.pmid for one in ranked})
            if enough >= asked.limit or len(hits) < limit or limit >= _MOST_CHUNKS:
                return ranked
            limit = min(limit * _WIDER, _MOST_CHUNKS)


def _to_chunk_hit(one: RankedChunk) -> PaperHit:
    chunk = one.chunk.chunk
    return PaperHit(one, [one], chunk.text or None, [chunk.section])


def _to_paper_hit(found: Sequence[RankedChunk], whole: AssembledPaper) -> PaperHit:
    names = {one.chunk.chunk.chunk_id for one in found}
    sections = dict.fromkeys(chunk.section for chunk in whole.chunks if chunk.chunk_id in names)
    return PaperHit(found[0], found, whole.abstract, list(sections))
