"""The way of a search: other names of what is asked for, the engines, the order, papers put together from chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from sanya.retrieval.documents import AnyOf, Between, Filter
from sanya.suites.papers.corpus import State
from sanya.suites.papers.fields import number_of
from sanya.suites.papers.names import folded_name
from sanya.suites.papers.pieces import Pieces, Whole
from sanya.suites.papers.quality import journal_names
from sanya.suites.papers.ranking import Ranked, best_of_papers, rank
from sanya.suites.papers.sections import SectionName
from sanya.suites.papers.shelf import NAMESPACE, PaperShelf
from sanya.suites.papers.synonyms import Synonyms
from sanya.text.dates import PartialDate

if TYPE_CHECKING:
    from sanya.retrieval.search import Library

Mode = Literal["hybrid", "semantic", "bm25"]

# A paper has several chunks, and quality moves what was found further down: so more is looked at than is shown.
_CHUNKS_A_RESULT = 3
_WIDER = 4
_MOST_CHUNKS = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which papers come into question. A date that is known to the month or year only counts with all its days."""

    date_from: PartialDate | None = None
    date_to: PartialDate | None = None
    journals: tuple[str, ...] = ()

    @property
    def filters(self) -> tuple[Filter, ...]:
        found: list[Filter] = []
        if self.date_from is not None:
            found.append(Between("date_last", number_of(self.date_from.first_day), None))
        if self.date_to is not None:
            found.append(Between("date_first", None, number_of(self.date_to.last_day)))
        if self.journals:
            found.append(AnyOf("journal_names", _all_names(self.journals)))
        return tuple(found)


def _all_names(journals: Sequence[str]) -> tuple[str, ...]:
    """The listed journals are known by all their names: NEJM is N Engl J Med."""
    given = [folded_name(one) for one in journals]
    return tuple(sorted({name for one in given for name in journal_names().get(one, {one})}))


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    limit: int
    mode: Mode
    alpha: float
    wanted: Wanted
    by_quality: bool
    enhance: bool
    chunks: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A chunk, or a paper: then `best` is what was found best of it and `found` all that was found of it."""

    best: Ranked
    found: Sequence[Ranked]
    text: str | None
    sections: Sequence[SectionName]
    """Those in which something was found, in the order of the text."""


@dataclass(frozen=True, slots=True)
class Found:
    results: Sequence[Result]
    enhanced: bool
    search_ms: float


class PaperSearch:
    """`synonyms` are read when a query is first enhanced."""

    def __init__(self, shelf: PaperShelf, synonyms: Callable[[], Synonyms]) -> None:
        self._shelf = shelf
        self._synonyms = cache(synonyms)
        self._pieces = Pieces(shelf)
        self._seen_revision = -1

    async def find(self, asked: Asked, state: State) -> Found:
        library = await self._library(state)
        begun = perf_counter()
        also = self._other_names(library, asked) if asked.enhance and asked.mode != "semantic" else ()
        if asked.chunks:
            ranked = await self._ranked(library, asked, state, also)
            results = [_chunk(one) for one in ranked[: asked.limit]]
        else:
            results = await self._papers(library, asked, state, also)
        return Found(results, bool(also), (perf_counter() - begun) * 1000)

    async def _library(self, state: State) -> Library:
        """Shows what others have stored since: another process may have synced."""
        library = await self._shelf.ready()
        if state.seq is None and state.revision != self._seen_revision:
            await library.refresh()
            self._seen_revision = state.revision
        return library

    def _other_names(self, library: Library, asked: Asked) -> tuple[str, ...]:
        """Those that have no word in common with the question. Of the others the rest would count beside what was
        asked for, as if it were asked for as well: "hypovitaminosis" beside "vitamin D deficiency"."""
        from sanya.retrieval.terms import MAX_QUERY_CHARACTERS  # here, as below

        text = asked.text[:MAX_QUERY_CHARACTERS]  # a longer question is refused, and must not be read for that
        names = self._synonyms().others(text)
        said = library.reader.words(text) if names else ()
        return tuple(name for name in names if not set(library.reader.words(name)).intersection(said))

    async def _papers(self, library: Library, asked: Asked, state: State, also: tuple[str, ...]) -> list[Result]:
        papers = best_of_papers(await self._ranked(library, asked, state, also))
        shown = list(papers.values())[: asked.limit]
        whole = await self._pieces.papers(library, [found[0].piece for found in shown], state)
        return [_paper(found, one) for found, one in zip(shown, whole, strict=True)]

    async def _ranked(self, library: Library, asked: Asked, state: State, also: tuple[str, ...]) -> list[Ranked]:
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
                asked.wanted.filters,
                as_of=state.seq,
                also=also,
            )
            hits = (await library.search(query)).hits
            pieces = await self._pieces.of(library, [hit.id for hit in hits], state)
            ranked = rank(hits, pieces, state.as_of, by_quality=asked.by_quality)
            enough = len(ranked) if asked.chunks else len({one.piece.pmid for one in ranked})
            if enough >= asked.limit or len(hits) < limit or limit >= _MOST_CHUNKS:
                return ranked
            limit = min(limit * _WIDER, _MOST_CHUNKS)


def _chunk(one: Ranked) -> Result:
    chunk = one.piece.chunk
    return Result(one, [one], chunk.text or None, [chunk.section])


def _paper(found: Sequence[Ranked], whole: Whole) -> Result:
    names = {one.piece.chunk.chunk_id for one in found}
    sections = dict.fromkeys(chunk.section for chunk in whole.chunks if chunk.chunk_id in names)
    return Result(found[0], found, whole.abstract, list(sections))
