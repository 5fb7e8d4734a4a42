"""The safety check: the recorded warnings about herbs and formulations, and how much is recorded at all.

An entity is a herb or a formulation; an object is a drug or a condition. A warning is an edge from one to the other.
The check works on the whole graph in memory, in three steps:

1. `expand_object` lists every object that a relevant warning may name. A drug stands for its classes, for the enzymes
   that clear it and, if it is a combination, for its components; a class also for its members and for what covers
   them (immunosuppressants: ciclosporin, CYP3A4 substrates), so that a class is never silent where a member is warned
   about. A condition stands for its broader and its narrower forms. Whoever walks upwards from what was asked meets
   every warning that covers it.
2. `find_warnings` collects the warnings of each entity. Harm travels as far as benefit: a formulation inherits the
   warnings of its ingredients, a herb those of medicines that consist of it alone and those of its constituents. `via`
   names the node that a warning is about. A topical warning does not stand against an oral form, or the reverse.
3. `measure_coverage` counts what is recorded about each entity, whatever the question asks. Missing records never mean
   "safe", so ingredients without records are listed by name.

Adding a name to a question adds objects and never removes a warning. Adding a statement never lowers a severity.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from sanya.suites.herbs.graph.model import (
    DOCUMENT,
    WARNING_EDGES,
    HerbEdge,
    HerbGraph,
    HerbNode,
    HerbSource,
    group_by_key,
)
from sanya.suites.herbs.safety.severity import Severity, get_severity, rank_severity

ObjectRelation = Literal[
    "itself",
    "class",
    "component",
    "member",
    "member_class",
    "broader",
    "narrower",
    "usual_drug",
    "anyone",
    "any_drug",
]
RelatedObjects = Mapping[str, Mapping[str, ObjectRelation]]
"""For each object id that a warning may name: the objects of the question that it concerns, and how."""

_UPWARDS: dict[str, ObjectRelation] = {"drug": "class", "condition": "broader"}
_DOWNWARDS: dict[str, ObjectRelation] = {"drug": "member", "condition": "narrower"}
_ROUTES = ("oral", "topical")
_INGREDIENT_ALLERGY = "condition:hypersensitivity-to-ingredients"


@dataclass(frozen=True, slots=True)
class AttributedWarning:
    """A warning as it applies to an entity. `via` is the node that it is about, None for the entity itself."""

    edge: HerbEdge
    via: str | None

    @property
    def severity(self) -> Severity:
        return get_severity(self.edge)

    @property
    def sort_key(self) -> tuple[int, bool, bool, str, str]:
        """Sorts the most severe first. Of equal severity, curated warnings come before those read in a document, and
        own warnings before inherited ones."""
        is_from_document = self.edge.basis == DOCUMENT
        return (-rank_severity(self.severity), is_from_document, self.via is not None, self.edge.id, self.via or "")


@dataclass(frozen=True)
class WarningGroup:
    """All warnings about one entity and one object, the most severe first.

    `is_matched`: the question asked for the object or for something that it covers. `is_direct`: for the object itself.
    """

    entity: HerbNode
    object_id: str
    warnings: tuple[AttributedWarning, ...]
    is_matched: bool = True
    is_direct: bool = True
    _variants: dict[tuple[bool, bool], WarningGroup] = field(default_factory=dict, compare=False, repr=False)

    @property
    def strongest(self) -> HerbEdge:
        return self.warnings[0].edge

    @property
    def severity(self) -> Severity:
        return self.warnings[0].severity

    @cached_property
    def facts(self) -> Mapping[str, Sequence[AttributedWarning]]:
        """The warnings by statement, in their order."""
        return group_by_key((warning.edge.fact, warning) for warning in self.warnings)

    @cached_property
    def sort_key(self) -> tuple[int, int, int, str, str]:
        """A total order: what was asked first, then by severity, the object itself before its classes. Cursors store
        it."""
        severity, is_indirect = -rank_severity(self.severity), int(not self.is_direct)
        return (int(not self.is_matched), severity, is_indirect, self.entity.id, self.object_id)

    def mark(self, *, is_matched: bool, is_direct: bool) -> WarningGroup:
        """Return the group as the question relates to it. Requests share the four groups that there are."""
        key = (is_matched, is_direct)
        if key not in self._variants:
            self._variants[key] = replace(self, is_matched=is_matched, is_direct=is_direct, _variants={})
        return self._variants[key]


@dataclass(slots=True)
class CoverageRecord:
    """The number of warnings that the graph records for one entity, independent of the question."""

    entity: HerbNode
    own: int = 0
    inherited: int = 0
    silent_ingredients: list[str] = field(default_factory=list)
    """Ingredients without any recorded warning."""
    unidentified_ingredients: list[str] = field(default_factory=list)
    """Ingredients that the graph has no node for."""

    @property
    def total(self) -> int:
        return self.own + self.inherited


class SafetyCheck:
    """The check on one graph. What it finds for a node is kept, because many pairs and requests share few nodes."""

    def __init__(self, graph: HerbGraph) -> None:
        self._graph = graph
        self._expanded: dict[tuple[str, bool], dict[str, ObjectRelation]] = {}
        self._warnings: dict[str, list[AttributedWarning]] = {}
        self._by_object: dict[str, Mapping[str, Sequence[AttributedWarning]]] = {}
        self._groups: dict[str, list[WarningGroup]] = {}
        self._coverage: dict[str, CoverageRecord] = {}

    @property
    def sources(self) -> Mapping[str, HerbSource]:
        return self._graph.sources

    def expand_object(self, node: HerbNode, *, is_exact: bool = False) -> dict[str, ObjectRelation]:
        """Return the objects that a warning about `node` may name, each with its relation to it. `is_exact`: the
        narrower forms of the node do not hold."""
        key = (node.id, is_exact)
        if key not in self._expanded:
            related = self._find_related(node)
            if is_exact:
                related = {id: relation for id, relation in related.items() if relation != "narrower"}
            self._expanded[key] = related
        return self._expanded[key]

    def relate(
        self, entity: HerbNode, node: HerbNode, *, is_exact: bool, allergens: Iterable[HerbNode]
    ) -> Mapping[str, ObjectRelation]:
        """Return what a warning about this entity and `node` may name. To somebody who is allergic to the entity, or to
        one of its ingredients, the warning about allergies to its ingredients is addressed."""
        related = self.expand_object(node, is_exact=is_exact)
        return {_INGREDIENT_ALLERGY: "itself", **related} if self.has_any(entity, allergens) else related

    def has_any(self, entity: HerbNode, others: Iterable[HerbNode]) -> bool:
        """Return whether the entity is one of the others or has one as an ingredient."""
        ids = {other.id for other in others}
        return bool(ids) and not ids.isdisjoint((entity.id, *self.list_ingredients(entity)))

    def list_warnings(self, entity: HerbNode) -> list[AttributedWarning]:
        """Return all warnings that apply to the entity, its own and inherited ones."""
        if entity.id not in self._warnings:
            self._warnings[entity.id] = list(self._collect_warnings(entity))
        return self._warnings[entity.id]

    def measure_coverage(self, entity: HerbNode) -> CoverageRecord:
        if entity.id not in self._coverage:
            self._coverage[entity.id] = self._count_records(entity)
        return self._coverage[entity.id]

    def group_warnings(self, entity: HerbNode) -> Mapping[str, Sequence[AttributedWarning]]:
        """Return the distinct warnings of the entity by the object that they name, the most severe first."""
        if entity.id not in self._by_object:
            by_object: dict[str, dict[tuple[str, str | None], AttributedWarning]] = defaultdict(dict)
            for warning in self.list_warnings(entity):
                by_object[warning.edge.to_id].setdefault((warning.edge.id, warning.via), warning)
            self._by_object[entity.id] = {
                id: sorted(warnings.values(), key=lambda warning: warning.sort_key)
                for id, warnings in by_object.items()
            }
        return self._by_object[entity.id]

    def find_warnings(self, entity: HerbNode) -> list[WarningGroup]:
        """Return the warnings of the entity by the object that they name."""
        if entity.id not in self._groups:
            by_object = self.group_warnings(entity)
            self._groups[entity.id] = [WarningGroup(entity, id, tuple(found)) for id, found in by_object.items()]
        return self._groups[entity.id]

    def get_label(self, node_id: str, lang: str) -> str:
        return self._graph.nodes[node_id].get_label(lang)

    def _find_related(self, node: HerbNode) -> dict[str, ObjectRelation]:
        related: dict[str, ObjectRelation] = {node.id: "itself"}
        for covered in node.data.get("covers", ()):
            related.setdefault(str(covered), "member")
        for start in list(related):
            for id, relation in self._list_covering(start, node.type):
                related.setdefault(id, relation)
        members = list(self._list_members(list(related), node.type))
        for id in members:
            related.setdefault(id, _DOWNWARDS[node.type])
        for id in self._list_member_classes(node, members):
            related.setdefault(id, "member_class")
        for id in self._list_usual_drugs(related):
            related.setdefault(id, "usual_drug")
        for id, relation in self._list_general_objects(node, related):
            related.setdefault(id, relation)
        return related

    def _count_records(self, entity: HerbNode) -> CoverageRecord:
        ingredients = self.list_ingredients(entity)
        counts = {id: self._count_facts(id) for id in (entity.id, *ingredients)}
        inherited = {warning.edge.fact for warning in self.list_warnings(entity) if warning.via is not None}
        return CoverageRecord(
            entity,
            own=counts[entity.id],
            inherited=len(inherited),
            silent_ingredients=[herb for herb in ingredients if not counts[herb]],
            unidentified_ingredients=_list_unidentified(entity),
        )

    def list_ingredients(self, entity: HerbNode) -> list[str]:
        """Return the herbs of a formulation; a herb has none."""
        if entity.type != "formulation":
            return []
        edges = [
            edge for edge in self._graph.get_edges(entity.id) if edge.type == "part_of" and edge.to_id == entity.id
        ]
        return sorted({edge.from_id for edge in edges if edge.from_type == "herb"})

    def _collect_warnings(self, entity: HerbNode) -> Iterable[AttributedWarning]:
        for subject, via in self._list_subjects(entity):
            for edge in self._graph.get_edges(subject):
                if edge.from_id == subject and edge.type in WARNING_EDGES and _is_applicable(edge, entity, via):
                    yield AttributedWarning(edge, via)

    def _list_subjects(self, entity: HerbNode) -> Iterable[tuple[str, str | None]]:
        """Yield the nodes whose warnings count for the entity, each with what it is inherited through."""
        yield entity.id, None
        if entity.type == "formulation":
            for herb in self.list_ingredients(entity):
                yield herb, herb
                for constituent in self._list_constituents(herb):
                    yield constituent, herb
        else:
            for constituent in self._list_constituents(entity.id):
                yield constituent, constituent
            for edge in self._graph.get_edges(entity.id):
                if edge.type == "part_of" and edge.from_id == entity.id and edge.data.get("only_herb"):
                    yield edge.to_id, edge.to_id

    def _list_constituents(self, herb_id: str) -> list[str]:
        edges = self._graph.get_edges(herb_id)
        return [edge.to_id for edge in edges if edge.type == "contains" and edge.from_id == herb_id]

    def _list_covering(self, start: str, type: str) -> Iterable[tuple[str, ObjectRelation]]:
        """Yield what covers an object: its classes, components and broader forms, at any depth."""
        seen, frontier = {start}, [start]
        while frontier:
            current = frontier.pop()
            for edge in self._graph.get_edges(current):
                if edge.from_id != current or edge.to_type != type or edge.to_id in seen:
                    continue
                if edge.type in ("part_of", "contains"):
                    seen.add(edge.to_id)
                    frontier.append(edge.to_id)
                    yield edge.to_id, "component" if edge.type == "contains" else _UPWARDS[type]

    def _list_members(self, starts: Sequence[str], type: str) -> Iterable[str]:
        """Yield the members of the class that was asked for. Its own classes are not descended into again."""
        seen, frontier = set(starts[:1]), list(starts[:1])
        while frontier:
            current = frontier.pop()
            for edge in self._graph.get_edges(current):
                is_member = edge.type == "part_of" and edge.to_id == current and edge.from_type == type
                if is_member and edge.from_id not in seen and edge.data.get("relation") != "inhibitor":
                    seen.add(edge.from_id)
                    frontier.append(edge.from_id)
                    yield edge.from_id

    def _list_member_classes(self, node: HerbNode, members: Sequence[str]) -> Iterable[str]:
        """Yield what covers the members of a class of drugs. The substrates of an enzyme are no such class: what else
        they are says nothing about the enzyme."""
        if node.data.get("kind") == "drug_class":
            for member in members:
                for id, _ in self._list_covering(member, node.type):
                    yield id

    def _list_usual_drugs(self, conditions: Mapping[str, ObjectRelation]) -> list[str]:
        """Return the drugs that people with the condition mostly take, with their members: who has diabetes takes
        antidiabetic drugs. Narrower forms of the condition do not count, they are not what was asked."""
        asked = [id for id, relation in conditions.items() if relation in ("itself", "broader")]
        drugs = [str(drug) for id in asked if (node := self._graph.nodes.get(id)) for drug in _list_usual(node)]
        return list(
            dict.fromkeys([*drugs, *(member for drug in drugs for member in self._list_members([drug], "drug"))])
        )

    def _list_general_objects(
        self, node: HerbNode, related: Mapping[str, ObjectRelation]
    ) -> Iterable[tuple[str, ObjectRelation]]:
        """Yield the objects that concern anyone, any drug, or everybody who takes the drug. Drinks and tobacco are no
        medicines that somebody takes for long."""
        for other in self._general_objects:
            scope = other.data.get("applies_to_any")
            if scope == "person":
                yield other.id, "anyone"
            elif scope == "drug" and node.type == "drug" and not node.data.get("no_medicine"):
                yield other.id, "any_drug"
            elif node.type == "drug" and any(str(id) in related for id in other.data.get("takes", ())):
                yield other.id, "class"

    @cached_property
    def _general_objects(self) -> list[HerbNode]:
        return [
            node for node in self._graph.nodes.values() if node.data.get("applies_to_any") or node.data.get("takes")
        ]

    def _count_facts(self, id: str) -> int:
        edges = self._graph.get_edges(id)
        return len({edge.fact for edge in edges if _is_warning(edge) and edge.from_id == id and edge.basis != DOCUMENT})


def _list_usual(node: HerbNode) -> list[str]:
    return [*node.data.get("usually_takes", ()), *node.data.get("takes", ())] if node.type == "condition" else []


def _is_warning(edge: HerbEdge) -> bool:
    return edge.type in WARNING_EDGES and edge.data.get("finding") != "negative"


def _is_applicable(edge: HerbEdge, entity: HerbNode, via: str | None) -> bool:
    """Return whether a warning stands against the entity: not where a study found no effect, where it is about the raw
    plant alone, or where the route of the formulation is another one."""
    if not _is_warning(edge) or (via is not None and entity.type == "formulation" and edge.data.get("not_inherited")):
        return False
    routes = entity.data.get("routes") or ()
    route = edge.data.get("route")
    return not routes or route not in _ROUTES or route in routes


def _list_unidentified(entity: HerbNode) -> list[str]:
    others = entity.data.get("other_ingredients", ())
    return [other.get("thai_name") or other.get("material") or other.get("unidentified", "") for other in others]
