"""The data model of the graph: nodes, edges, names and sources, each with its provenance.

An edge is one statement of one source. Two sources that disagree are two edges, and no edge replaces another. `basis`
says what a judgement rests on (`source`, `rule: …`, `assigned` or `document`), and `review` who has looked at it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar, get_args

from sanya.suite.citations import PaperStanding
from sanya.suites.herbs.graph.name_keys import fold_name

T = TypeVar("T")
KeyT = TypeVar("KeyT", bound=Hashable)
NodeType = Literal["herb", "constituent", "indication", "formulation", "drug", "condition", "paper", "chunk"]
EdgeType = Literal["contains", "treats", "acts_on", "part_of", "contraindicated_in", "interacts_with", "mentioned_in"]
ReviewState = Literal["reviewed", "needs_review", "unreviewed"]
Strength = Literal["low", "moderate", "high"]
NameLanguage = Literal["th", "en", "la"]
ReviewVerdict = Literal["accept", "correct", "reject"]

NODE_TYPES: tuple[NodeType, ...] = get_args(NodeType)
EDGE_TYPES: tuple[EdgeType, ...] = get_args(EdgeType)
REVIEWS: tuple[ReviewState, ...] = get_args(ReviewState)
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
WARNING_EDGES: tuple[EdgeType, ...] = ("contraindicated_in", "interacts_with")
# The types that statements are about: what a person takes.
SUBJECT_TYPES: tuple[NodeType, ...] = ("herb", "formulation")
STARTER = "starter"
# Basis of a statement that was ingested from a document and that nobody has reviewed.
DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class HerbNode:
    """A thing of the graph. `data` holds the fields of its type alone, such as a herb's parts or a paper's journal."""

    id: str
    type: NodeType
    label_th: str | None
    label_en: str | None
    basis: str
    review: ReviewState
    note: str | None = None
    sources: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    batch: str = STARTER

    @property
    def label(self) -> str:
        return self.label_th or self.label_en or self.id

    def get_label(self, lang: str) -> str:
        return (self.label_en if lang == "en" else self.label_th) or self.label

    def get_note(self, lang: str) -> str | None:
        return (self.data.get("note_th") if lang == "th" else None) or self.note


@dataclass(frozen=True, slots=True)
class StatementDecision:
    """A decision of the owner's reviewer about a statement. An outdated decision was made about a weaker statement
    than the graph has now: it is shown, but hides and lowers nothing."""

    id: str
    verdict: ReviewVerdict
    reviewer: str
    date: str
    reason: str | None = None
    is_outdated: bool = False


@dataclass(frozen=True, slots=True)
class HerbEdge:
    """A statement that links two nodes. A statement about several drugs or conditions is several edges that share one
    `fact` id."""

    id: str
    fact: str
    from_id: str
    from_type: NodeType
    type: EdgeType
    to_id: str
    to_type: NodeType
    strength: Strength | None
    basis: str
    review: ReviewState
    note: str | None = None
    sources: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    batch: str = STARTER
    decision: StatementDecision | None = None
    """Of the owner's reviewers. The other fields show the statement as decided."""

    def get_other_end(self, node_id: str) -> str:
        return self.to_id if self.from_id == node_id else self.from_id


@dataclass(frozen=True, slots=True)
class HerbName:
    """A name of a node. `kind` is main, romanised (of a main name), alias, transcription (of an alias), synonym, part
    (a plant part with a name of its own), genus, abbreviation (of a Latin name), code or doubtful; of drugs also thai,
    thai_generated, brand, brand_assigned, brand_unverified and lay. A name that is `exact_only` matches as a whole
    entry, never inside a text and never as a suggestion."""

    node_id: str
    node_type: NodeType
    name: str
    lang: NameLanguage
    kind: str
    batch: str = STARTER
    exact_only: bool = False


@dataclass(frozen=True, slots=True)
class HerbSource:
    id: str
    kind: str
    title: str | None
    year: int | None
    url: str | None
    publisher: str | None
    pmid: str | None
    review: ReviewState
    note: str | None = None
    batch: str = STARTER
    how_read: str | None = None
    """whole, excerpt, abstract, copy, title or not-read"""
    standing: PaperStanding | None = None
    """What became of the paper: retracted, concern or corrected"""

    @property
    def is_doubtful(self) -> bool:
        return self.standing in ("retracted", "concern")


@dataclass(frozen=True)
class HerbGraph:
    """The whole graph at one revision, for work that needs all of it. Single reads go through `HerbStore` instead."""

    revision: int
    nodes: Mapping[str, HerbNode]
    edges: tuple[HerbEdge, ...]
    names: tuple[HerbName, ...]
    sources: Mapping[str, HerbSource]
    rejected: tuple[HerbEdge, ...] = ()
    """Edges of statements that the owner's reviewers rejected. They count nowhere."""
    name_keys: tuple[str, ...] = ()
    """The key of each name as it is stored; nothing where the names were not read from a database."""

    @cached_property
    def edges_by_node(self) -> Mapping[str, tuple[HerbEdge, ...]]:
        return group_by_key((end, edge) for edge in self.edges for end in dict.fromkeys((edge.from_id, edge.to_id)))

    @cached_property
    def names_by_node(self) -> Mapping[str, tuple[HerbName, ...]]:
        return group_by_key((name.node_id, name) for name in self.names)

    @cached_property
    def names_by_key(self) -> Mapping[str, tuple[HerbName, ...]]:
        keys = self.name_keys or (fold_name(name.name) for name in self.names)
        return group_by_key(zip(keys, self.names, strict=True))

    @cached_property
    def related_names(self) -> tuple[str, ...]:
        """Names of products that are like a formulation and are not it. Nothing is on record about them."""
        nodes = (node for node in self.nodes.values() if node.type == "formulation")
        return tuple(sorted(str(other["name"]) for node in nodes for other in node.data.get("related_names", ())))

    def build_indexes(self) -> None:
        """Build what is otherwise built at the first use."""
        _ = (self.edges_by_node, self.names_by_node, self.names_by_key)

    def list_pmids(self, source_ids: Iterable[str]) -> list[str]:
        """Return the PMIDs of those sources that are papers."""
        sources = (self.sources.get(id) for id in source_ids)
        return [source.pmid for source in sources if source is not None and source.pmid]

    def get_edges(self, node_id: str) -> tuple[HerbEdge, ...]:
        return self.edges_by_node.get(node_id, ())

    def get_names(self, node_id: str) -> tuple[HerbName, ...]:
        return self.names_by_node.get(node_id, ())


def group_by_key(pairs: Iterable[tuple[KeyT, T]]) -> dict[KeyT, tuple[T, ...]]:
    groups: dict[KeyT, list[T]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in groups.items()}


def rank_strength(strength: Strength | None) -> int:
    """Return 1 to 3 for low to high, 0 for an edge without a strength."""
    return 0 if strength is None else STRENGTHS.index(strength) + 1


def to_strength(rank: int) -> Strength | None:
    return STRENGTHS[rank - 1] if rank else None
