"""Fact checking of an answer: each sentence against the span that it cites, and the cited fact against the graph."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.suites.herbs.answers.phrasing import is_supported
from sanya.suites.herbs.facts.fact import FactRelation, HerbFact
from sanya.suites.herbs.graph.model import EdgeType, HerbEdge
from sanya.suites.herbs.search.index import IndexedGraph

# A fact may have several lines, so a sentence ends where its mark ends a line.
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
    """A sentence of an answer. `fact` is the id of the fact it cites, None where it cites none that exists."""

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


def check_answer(indexed: IndexedGraph, text: str, cited: Sequence[HerbFact], lang: str) -> tuple[CheckedSentence, ...]:
    """Check each sentence; `cited` are the facts behind the marks, in order."""
    return tuple(_check_sentence(indexed, match, cited, lang) for match in _SENTENCE.finditer(text))


def _check_sentence(
    indexed: IndexedGraph, match: re.Match[str], cited: Sequence[HerbFact], lang: str
) -> CheckedSentence:
    number = int(match["mark"] or 0)
    if not 1 <= number <= len(cited):
        return CheckedSentence(match[0], None, by_span=False, by_graph=False)
    fact, sentence = cited[number - 1], match["sentence"]
    by_span = is_supported(f"{sentence} [1]", [fact.get_sentence(lang)])
    return CheckedSentence(sentence, fact.id, by_span, is_in_graph(indexed, fact))


def is_in_graph(indexed: IndexedGraph, fact: HerbFact) -> bool:
    """Return whether the graph holds the fact: word for word in this revision, with known sources, and with every edge
    between the same nodes, of the same type and strength, and without further sources."""
    graph = indexed.graph
    if indexed.facts.by_id.get(fact.id) != fact or fact.subject not in graph.nodes:
        return False
    if not fact.sources or not graph.sources.keys() >= set(fact.sources):
        return False
    edges = {edge.id: edge for edge in graph.get_edges(fact.subject)}
    return all(edge_id in edges and _is_evidence(edges[edge_id], fact) for edge_id in fact.edges)


def _is_evidence(edge: HerbEdge, fact: HerbFact) -> bool:
    return (
        edge.type == _EDGES.get(fact.relation)
        and edge.get_other_end(fact.subject) in fact.objects
        and edge.strength == fact.strength
        and set(edge.sources) <= set(fact.sources)
    )
