"""From a question to an answer: statements of the graph, quoted whole, each with its sources, or nothing at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanya.retrieval.answers import Chosen
from sanya.retrieval.answers import Passage as Quoted
from sanya.retrieval.stops import thai_stops
from sanya.suites.herbs.answers.confidence import AnswerSigns, RetrievalSigns, known_share
from sanya.suites.herbs.answers.fact_selection import Fitting, fitting, wanted_of
from sanya.suites.herbs.facts.fact import WARNINGS, Fact
from sanya.suites.herbs.graph.model import strength_rank
from sanya.suites.herbs.questions.question import FRAME_WORDS, Asked, without_signs
from sanya.suites.herbs.search.index import Searchable
from sanya.suites.herbs.search.ranking import Narrowing, Ranked, search

_SENTENCES = 4
_WARNINGS = 6
_CITATIONS = 8
_SEARCHED = 100
# A statement that fits less than this share of the best one is cited beside the answer, not said in it.
_SAID = 0.75
_FIT, _RELEVANCE = 0.7, 0.3


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before the gate."""

    said: tuple[Fact, ...]
    """The sentences of the answer, in their order."""
    cited: tuple[Fact, ...]
    """Those, and further statements that bear on the question."""
    hits: tuple[Ranked, ...]
    retrieval: RetrievalSigns
    signs: AnswerSigns

    @property
    def support(self) -> int:
        """How many citations count: what was only read in a document is shown, and supports nothing."""
        return sum(not fact.is_from_document for fact in self.cited)


async def draft(searchable: Searchable, asked: Asked, top_k: int) -> Draft:
    hits = await search(searchable, asked, Narrowing(), _SEARCHED)
    # Documents are read beside what is known, not instead of it.
    known = [hit for hit in hits if not _is_from_document(hit)][:top_k]
    return await draft_from(searchable, asked, known + [hit for hit in hits if _is_from_document(hit)][:top_k])


async def draft_from(searchable: Searchable, asked: Asked, hits: Sequence[Ranked]) -> Draft:
    wanted = wanted_of(searchable, asked)
    fits = fitting(searchable, wanted, hits)
    known = [one for one in fits if not one.fact.is_from_document]
    chosen = await _relevance(searchable, asked, known)
    ranked = _ranked(known, chosen)
    said = _said(ranked, asked)
    cited = tuple(dict.fromkeys([*said, *(one.fact for one in ranked)]))[:_CITATIONS]
    read = tuple(one.fact for one in fits if one.fact.is_from_document)
    retrieval = _retrieval_signs(searchable, asked, [hit for hit in hits if not _is_from_document(hit)])
    signs = _signs(searchable, asked, _Weighed(said, ranked, chosen, retrieval.graph))
    return Draft(said, cited + read, tuple(hits), retrieval, signs)


def _is_from_document(hit: Ranked) -> bool:
    return all(fact.is_from_document for fact in hit.passage.facts)


@dataclass(frozen=True, slots=True)
class _Weighed:
    said: tuple[Fact, ...]
    fits: Sequence[Fitting]
    chosen: dict[str, Chosen]
    graph: float


async def _relevance(searchable: Searchable, asked: Asked, fits: Sequence[Fitting]) -> dict[str, Chosen]:
    """How well each statement meets the question's words and meaning."""
    quoted = [Quoted(one.fact.id, one.fact.said_in(asked.lang), one.fit, whole=True) for one in fits]
    chosen = await searchable.library.answers.choose(asked.text, quoted, limit=len(quoted))
    return {one.passage_id: one for one in chosen}


def _ranked(fits: Sequence[Fitting], chosen: dict[str, Chosen]) -> list[Fitting]:
    """What says the same as a better one was not chosen; it corroborates that one, and stands behind."""

    def order(one: Fitting) -> tuple[float, int, str]:
        found = chosen.get(one.fact.id)
        worth = _FIT * one.fit + (_RELEVANCE * found.relevance if found else 0.0)
        return -round(worth, 6), -strength_rank(one.fact.strength), one.fact.id

    return sorted(fits, key=order)


def _said(ranked: Sequence[Fitting], asked: Asked) -> tuple[Fact, ...]:
    best = max((one.fit for one in ranked), default=0.0)
    near = [one.fact for one in ranked if one.fit >= _SAID * best]
    if asked.is_about_safety and near and near[0].relation in WARNINGS:
        # The strongest warning comes first: whoever reads one line must have read that.
        return tuple(sorted(near[:_WARNINGS], key=lambda fact: -strength_rank(fact.strength)))
    return tuple(near[:_SENTENCES])


def _retrieval_signs(searchable: Searchable, asked: Asked, hits: Sequence[Ranked]) -> RetrievalSigns:
    if not hits:
        return RetrievalSigns(0.0, 0.0, 0.0, 0.0)
    texts = [hit.passage.document.text for hit in hits]
    top = hits[0].parts
    return RetrievalSigns(
        graph=max((min(1.0, hit.parts["graph"] * 3) for hit in hits if hit.is_linked), default=0.0),
        words=min(1.0, top["words"] * 3),
        meaning=min(1.0, max(hit.similarity for hit in hits)),
        known=_known(searchable, asked, texts),
    )


def _signs(searchable: Searchable, asked: Asked, weighed: _Weighed) -> AnswerSigns:
    if not weighed.said:
        return AnswerSigns(0.0, 0.0, 0.0, 0.0, 0.0)
    found = [weighed.chosen[fact.id] for fact in weighed.said if fact.id in weighed.chosen]
    return AnswerSigns(
        fit=max(one.fit for one in weighed.fits),
        graph=weighed.graph,
        relevance=max((one.relevance for one in found), default=0.0),
        known=_known(searchable, asked, [sentence for fact in weighed.said for sentence in (fact.thai, fact.english)]),
        asked_elsewhere=float(not asked.intents.isdisjoint(("dosage", "elsewhere"))),
    )


def _known(searchable: Searchable, asked: Asked, texts: Sequence[str]) -> float:
    reader = searchable.library.reader
    empty = thai_stops() | FRAME_WORDS
    own = [word for word in reader.words(without_signs(asked)) if word not in empty]
    held = {word for text in texts for word in searchable.words_of(text)}
    return known_share(own, held, names_something=bool(asked.mentions))
