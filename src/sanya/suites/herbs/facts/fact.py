"""The statements of the graph as sentences. Each can be traced to its edges and sources; answers are made of nothing
else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from sanya.suites.herbs.facts import sentences
from sanya.suites.herbs.graph.model import DOCUMENT, Edge, Graph, Node, NodeType, Review, Strength

Relation = Literal[
    "named", "treats", "contraindicated_in", "interacts_with", "contains", "made_of", "comes_as", "mentioned_in", "text"
]
T = TypeVar("T")
WARNINGS: tuple[Relation, ...] = ("contraindicated_in", "interacts_with")
SUBJECTS: tuple[NodeType, ...] = ("herb", "formulation")
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Fact:
    """One sentence about one subject, in both languages, and what it rests on."""

    id: str
    subject: str
    relation: Relation
    thai: str
    english: str
    objects: tuple[str, ...]
    """The nodes it is about beside its subject."""
    basis: str
    review: Review
    sources: tuple[str, ...]
    edges: tuple[str, ...] = ()
    strength: Strength | None = None

    @property
    def is_from_document(self) -> bool:
        """Taken in as it was read, by nobody reviewed: it may be shown, and counts for nothing."""
        return self.basis == DOCUMENT

    def said_in(self, lang: str) -> str:
        return self.english if lang == "en" else self.thai


@dataclass(frozen=True)
class Facts:
    """All facts of one revision, by id and by what they are about."""

    all: tuple[Fact, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Fact]:
        return {fact.id: fact for fact in self.all}

    @cached_property
    def by_subject(self) -> Mapping[str, tuple[Fact, ...]]:
        return _grouped((fact.subject, fact) for fact in self.all)

    @cached_property
    def by_object(self) -> Mapping[str, tuple[Fact, ...]]:
        return _grouped((one, fact) for fact in self.all for one in fact.objects)

    def about(self, node_id: str) -> tuple[Fact, ...]:
        """What is said of a node, and what others say that names it."""
        return (*self.by_subject.get(node_id, ()), *self.by_object.get(node_id, ()))


def facts_of(graph: Graph) -> Facts:
    found: list[Fact] = []
    for node in graph.nodes.values():
        if node.type in SUBJECTS:
            found += _subject_facts(graph, node)
        elif node.type == "paper":
            found.append(_paper(graph, node))
        elif node.type == "chunk":
            found += _text(graph, node)
    return Facts(tuple(found))


def _subject_facts(graph: Graph, node: Node) -> Iterator[Fact]:
    yield _named(graph, node)
    if forms := node.data.get("dosage_forms"):
        yield _fact(node, "comes_as", sentences.dosage_forms(node, forms), node, fact_id=f"{node.id}/comes_as")
    # What a document states is told in the document's own words, never in ours: see `_text`.
    own = [edge for edge in graph.edges_of(node.id) if edge.from_id == node.id and edge.basis != DOCUMENT]
    for edge in own:
        if edge.type == "treats":
            yield _fact(node, "treats", sentences.use(node, _described(graph, edge)), edge)
    yield from _warnings(graph, node, own)
    yield from _constituents(graph, node, [edge for edge in own if edge.type == "contains"])
    yield from _ingredients(graph, node)


def _named(graph: Graph, node: Node) -> Fact:
    main = {node.label_th, node.label_en, node.data.get("latin_name")}
    others: dict[str, list[str]] = {}
    for name in graph.names_of(node.id):
        if name.name not in main and name.kind in ("main", "alias", "synonym", "romanised"):
            others.setdefault(name.lang, []).append(name.name)
    shown = {lang: names[:_MOST_NAMES] for lang, names in others.items()}
    return _fact(node, "named", sentences.naming(node, shown), node, fact_id=f"{node.id}/named")


def _warnings(graph: Graph, node: Node, own: Iterable[Edge]) -> Iterator[Fact]:
    """One statement about several drugs is several edges and one sentence."""
    statements = _grouped((edge.fact, edge) for edge in own if edge.type in WARNINGS)
    for name, edges in statements.items():
        first = edges[0]
        said = sentences.warning(node, first.strength or "moderate", first.basis, _warned(graph, first))
        yield Fact(
            f"{node.id}/{name}",
            node.id,
            "interacts_with" if first.type == "interacts_with" else "contraindicated_in",
            *said,
            tuple(edge.to_id for edge in edges),
            first.basis,
            first.review,
            first.sources,
            tuple(edge.id for edge in edges),
            first.strength,
        )


def _constituents(graph: Graph, node: Node, edges: Iterable[Edge]) -> Iterator[Fact]:
    for basis, some in sorted(_grouped((edge.basis, edge) for edge in edges).items(), reverse=True):
        inside = [graph.nodes[edge.to_id] for edge in some]
        yield Fact(
            f"{node.id}/contains/{basis}",
            node.id,
            "contains",
            *sentences.constituents(node, inside, basis),
            tuple(one.id for one in inside),
            basis,
            some[0].review,
            _united(some),
            tuple(edge.id for edge in some),
        )


def _ingredients(graph: Graph, node: Node) -> Iterator[Fact]:
    told = [edge for edge in graph.edges_of(node.id) if edge.to_id == node.id and edge.type == "part_of"]
    edges = [edge for edge in told if edge.basis != DOCUMENT]
    others = node.data.get("other_ingredients") or ()
    if node.type != "formulation" or not (edges or others):
        return
    parts = [(_ingredient(graph, edge), edge.data.get("amount")) for edge in edges]
    parts += [((one["thai_name"], one.get("material") or one["thai_name"]), one.get("amount")) for one in others]
    yield Fact(
        f"{node.id}/made_of",
        node.id,
        "made_of",
        *sentences.ingredients(node, parts),
        tuple(edge.from_id for edge in edges),
        "source",
        node.review,
        _united(edges) or node.sources,
        tuple(edge.id for edge in edges),
    )


def _ingredient(graph: Graph, edge: Edge) -> sentences.Pair:
    herb = graph.nodes[edge.from_id]
    return edge.data.get("thai_name") or herb.label_in("th"), sentences.called(herb)[1]


def _paper(graph: Graph, node: Node) -> Fact:
    edges = [edge for edge in graph.edges_of(node.id) if edge.to_id == node.id and edge.type == "mentioned_in"]
    about = [graph.nodes[edge.from_id] for edge in edges]
    said = sentences.paper(node, [sentences.called(one) for one in about])
    objects, named = tuple(one.id for one in about), tuple(edge.id for edge in edges)
    return Fact(
        f"{node.id}/title", node.id, "mentioned_in", *said, objects, node.basis, node.review, node.sources, named
    )


def _text(graph: Graph, node: Node) -> Iterator[Fact]:
    """A passage of a document that was taken in, as it stands."""
    text = node.data.get("text")
    if isinstance(text, str) and text:
        objects = tuple(edge.other(node.id) for edge in graph.edges_of(node.id))
        yield Fact(f"{node.id}/text", node.id, "text", text, text, objects, node.basis, node.review, node.sources)


def _fact(node: Node, relation: Relation, said: sentences.Pair, origin: Node | Edge, fact_id: str = "") -> Fact:
    edges = [origin] if isinstance(origin, Edge) else []
    return Fact(
        fact_id or f"{node.id}/{origin.id}",
        node.id,
        relation,
        *said,
        tuple(edge.to_id for edge in edges),
        origin.basis,
        origin.review,
        origin.sources,
        tuple(edge.id for edge in edges),
    )


def _described(graph: Graph, edge: Edge) -> dict[str, str]:
    """Edges that were taken in from documents need not bring words of their own; the node's then serve."""
    target = graph.nodes[edge.to_id]
    return {"description_th": target.label_in("th"), "description_en": target.label_in("en"), **edge.data}


def _warned(graph: Graph, edge: Edge) -> dict[str, str]:
    target = graph.nodes[edge.to_id]
    kind = "drug_interaction" if edge.type == "interacts_with" else "contraindication"
    return {"kind": kind, "object_th": target.label_in("th"), "object_en": target.label_in("en"), **edge.data}


def _united(edges: Iterable[Edge]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source for edge in edges for source in edge.sources))


def _grouped(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    found: dict[str, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}
