"""One search over the graph: the shared hybrid search finds passages, names and links of the graph lift what they
point at, and passages are folded into the things they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sanya.retrieval.documents import AnyOf, Between, Filter
from sanya.retrieval.exactness import exact
from sanya.retrieval.legs import Hit
from sanya.retrieval.search import Query
from sanya.retrieval.terms import LANGUAGES, Language
from sanya.suites.herbs.facts.fact import Fact
from sanya.suites.herbs.graph.model import NodeType, Review
from sanya.suites.herbs.questions.question import Asked
from sanya.suites.herbs.search.boosts import MOST_LIFT, PAPERS, Lift, lifts_of
from sanya.suites.herbs.search.index import Searchable
from sanya.suites.herbs.search.passages import NAMESPACE, Passage

_POOL = 100
# A chunk stands behind the thing it is about.
_CHUNK = 0.6
# Fewer things than this by words in the query's own language, and the other one is searched too.
_ENOUGH = 10
_NO_LIFT = Lift(0.0, ())
# Words and meaning together reach 1, names and links 2: so that a score lies between 0 and 1.
_WHOLE = 1 + MOST_LIFT


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a caller restricts the search to; empty means anything."""

    types: tuple[NodeType, ...] = ()
    ids: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    review: tuple[Review, ...] = ()
    year_from: int | None = None
    year_to: int | None = None

    @property
    def filters(self) -> tuple[Filter, ...]:
        """A chunk belongs to a thing of some type; chunks themselves are told apart later."""
        types = tuple(one for one in self.types if one != "chunk")
        named = (("type", types if "chunk" not in self.types else ()), ("about", self.ids), ("sources", self.sources))
        found: list[Filter] = [AnyOf(field, values) for field, values in (*named, ("review", self.review)) if values]
        if self.year_from is not None or self.year_to is not None:
            found.append(Between("year", self.year_from, self.year_to))
        return tuple(found)

    def admits(self, passage: Passage) -> bool:
        return not self.types or passage.type in self.types


class Ranked(NamedTuple):
    """One hit: a thing, or a chunk about one; `found_by` is the passage that brought it, its own or a chunk's."""

    passage: Passage
    found_by: Passage
    score: float
    parts: Mapping[str, float]
    """They add up to the score, to the last bit."""
    reasons: tuple[str, ...]
    similarity: float

    @property
    def unit(self) -> str:
        return self.passage.unit

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What it may be quoted by."""
        own = self.passage.facts
        return own if self.found_by is self.passage else (*self.found_by.facts, *own)

    @property
    def is_linked(self) -> bool:
        """Whether the graph has a part in it: a name in the query, or a link to one."""
        return not {"name", "alias", "romanised", "slip", "linked"}.isdisjoint(self.reasons)


async def search(searchable: Searchable, asked: Asked, narrowing: Narrowing, limit: int) -> list[Ranked]:
    """In a total order: score, then id."""
    lifts = lifts_of(searchable.graph, asked)
    found = await _hits(searchable, asked, narrowing)
    best: dict[str, Ranked] = {}
    for passage, hit in [*found, *_lifted(searchable, asked, lifts, narrowing)]:
        for one in _ranked(searchable, passage, hit, lifts.get(passage.about) or _kind_lift(passage, asked)):
            if narrowing.admits(one.passage) and (one.unit not in best or best[one.unit].score < one.score):
                best[one.unit] = one
    return _one_chunk_each(sorted(best.values(), key=lambda one: (-one.score, one.unit)))[:limit]


def _kind_lift(passage: Passage, asked: Asked) -> Lift:
    """Who asks for papers means papers."""
    is_paper = passage.type == "paper"
    return Lift(PAPERS, ("kind",)) if is_paper and "papers" in asked.intents else _NO_LIFT


async def _hits(searchable: Searchable, asked: Asked, narrowing: Narrowing) -> list[tuple[Passage, Hit]]:
    """In the asker's own language, and where that finds too little in the other one as well. Papers have their titles
    in English alone."""
    if "papers" not in asked.intents:
        found = await _query(searchable, asked, narrowing, (asked.lang,))
        if len({passage.about for passage, hit in found if hit.bm25 > 0}) >= _ENOUGH:
            return found
    return await _query(searchable, asked, narrowing, LANGUAGES)


async def _query(
    searchable: Searchable, asked: Asked, narrowing: Narrowing, languages: tuple[Language, ...]
) -> list[tuple[Passage, Hit]]:
    also = tuple(dict.fromkeys(_other_names(searchable, asked)))
    query = Query(asked.text, NAMESPACE, limit=_POOL, filters=narrowing.filters, languages=languages, also=also)
    found = await searchable.library.search(query)
    return [(searchable.passages[hit.id], hit) for hit in found.hits if hit.id in searchable.passages]


def _other_names(searchable: Searchable, asked: Asked) -> Iterable[str]:
    """What a slip or a transcription stands for, in the words of the documents."""
    for mention in asked.mentions:
        if mention.how in ("romanised", "slip"):
            node = searchable.graph.nodes[mention.nodes[0]]
            yield from filter(None, (node.label_th, node.label_en))


def _lifted(
    searchable: Searchable, asked: Asked, lifts: Mapping[str, Lift], narrowing: Narrowing
) -> Iterable[tuple[Passage, Hit]]:
    """What is named or linked is found, whatever the words of its page."""
    for node_id in lifts:
        pages = (searchable.passages.get(f"{node_id}@{lang}") for lang in (asked.lang, "en"))
        passage = next(filter(None, pages), None)
        if passage is not None and _passes(passage, narrowing):
            nothing = {"words": 0.0, "meaning": 0.0}
            yield passage, Hit(passage.document.id, 0.0, nothing, 0.0, 0.0, passage.lang)


def _passes(passage: Passage, narrowing: Narrowing) -> bool:
    fields = passage.document.fields
    return all(_holds(fields.get(one.field), one) for one in narrowing.filters)


def _holds(value: object, wanted: Filter) -> bool:
    match wanted:
        case AnyOf():
            values = value if isinstance(value, tuple) else (value,)
            return not set(wanted.values).isdisjoint(values)
        case Between():
            return isinstance(value, int) and (wanted.least or 0) <= value <= (wanted.most or 9999)
        case _:
            return value == wanted.value


def _ranked(searchable: Searchable, passage: Passage, hit: Hit, lift: Lift) -> Iterable[Ranked]:
    """A chunk counts for itself, and for the page of the thing it is about."""
    reasons = (*lift.reasons, *(way for way in ("words", "meaning") if hit.parts[way] > 0))
    scores = {"words": hit.parts["words"], "meaning": hit.parts["meaning"], "graph": lift.value}
    parts = {name: exact(value / _WHOLE) for name, value in scores.items()}
    page = searchable.passages.get(f"{passage.about}@{passage.lang}", passage) if passage.is_chunk else passage
    if not page.is_chunk:
        yield Ranked(page, passage, sum(parts.values()), parts, reasons, hit.similarity)
    if passage.is_chunk:
        lowered = {name: exact(value * _CHUNK) for name, value in parts.items()}
        yield Ranked(passage, passage, sum(lowered.values()), lowered, reasons, hit.similarity)


def _one_chunk_each(ranked: Iterable[Ranked]) -> list[Ranked]:
    """The best chunk of each thing: more of them would crowd out other things."""
    seen: set[str] = set()
    kept: list[Ranked] = []
    for one in ranked:
        if not one.passage.is_chunk:
            kept.append(one)
        elif one.passage.about not in seen:
            seen.add(one.passage.about)
            kept.append(one)
    return kept
