"""Ranking of search hits: the shared hybrid search finds passages, and the graph boosts what the question names.

A hit stands for a node or for a chunk about one. Passages found by words or vectors are scored, the boost of their node
is added, and several passages of one node become one hit: a chunk counts for itself, at a discount, and for the page of
its node. Nodes that the question names or links to are hits even where no word of their page matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sanya.suite.search import (
    SEARCH_LANGUAGES,
    AnyOf,
    Between,
    Filter,
    Hit,
    SearchLanguage,
    SearchQuery,
    judge_fit,
    round_score,
)
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.graph.model import NodeType, ReviewState
from sanya.suites.herbs.questions.question import ParsedQuestion
from sanya.suites.herbs.search.boosts import MAX_BOOST, NO_BOOST, PAPER_BOOST, GraphBoost, compute_boosts
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.passages import NAMESPACE, GraphPassage

_MAX_PASSAGES = 100
# A chunk ranks behind the node it is about.
_CHUNK_DISCOUNT = 0.6
# Where fewer nodes than this match by words in the question's own language, the other language is searched too.
_ENOUGH_NODES = 10
# Words and meaning together reach 1 and boosts 2, so dividing by their sum keeps a score between 0 and 1.
_MAX_SCORE = 1 + MAX_BOOST
# Names were read for certain, by their sound, or with a typing mistake; links hold as well as the name they start from.
_RELEVANCE_BY_REASON = {"name": 0.98, "alias": 0.98, "romanised": 0.9, "slip": 0.8, "linked": 0.75}
_GRAPH_REASONS = frozenset({"name", "alias", "romanised", "slip", "linked"})


@dataclass(frozen=True, slots=True)
class HitFilter:
    """Restrictions of a search; empty and None allow anything."""

    types: tuple[NodeType, ...] = ()
    ids: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    review: tuple[ReviewState, ...] = ()
    year_from: int | None = None
    year_to: int | None = None

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters of the shared search. Documents of chunks carry the type of their node, so a filter that allows
        chunks cannot restrict types there; `is_allowed` does it later."""
        types = () if "chunk" in self.types else self.types
        values = (("type", types), ("about", self.ids), ("sources", self.sources), ("review", self.review))
        filters: list[Filter] = [AnyOf(field, allowed) for field, allowed in values if allowed]
        if self.year_from is not None or self.year_to is not None:
            filters.append(Between("year", self.year_from, self.year_to))
        return tuple(filters)

    def is_allowed(self, passage: GraphPassage) -> bool:
        return not self.types or passage.type in self.types


class RankedHit(NamedTuple):
    """A node or a chunk with its score. `found_by` is the passage that the search returned, its own or a chunk's."""

    passage: GraphPassage
    found_by: GraphPassage
    score: float
    parts: Mapping[str, float]
    """The parts of the score, which add up to it to the last bit."""
    reasons: tuple[str, ...]
    similarity: float
    relevance: float | None = None
    """How likely the hit answers the query, whatever else was found; None where that cannot be told."""

    @property
    def unit(self) -> str:
        return self.passage.unit

    @property
    def facts(self) -> tuple[HerbFact, ...]:
        """The facts that a snippet may quote."""
        own = self.passage.facts
        return own if self.found_by is self.passage else (*self.found_by.facts, *own)

    @property
    def is_linked(self) -> bool:
        """True where the question names the node, or names something that the graph links to it."""
        return not _GRAPH_REASONS.isdisjoint(self.reasons)


async def search(indexed: IndexedGraph, question: ParsedQuestion, hit_filter: HitFilter, limit: int) -> list[RankedHit]:
    """Return the hits in a total order: score, then id."""
    boosts = compute_boosts(indexed.graph, question)
    matches = await _find_passages(indexed, question, hit_filter)
    best: dict[str, RankedHit] = {}
    for passage, hit in [*matches, *_list_boosted(indexed, question, boosts, hit_filter)]:
        boost = boosts.get(passage.about) or _boost_papers(passage, question)
        for ranked in _rank_passage(indexed, passage, hit, boost):
            is_better = ranked.unit not in best or best[ranked.unit].score < ranked.score
            if hit_filter.is_allowed(ranked.passage) and is_better:
                best[ranked.unit] = ranked
    ordered = sorted(best.values(), key=lambda ranked: (-ranked.score, ranked.unit))
    kept = _keep_each_node_once(ordered)
    # Whoever names the nodes to search wants them, however little fits.
    return kept[:limit] if hit_filter.ids else _drop_irrelevant(kept)[:limit]


def _drop_irrelevant(hits: list[RankedHit]) -> list[RankedHit]:
    """Return no hits where the best of them does not fit: an empty list is better than ten herbs about something
    else."""
    fit = judge_fit([hit.relevance for hit in hits], by_words_alone=not any(hit.similarity for hit in hits))
    return [] if fit.level == "none" else hits


def estimate_relevance(hit: Hit, boost: GraphBoost) -> float | None:
    """Return the relevance of a passage. A node that the question names, or that the graph links to a name in it, is
    relevant however its words score."""
    known = max((_RELEVANCE_BY_REASON.get(reason, 0.0) for reason in boost.reasons), default=0.0)
    return max(known, hit.relevance or 0.0) if known or hit.relevance is not None else None


def _boost_papers(passage: GraphPassage, question: ParsedQuestion) -> GraphBoost:
    """Boost papers for a question that asks for papers."""
    is_wanted = passage.type == "paper" and "papers" in question.intents
    return GraphBoost(PAPER_BOOST, ("kind",)) if is_wanted else NO_BOOST


async def _find_passages(
    indexed: IndexedGraph, question: ParsedQuestion, hit_filter: HitFilter
) -> list[tuple[GraphPassage, Hit]]:
    """Search the question's own language, and both languages where that finds too little or papers are asked for:
    titles of papers are in English."""
    if "papers" not in question.intents:
        matches = await _query_library(indexed, question, hit_filter, (question.lang,))
        if len({passage.about for passage, hit in matches if hit.bm25 > 0}) >= _ENOUGH_NODES:
            return matches
    return await _query_library(indexed, question, hit_filter, SEARCH_LANGUAGES)


async def _query_library(
    indexed: IndexedGraph, question: ParsedQuestion, hit_filter: HitFilter, languages: tuple[SearchLanguage, ...]
) -> list[tuple[GraphPassage, Hit]]:
    query = SearchQuery(
        question.text,
        NAMESPACE,
        limit=_MAX_PASSAGES,
        filters=hit_filter.filters,
        languages=languages,
        other_names=tuple(dict.fromkeys(_list_other_names(indexed, question))),
    )
    result = await indexed.library.search(query)
    return [(indexed.passages[hit.id], hit) for hit in result.hits if hit.id in indexed.passages]


def _list_other_names(indexed: IndexedGraph, question: ParsedQuestion) -> Iterable[str]:
    """Yield the correct names behind misspellings and transcriptions, as the documents write them."""
    for mention in question.mentions:
        if mention.kind in ("romanised", "slip"):
            node = indexed.graph.nodes[mention.nodes[0]]
            yield from filter(None, (node.label_th, node.label_en))


def _list_boosted(
    indexed: IndexedGraph, question: ParsedQuestion, boosts: Mapping[str, GraphBoost], hit_filter: HitFilter
) -> Iterable[tuple[GraphPassage, Hit]]:
    """Yield the pages of all boosted nodes, whether or not their words match."""
    for node_id in boosts:
        pages = (indexed.passages.get(f"{node_id}@{lang}") for lang in (question.lang, "en"))
        passage = next(filter(None, pages), None)
        if passage is not None and _has_allowed_fields(passage, hit_filter):
            no_score = {"words": 0.0, "meaning": 0.0}
            yield passage, Hit(passage.document.id, 0.0, no_score, 0.0, 0.0, passage.lang)


def _has_allowed_fields(passage: GraphPassage, hit_filter: HitFilter) -> bool:
    fields = passage.document.fields
    return all(_is_filter_match(fields.get(filter.field), filter) for filter in hit_filter.filters)


def _is_filter_match(value: object, filter: Filter) -> bool:
    match filter:
        case AnyOf():
            values = value if isinstance(value, tuple) else (value,)
            return not set(filter.values).isdisjoint(values)
        case Between():
            return isinstance(value, int) and (filter.least or 0) <= value <= (filter.most or 9999)
        case _:
            return value == filter.value


def _rank_passage(indexed: IndexedGraph, passage: GraphPassage, hit: Hit, boost: GraphBoost) -> Iterable[RankedHit]:
    """Yield the hits of a passage: the page of its node, and for a chunk the chunk itself."""
    reasons = (*boost.reasons, *(part for part in ("words", "meaning") if hit.parts[part] > 0))
    scores = {"words": hit.parts["words"], "meaning": hit.parts["meaning"], "graph": boost.value}
    parts = {name: round_score(value / _MAX_SCORE) for name, value in scores.items()}
    relevance = estimate_relevance(hit, boost)
    page = indexed.passages.get(f"{passage.about}@{passage.lang}", passage) if passage.is_chunk else passage
    if not page.is_chunk:
        yield RankedHit(page, passage, sum(parts.values()), parts, reasons, hit.similarity, relevance)
    if passage.is_chunk:
        discounted = {name: round_score(value * _CHUNK_DISCOUNT) for name, value in parts.items()}
        yield RankedHit(passage, passage, sum(discounted.values()), discounted, reasons, hit.similarity, relevance)


def _keep_each_node_once(hits: Iterable[RankedHit]) -> list[RankedHit]:
    """Keep the best hit of each node, its page or a chunk: more would crowd out other nodes."""
    kept: dict[str, RankedHit] = {}
    for hit in hits:
        kept.setdefault(hit.passage.about, hit)
    return list(kept.values())
