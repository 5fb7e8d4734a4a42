"""The words of the graph: nodes, edges, names and sources, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

NodeType = Literal["herb", "constituent", "indication", "formulation", "drug", "condition", "paper", "chunk"]
EdgeType = Literal["contains", "treats", "acts_on", "part_of", "contraindicated_in", "interacts_with", "mentioned_in"]
Review = Literal["reviewed", "needs_review", "unreviewed"]
Strength = Literal["low", "moderate", "high"]
Language = Literal["th", "en", "la"]

NODE_TYPES: tuple[NodeType, ...] = get_args(NodeType)
EDGE_TYPES: tuple[EdgeType, ...] = get_args(EdgeType)
REVIEWS: tuple[Review, ...] = get_args(Review)
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
WARNING_EDGES: tuple[EdgeType, ...] = ("contraindicated_in", "interacts_with")
STARTER = "starter"
# What a statement rests on that was taken in from a document, and that nobody has looked at.
DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Node:
    """`data` is what only nodes of this type have: parts and Latin name of a herb, journal and year of a paper."""

    id: str
    type: NodeType
    label_th: str | None
    label_en: str | None
    basis: str
    review: Review
    note: str | None = None
    sources: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    batch: str = STARTER

    @property
    def label(self) -> str:
        return self.label_th or self.label_en or self.id

    def label_in(self, lang: str) -> str:
        return (self.label_en if lang == "en" else self.label_th) or self.label


@dataclass(frozen=True, slots=True)
class Edge:
    """One statement. `fact` is shared by the edges that one statement about several drugs or conditions makes."""

    id: str
    fact: str
    from_id: str
    from_type: NodeType
    type: EdgeType
    to_id: str
    to_type: NodeType
    strength: Strength | None
    basis: str
    review: Review
    note: str | None = None
    sources: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    batch: str = STARTER

    def other(self, node_id: str) -> str:
        return self.to_id if self.from_id == node_id else self.from_id


@dataclass(frozen=True, slots=True)
class Name:
    """`kind` is main, romanised (of a main name), alias, transcription (of an alias), synonym, part (a plant part by
    its own name), genus, abbreviation (of a Latin name) or code."""

    node_id: str
    node_type: NodeType
    name: str
    lang: Language
    kind: str
    batch: str = STARTER


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    kind: str
    title: str | None
    year: int | None
    url: str | None
    publisher: str | None
    pmid: str | None
    review: Review
    note: str | None = None
    batch: str = STARTER


@dataclass(frozen=True)
class Graph:
    """All of the graph at one revision, for work that must see all of it; a question reads only what it needs."""

    revision: int
    nodes: Mapping[str, Node]
    edges: tuple[Edge, ...]
    names: tuple[Name, ...]
    sources: Mapping[str, Source]

    @cached_property
    def edges_by_node(self) -> Mapping[str, tuple[Edge, ...]]:
        return _grouped((end, edge) for edge in self.edges for end in dict.fromkeys((edge.from_id, edge.to_id)))

    @cached_property
    def names_by_node(self) -> Mapping[str, tuple[Name, ...]]:
        return _grouped((name.node_id, name) for name in self.names)

    def edges_of(self, node_id: str) -> tuple[Edge, ...]:
        return self.edges_by_node.get(node_id, ())

    def names_of(self, node_id: str) -> tuple[Name, ...]:
        return self.names_by_node.get(node_id, ())


def _grouped(pairs: Iterable[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    found: dict[str, list[Any]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}


def strength_rank(strength: Strength | None) -> int:
    return 0 if strength is None else STRENGTHS.index(strength) + 1


def strength_of(rank: int) -> Strength | None:
    return STRENGTHS[rank - 1] if rank else None
