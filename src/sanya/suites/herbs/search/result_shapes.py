"""Conversion between the search and the shapes of its contract."""

from __future__ import annotations

from typing import cast

from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.contract import EntityCandidate
from sanya.suites.herbs.facts.sentences import format_node_name
from sanya.suites.herbs.graph.model import HerbGraph, HerbNode
from sanya.suites.herbs.questions.question import ParsedQuestion
from sanya.suites.herbs.search.contract import AmbiguousName, HerbScoreParts, HerbSearchFilters, HitType, SearchHit
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import HitFilter, RankedHit
from sanya.suites.herbs.search.snippets import choose_fact, format_snippet


def build_hit_filter(filters: HerbSearchFilters | None) -> HitFilter:
    if filters is None:
        return HitFilter()
    if filters.year_from is not None and filters.year_to is not None and filters.year_from > filters.year_to:
        raise InvalidArgument("filters.year_from is after filters.year_to; swap them", field="filters.year_from")
    return HitFilter(
        types=tuple(filters.types or ()),
        ids=tuple(filters.ids or ()),
        sources=tuple(filters.sources or ()),
        review=tuple(filters.review or ()),
        year_from=filters.year_from,
        year_to=filters.year_to,
    )


def format_hit(indexed: IndexedGraph, question: ParsedQuestion, hit: RankedHit) -> SearchHit:
    fact = choose_fact(indexed, question, hit)
    node = indexed.graph.nodes[hit.passage.about]
    return SearchHit(
        id=hit.unit,
        type=cast(HitType, hit.passage.type),
        title=node.get_label(question.lang),
        snippet=format_snippet(fact, hit.passage.lang),
        score=hit.score,
        source=next(iter(fact.sources), ""),
        uri=format_node_uri(node),
        about=node.id,
        matched_lang=hit.passage.lang,
        score_parts=HerbScoreParts(**hit.parts),
        reasons=list(hit.reasons),
    )


def format_ambiguous_names(graph: HerbGraph, question: ParsedQuestion) -> list[AmbiguousName]:
    return [
        AmbiguousName(
            name=mention.name,
            candidates=[
                EntityCandidate(id=node_id, label=format_node_name(graph.nodes[node_id])[1])
                for node_id in mention.nodes
            ],
        )
        for mention in question.ambiguous
    ]


def format_node_uri(node: HerbNode) -> str:
    """Return the URI of the resource that describes the node."""
    return f"paper://pmid/{node.data['pmid']}" if "pmid" in node.data else f"kg://{node.type}/{node.id}"
