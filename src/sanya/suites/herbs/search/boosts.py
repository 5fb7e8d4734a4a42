"""What the graph knows about a query beyond its words: the things it names, and the things that the drugs, conditions,
uses and constituents it names are linked to. Both come before what merely speaks of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sanya.suites.herbs.graph.model import DOCUMENT, Edge, EdgeType, Graph, NodeType
from sanya.suites.herbs.questions.mentions import CERTAINTY
from sanya.suites.herbs.questions.question import Asked

NAMED = 1.0
# The medicine that bears the name of the herb comes behind the herb.
NAMESAKE = 0.5
LINKED = 0.5
# A formulation is linked to its ingredient, but who names the herb mostly means the herb.
INGREDIENT = 0.15
PAPERS = 0.8
MOST_LIFT = 2.0
_LINKS: dict[NodeType, tuple[EdgeType, ...]] = {
    "drug": ("interacts_with",),
    "condition": ("contraindicated_in",),
    "indication": ("treats",),
    "constituent": ("contains",),
}
_SUBJECTS: tuple[NodeType, ...] = ("herb", "formulation", "constituent")


class Lift(NamedTuple):
    value: float
    reasons: tuple[str, ...]


def lifts_of(graph: Graph, asked: Asked) -> dict[str, Lift]:
    """For every thing that is named or linked, how much that counts and why."""
    named: dict[str, Lift] = {}
    for mention in asked.mentions:
        likeliest = graph.nodes[mention.nodes[0]].type
        for node_id in mention.nodes:
            kind = graph.nodes[node_id].type
            if kind in _SUBJECTS and node_id not in named:
                share = NAMED if kind == likeliest else NAMESAKE
                named[node_id] = Lift(share * CERTAINTY[mention.how], (mention.how,))
    linked = _linked(graph, asked)
    return {
        one: Lift(
            min(MOST_LIFT, named.get(one, Lift(0.0, ())).value + linked.get(one, 0.0)),
            (*named.get(one, Lift(0.0, ())).reasons, *(("linked",) if one in linked else ())),
        )
        for one in sorted(named.keys() | linked.keys())
    }


def _linked(graph: Graph, asked: Asked) -> dict[str, float]:
    """Two links count for more than one: a formulation of the herb that also has the use."""
    found: dict[str, float] = {}
    for mention in asked.mentions:
        reached: dict[str, float] = {}
        for edge, value in _edges(graph, asked, mention.nodes):
            reached[edge] = max(value, reached.get(edge, 0.0))
        for one, value in reached.items():
            found[one] = found.get(one, 0.0) + value * CERTAINTY[mention.how]
    return found


def _edges(graph: Graph, asked: Asked, nodes: Iterable[str]) -> Iterator[tuple[str, float]]:
    for node_id in nodes:
        kind = graph.nodes[node_id].type
        if kind == "herb":
            made = (edge.to_id for edge in _out(graph, node_id) if edge.to_type == "formulation")
            yield from ((one, INGREDIENT) for one in made if one not in asked.named)
        if kind in _SUBJECTS and "papers" in asked.intents:
            yield from ((edge.to_id, LINKED + PAPERS) for edge in _out(graph, node_id) if edge.to_type == "paper")
        if kind == "condition" and "uses" in asked.intents and not asked.is_about_safety:
            continue
        for one in kin(graph, node_id):
            for edge in graph.edges_of(one):
                if edge.to_id == one and edge.type in _LINKS.get(kind, ()) and edge.basis != DOCUMENT:
                    yield edge.from_id, LINKED


def kin(graph: Graph, node_id: str) -> list[str]:
    """A drug with its classes and members, a use with its wider and narrower codes: what is said of one matters to the
    other."""
    kind = graph.nodes[node_id].type
    found = {node_id}
    for upwards in (True, False):
        frontier = [node_id]
        while frontier:
            ends = {
                edge.to_id if upwards else edge.from_id
                for one in frontier
                for edge in graph.edges_of(one)
                if edge.type == "part_of" and edge.from_type == edge.to_type == kind
                if (edge.from_id if upwards else edge.to_id) == one
            }
            frontier = sorted(ends - found)
            found |= ends
    return sorted(found)


def _out(graph: Graph, node_id: str) -> Iterable[Edge]:
    """What is known from a document alone lifts nothing: it is found by its words."""
    return (edge for edge in graph.edges_of(node_id) if edge.from_id == node_id and edge.basis != DOCUMENT)
