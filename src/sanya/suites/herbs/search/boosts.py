"""Boosts: what the graph adds to the rank of a hit beyond words and vectors.

A node that the question names is boosted most. Nodes that the graph links to a named drug, condition, use or
constituent are boosted less, and both rank above passages that merely contain the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sanya.suites.herbs.graph.hierarchy import list_related_nodes
from sanya.suites.herbs.graph.model import DOCUMENT, EdgeType, HerbEdge, HerbGraph, NodeType
from sanya.suites.herbs.questions.mentions import CERTAINTY
from sanya.suites.herbs.questions.question import ParsedQuestion

_NAMED = 1.0
# A medicine that bears the name of a herb ranks behind the herb.
_NAMESAKE = 0.5
_LINKED = 0.5
# A formulation is linked to its ingredient, but a question that names the herb mostly means the herb.
_INGREDIENT = 0.15
PAPER_BOOST = 0.8
MAX_BOOST = 2.0
_LINKING_EDGES: dict[NodeType, tuple[EdgeType, ...]] = {
    "drug": ("interacts_with",),
    "condition": ("contraindicated_in",),
    "indication": ("treats",),
    "constituent": ("contains",),
}
_BOOSTED_TYPES: tuple[NodeType, ...] = ("herb", "formulation", "constituent")


class GraphBoost(NamedTuple):
    value: float
    reasons: tuple[str, ...]


NO_BOOST = GraphBoost(0.0, ())


def compute_boosts(graph: HerbGraph, question: ParsedQuestion) -> dict[str, GraphBoost]:
    """Return a boost for every node that the question names, or that is linked to one it names."""
    named: dict[str, GraphBoost] = {}
    for mention in question.mentions:
        likeliest = graph.nodes[mention.nodes[0]].type
        for node_id in mention.nodes:
            type = graph.nodes[node_id].type
            if type in _BOOSTED_TYPES and node_id not in named:
                share = _NAMED if type == likeliest else _NAMESAKE
                named[node_id] = GraphBoost(share * CERTAINTY[mention.kind], (mention.kind,))
    linked = _compute_link_boosts(graph, question)
    return {
        node_id: GraphBoost(
            min(MAX_BOOST, named.get(node_id, NO_BOOST).value + linked.get(node_id, 0.0)),
            (*named.get(node_id, NO_BOOST).reasons, *(("linked",) if node_id in linked else ())),
        )
        for node_id in sorted(named.keys() | linked.keys())
    }


def _compute_link_boosts(graph: HerbGraph, question: ParsedQuestion) -> dict[str, float]:
    """Add up the links to different mentions: a formulation of the herb that also has the use counts for both."""
    boosts: dict[str, float] = {}
    for mention in question.mentions:
        best: dict[str, float] = {}
        for node_id, value in _list_linked(graph, question, mention.nodes):
            best[node_id] = max(value, best.get(node_id, 0.0))
        for node_id, value in best.items():
            boosts[node_id] = boosts.get(node_id, 0.0) + value * CERTAINTY[mention.kind]
    return boosts


def _list_linked(graph: HerbGraph, question: ParsedQuestion, nodes: Iterable[str]) -> Iterator[tuple[str, float]]:
    for node_id in nodes:
        type = graph.nodes[node_id].type
        if type == "herb":
            formulations = (edge.to_id for edge in _list_known_edges(graph, node_id) if edge.to_type == "formulation")
            value = _LINKED if _is_about_contents(question) else _INGREDIENT
            yield from ((formulation, value) for formulation in formulations if formulation not in question.named)
        if type == "formulation" and _is_about_contents(question):
            yield from ((herb, _LINKED) for herb in _list_ingredients(graph, node_id))
        if type in _BOOSTED_TYPES and "papers" in question.intents:
            papers = (edge.to_id for edge in _list_known_edges(graph, node_id) if edge.to_type == "paper")
            yield from ((paper, _LINKED + PAPER_BOOST) for paper in papers)
        if type == "condition" and "uses" in question.intents and not question.is_about_safety:
            continue
        for related in list_related_nodes(graph, node_id):
            for edge in graph.get_edges(related):
                if edge.to_id == related and edge.type in _LINKING_EDGES.get(type, ()) and edge.basis != DOCUMENT:
                    yield edge.from_id, _LINKED


def _is_about_contents(question: ParsedQuestion) -> bool:
    return not question.intents.isdisjoint(("ingredients", "parts"))


def _list_ingredients(graph: HerbGraph, formulation: str) -> Iterable[str]:
    edges = graph.get_edges(formulation)
    return (
        edge.from_id
        for edge in edges
        if edge.to_id == formulation and edge.type == "part_of" and edge.from_type == "herb" and edge.basis != DOCUMENT
    )


def _list_known_edges(graph: HerbGraph, node_id: str) -> Iterable[HerbEdge]:
    """Return the edges from a node, without those of documents: an unreviewed statement boosts nothing."""
    return (edge for edge in graph.get_edges(node_id) if edge.from_id == node_id and edge.basis != DOCUMENT)
