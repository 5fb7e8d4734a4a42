"""Facts: each statement of the graph as a sentence that can be traced to its edges and sources.

Answers are made of facts and nothing else, so every sentence of an answer has an id, a basis, a review state and
sources. Statements that came from an ingested document are not rewritten in our words. They appear only as the passage
they stand in, quoted from the document (relation `text`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from sanya.suites.herbs.facts import reference_facts, sentences
from sanya.suites.herbs.facts.retracted_sources import mark_fact
from sanya.suites.herbs.graph.model import (
    DOCUMENT,
    SUBJECT_TYPES,
    HerbEdge,
    HerbGraph,
    HerbNode,
    ReviewState,
    Strength,
    group_by_key,
)

FactRelation = Literal[
    "named",
    "treats",
    "contraindicated_in",
    "interacts_with",
    "contains",
    "made_of",
    "comes_as",
    "mentioned_in",
    "text",
    "dosed",
    "assessed",
]
WARNING_RELATIONS: tuple[FactRelation, ...] = ("contraindicated_in", "interacts_with")
_MAX_NAMES = 12


@dataclass(frozen=True, slots=True)
class HerbFact:
    """A sentence about one subject, in both languages, with its provenance."""

    id: str
    subject: str
    relation: FactRelation
    thai: str
    english: str
    objects: tuple[str, ...]
    """The nodes that it names beside its subject."""
    basis: str
    review: ReviewState
    sources: tuple[str, ...]
    edges: tuple[str, ...] = ()
    strength: Strength | None = None

    @property
    def is_from_document(self) -> bool:
        """True for an unreviewed statement of a document: it may be shown, but supports no answer."""
        return self.basis == DOCUMENT

    def get_sentence(self, lang: str) -> str:
        return self.english if lang == "en" else self.thai


@dataclass(frozen=True)
class HerbFacts:
    """All facts of one revision of the graph, indexed by id, subject and object."""

    all: tuple[HerbFact, ...]

    @cached_property
    def by_id(self) -> Mapping[str, HerbFact]:
        return {fact.id: fact for fact in self.all}

    @cached_property
    def by_subject(self) -> Mapping[str, tuple[HerbFact, ...]]:
        return group_by_key((fact.subject, fact) for fact in self.all)

    @cached_property
    def by_object(self) -> Mapping[str, tuple[HerbFact, ...]]:
        return group_by_key((node_id, fact) for fact in self.all for node_id in fact.objects)

    def list_about(self, node_id: str) -> tuple[HerbFact, ...]:
        """Return the facts whose subject the node is, then those that name it as an object."""
        return (*self.by_subject.get(node_id, ()), *self.by_object.get(node_id, ()))


def derive_facts(graph: HerbGraph) -> HerbFacts:
    facts: list[HerbFact] = []
    for node in graph.nodes.values():
        if node.type in SUBJECT_TYPES:
            facts += _derive_subject_facts(graph, node)
        elif node.type == "paper":
            facts.append(_build_paper_fact(graph, node))
        elif node.type == "chunk":
            facts += _quote_chunk(graph, node)
    return HerbFacts(tuple(mark_fact(fact, graph.sources) for fact in (*facts, *_build_reference_facts(graph))))


def _build_reference_facts(graph: HerbGraph) -> Iterator[HerbFact]:
    """Yield the doses and the assessments of uses, which are tables beside the graph."""
    for id, node, row in reference_facts.list_rows(graph, "dosing"):
        herb = (row["herb_id"],) if row.get("herb_id") in graph.nodes else ()
        text = reference_facts.write_dose(node, row)
        yield HerbFact(
            f"{node.id}/{id}", node.id, "dosed", *text, herb, "source", row["review"], tuple(row["source_refs"])
        )
    for id, node, row in reference_facts.list_rows(graph, "evidence"):
        use = (f"icd10:{row['icd10']}",) if f"icd10:{row.get('icd10')}" in graph.nodes else ()
        text = reference_facts.write_assessment(node, row)
        sources = tuple(row["source_refs"])
        yield HerbFact(f"{node.id}/{id}", node.id, "assessed", *text, use, "source", "reviewed", sources)


def _derive_subject_facts(graph: HerbGraph, node: HerbNode) -> Iterator[HerbFact]:
    yield _build_naming_fact(graph, node)
    if forms := node.data.get("dosage_forms"):
        text = sentences.write_dosage_forms(node, forms)
        yield _build_fact(node, "comes_as", text, node, fact_id=f"{node.id}/comes_as")
    # Statements of documents are quoted, never rewritten: see `_quote_chunk`.
    edges = [edge for edge in graph.get_edges(node.id) if edge.from_id == node.id and edge.basis != DOCUMENT]
    for edge in edges:
        if edge.type == "treats":
            yield _build_fact(node, "treats", sentences.write_use(node, _describe_use(graph, edge)), edge)
    yield from _build_warning_facts(graph, node, edges)
    yield from _build_constituent_facts(graph, node, [edge for edge in edges if edge.type == "contains"])
    yield from _build_ingredient_fact(graph, node)


def _build_naming_fact(graph: HerbGraph, node: HerbNode) -> HerbFact:
    main_names = {node.label_th, node.label_en, node.data.get("latin_name")}
    other_names: dict[str, list[str]] = {}
    for name in graph.get_names(node.id):
        if name.name not in main_names and name.kind in ("main", "alias", "synonym", "romanised"):
            other_names.setdefault(name.lang, []).append(name.name)
    shown = {lang: names[:_MAX_NAMES] for lang, names in other_names.items()}
    return _build_fact(node, "named", sentences.write_naming(node, shown), node, fact_id=f"{node.id}/named")


def _build_warning_facts(graph: HerbGraph, node: HerbNode, edges: Iterable[HerbEdge]) -> Iterator[HerbFact]:
    """Yield one fact for each warning: a statement about several drugs is several edges and one sentence, or a sentence
    for each strength that they have."""
    warnings = [edge for edge in edges if edge.type in WARNING_RELATIONS]
    edges_by_fact = group_by_key(((edge.fact, edge.strength), edge) for edge in warnings)
    seen = set[str]()
    for (fact_id, strength), fact_edges in edges_by_fact.items():
        first = fact_edges[0]
        data = _describe_warning(graph, first) | {"drug_names": _list_drug_names(graph, fact_edges)}
        suffix = f"/{strength}" if fact_id in seen else ""
        seen.add(fact_id)
        yield HerbFact(
            f"{node.id}/{fact_id}{suffix}",
            node.id,
            "interacts_with" if first.type == "interacts_with" else "contraindicated_in",
            *sentences.write_warning(node, first.strength or "moderate", first.basis, data),
            tuple(edge.to_id for edge in fact_edges),
            first.basis,
            first.review,
            first.sources,
            tuple(edge.id for edge in fact_edges),
            strength,
        )


def _build_constituent_facts(graph: HerbGraph, node: HerbNode, edges: Iterable[HerbEdge]) -> Iterator[HerbFact]:
    for basis, basis_edges in sorted(group_by_key((edge.basis, edge) for edge in edges).items(), reverse=True):
        constituents = [graph.nodes[edge.to_id] for edge in basis_edges]
        yield HerbFact(
            f"{node.id}/contains/{basis}",
            node.id,
            "contains",
            *sentences.write_constituents(node, constituents, basis),
            tuple(constituent.id for constituent in constituents),
            basis,
            basis_edges[0].review,
            _merge_sources(basis_edges),
            tuple(edge.id for edge in basis_edges),
        )


def _build_ingredient_fact(graph: HerbGraph, node: HerbNode) -> Iterator[HerbFact]:
    edges = [
        edge
        for edge in graph.get_edges(node.id)
        if edge.to_id == node.id and edge.type == "part_of" and edge.basis != DOCUMENT
    ]
    others = node.data.get("other_ingredients") or ()
    if node.type != "formulation" or not (edges or others):
        return
    ingredients = [(_name_ingredient(graph, edge), edge.data.get("amount")) for edge in edges]
    ingredients += [
        ((other["thai_name"], other.get("material") or other["thai_name"]), other.get("amount")) for other in others
    ]
    yield HerbFact(
        f"{node.id}/made_of",
        node.id,
        "made_of",
        *sentences.write_ingredients(node, ingredients),
        tuple(edge.from_id for edge in edges),
        "source",
        node.review,
        _merge_sources(edges) or node.sources,
        tuple(edge.id for edge in edges),
    )


def _name_ingredient(graph: HerbGraph, edge: HerbEdge) -> sentences.BilingualText:
    herb = graph.nodes[edge.from_id]
    return edge.data.get("thai_name") or herb.get_label("th"), sentences.format_node_name(herb)[1]


def _build_paper_fact(graph: HerbGraph, node: HerbNode) -> HerbFact:
    edges = [edge for edge in graph.get_edges(node.id) if edge.to_id == node.id and edge.type == "mentioned_in"]
    subjects = [graph.nodes[edge.from_id] for edge in edges]
    text = sentences.write_paper(node, [sentences.format_node_name(subject) for subject in subjects])
    objects, edge_ids = tuple(subject.id for subject in subjects), tuple(edge.id for edge in edges)
    return HerbFact(
        f"{node.id}/title", node.id, "mentioned_in", *text, objects, node.basis, node.review, node.sources, edge_ids
    )


def _quote_chunk(graph: HerbGraph, node: HerbNode) -> Iterator[HerbFact]:
    """Yield the passage of an ingested document as it stands."""
    text = node.data.get("text")
    if isinstance(text, str) and text:
        objects = tuple(edge.get_other_end(node.id) for edge in graph.get_edges(node.id))
        yield HerbFact(f"{node.id}/text", node.id, "text", text, text, objects, node.basis, node.review, node.sources)


def _build_fact(
    node: HerbNode,
    relation: FactRelation,
    text: sentences.BilingualText,
    origin: HerbNode | HerbEdge,
    fact_id: str = "",
) -> HerbFact:
    """Build a fact with the provenance of `origin`, the node itself or one of its edges."""
    edges = [origin] if isinstance(origin, HerbEdge) else []
    return HerbFact(
        fact_id or f"{node.id}/{origin.id}",
        node.id,
        relation,
        *text,
        tuple(edge.to_id for edge in edges),
        origin.basis,
        origin.review,
        origin.sources,
        tuple(edge.id for edge in edges),
    )


def _describe_use(graph: HerbGraph, edge: HerbEdge) -> dict[str, str]:
    """Return the description of a use: the edge's own, or the labels of the indication where it has none."""
    target = graph.nodes[edge.to_id]
    return {"description_th": target.get_label("th"), "description_en": target.get_label("en"), **edge.data}


def _describe_warning(graph: HerbGraph, edge: HerbEdge) -> dict[str, Any]:
    target = graph.nodes[edge.to_id]
    kind = "drug_interaction" if edge.type == "interacts_with" else "contraindication"
    return {"kind": kind, "object_th": target.get_label("th"), "object_en": target.get_label("en"), **edge.data}


def _list_drug_names(graph: HerbGraph, edges: Iterable[HerbEdge]) -> list[str]:
    """List the English names of the drugs that a warning names, without classes of drugs."""
    nodes = [graph.nodes[edge.to_id] for edge in edges if edge.to_type == "drug"]
    return [node.label_en for node in nodes if node.label_en and node.data.get("kind", "drug") == "drug"]


def _merge_sources(edges: Iterable[HerbEdge]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source for edge in edges for source in edge.sources))
