"""Checks an answer as a careful reader would: each sentence against the span it cites, and the span's statement against
the graph itself, edge by edge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.suites.herbs.answers.phrasing import is_supported
from sanya.suites.herbs.facts.fact import FactRelation, HerbFact
from sanya.suites.herbs.graph.model import EdgeType, HerbEdge
from sanya.suites.herbs.search.index import IndexedGraph

# A statement may itself have several lines: a sentence ends where its mark ends a line.
_SENTENCE = re.compile(r"(?P<sentence>.+?) \[(?P<mark>\d{1,2})\](?:\n|$)|(?P<unmarked>.+)", re.DOTALL)
_EDGES: Mapping[FactRelation, EdgeType] = {
    "treats": "treats",
    "contraindicated_in": "contraindicated_in",
    "interacts_with": "interacts_with",
    "contains": "contains",
    "made_of": "part_of",
    "mentioned_in": "mentioned_in",
}


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """One sentence of an answer. `fact` is the statement it cites, None where it cites none that there is."""

    text: str
    fact: str | None
    by_span: bool
    by_graph: bool

    @property
    def checks(self) -> tuple[bool, bool]:
        return self.by_span, self.by_graph

    @property
    def is_supported(self) -> bool:
        return all(self.checks)


def check_answer(
    searchable: IndexedGraph, text: str, cited: Sequence[HerbFact], lang: str
) -> tuple[CheckedSentence, ...]:
    """`cited` are the statements behind the marks, in their order."""
    return tuple(_check(searchable, one, cited, lang) for one in _SENTENCE.finditer(text))


def _check(searchable: IndexedGraph, found: re.Match[str], cited: Sequence[HerbFact], lang: str) -> CheckedSentence:
    number = int(found["mark"] or 0)
    if not 1 <= number <= len(cited):
        return CheckedSentence(found[0], None, by_span=False, by_graph=False)
    fact, sentence = cited[number - 1], found["sentence"]
    by_span = is_supported(f"{sentence} [1]", [fact.get_sentence(lang)])
    return CheckedSentence(sentence, fact.id, by_span, is_in_graph(searchable, fact))


def is_in_graph(searchable: IndexedGraph, fact: HerbFact) -> bool:
    """Whether the statement is one of this revision, word for word, its sources are on record, and every edge that it
    rests on is there: between these things, of this kind, no weaker and from no other source."""
    graph = searchable.graph
    if searchable.facts.by_id.get(fact.id) != fact or fact.subject not in graph.nodes:
        return False
    if not fact.sources or not graph.sources.keys() >= set(fact.sources):
        return False
    edges = {edge.id: edge for edge in graph.get_edges(fact.subject)}
    return all(one in edges and _bears_out(edges[one], fact) for one in fact.edges)


def _bears_out(edge: HerbEdge, fact: HerbFact) -> bool:
    return (
        edge.type == _EDGES.get(fact.relation)
        and edge.get_other_end(fact.subject) in fact.objects
        and edge.strength == fact.strength
        and set(edge.sources) <= set(fact.sources)
    )
