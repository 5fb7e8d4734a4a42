"""The safety check: the recorded warnings about herbs and formulations, and how much is recorded at all.

An entity is a herb or a formulation; an object is a drug or a condition. A warning is an edge from one to the other.
The check works in three steps, one method each:

1. `find_related_objects` widens the drugs and conditions of a question: a drug stands for its classes as well, and a
   class for its members.
2. `find_warnings` collects the warnings of each entity. A formulation inherits the warnings of its ingredients; `via`
   names the ingredient. Warnings with the same entity and object form a group, rated by its strongest warning. No
   warning is dropped in favour of another.
3. `measure_coverage` counts what is recorded about each entity, whatever the question asks. Missing records never mean
   "safe", so the ingredients without records are listed by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.graph.model import DOCUMENT, WARNING_EDGES, HerbEdge, HerbNode, rank_strength
from sanya.suites.herbs.graph.store import HerbStore

MAX_STATEMENTS = 20_000

ObjectRelation = Literal["itself", "class", "member"]
RelatedObjects = dict[str, dict[str, ObjectRelation]]
"""For each object id that a warning may name: the objects of the question that it concerns, and how."""


@dataclass(frozen=True, slots=True)
class AttributedWarning:
    """A warning as it applies to an entity. `via` is the ingredient that it is about, None for the entity itself."""

    edge: HerbEdge
    via: str | None

    @property
    def sort_key(self) -> tuple[int, bool, bool, str, str]:
        """Sorts the strongest first. Of equal strength, reviewed warnings come before those read in a document, and own
        warnings before inherited ones."""
        is_from_document = self.edge.basis == DOCUMENT
        return (
            -rank_strength(self.edge.strength),
            is_from_document,
            self.via is not None,
            self.edge.id,
            self.via or "",
        )


@dataclass(frozen=True, slots=True)
class WarningGroup:
    """All warnings about one entity and one object, the strongest first."""

    entity: HerbNode
    object_id: str
    warnings: tuple[AttributedWarning, ...]

    @property
    def strongest(self) -> HerbEdge:
        return self.warnings[0].edge

    @property
    def sort_key(self) -> tuple[int, str, str]:
        """A total order, strongest first. Cursors store it, so its parts and their order stay as they are."""
        return (-rank_strength(self.strongest.strength), self.entity.id, self.object_id)


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


class SafetyCheck:
    def __init__(self, store: HerbStore) -> None:
        self._store = store

    async def find_related_objects(self, object_ids: Iterable[str]) -> RelatedObjects:
        """Map every object that a relevant warning may name to the objects of the question.

        A warning about a class concerns each of its drugs. A question about a class concerns warnings about each of
        its members.
        """
        related: RelatedObjects = defaultdict(dict)
        for object_id in object_ids:
            related[object_id][object_id] = "itself"
            for class_id in await self._list_drug_hierarchy(object_id, upwards=True):
                related[class_id].setdefault(object_id, "class")
            for member_id in await self._list_drug_hierarchy(object_id, upwards=False):
                related[member_id].setdefault(object_id, "member")
        return related

    async def find_warnings(self, entities: Sequence[HerbNode], object_ids: Iterable[str] | None) -> list[WarningGroup]:
        """Return the warning groups of the entities, strongest first; `object_ids` restricts them, None does not."""
        ingredients = await self._list_ingredients(entities)
        subjects = _list_subjects(entities, ingredients)
        edges_by_subject = await self._read_warnings(subjects, None if object_ids is None else sorted(object_ids))
        groups = []
        for entity in entities:
            by_object: dict[str, list[AttributedWarning]] = defaultdict(list)
            for subject, via in [(entity.id, None), *((herb, herb) for herb in ingredients[entity.id])]:
                for edge in edges_by_subject.get(subject, ()):
                    by_object[edge.to_id].append(AttributedWarning(edge, via))
            for object_id, warnings in by_object.items():
                ordered = sorted(warnings, key=lambda warning: warning.sort_key)
                groups.append(WarningGroup(entity, object_id, tuple(ordered)))
        return sorted(groups, key=lambda group: group.sort_key)

    async def measure_coverage(self, entities: Sequence[HerbNode]) -> list[CoverageRecord]:
        ingredients = await self._list_ingredients(entities)
        counts = await self._store.count_facts(_list_subjects(entities, ingredients), WARNING_EDGES)
        return [
            CoverageRecord(
                entity,
                own=counts.get(entity.id, 0),
                inherited=sum(counts.get(herb, 0) for herb in ingredients[entity.id]),
                silent_ingredients=[herb for herb in ingredients[entity.id] if not counts.get(herb)],
                unidentified_ingredients=_list_unidentified(entity),
            )
            for entity in entities
        ]

    async def _list_drug_hierarchy(self, drug_id: str, *, upwards: bool) -> list[str]:
        """Return all classes of a drug (upwards) or all members of a class, at any depth."""
        seen, frontier = {drug_id}, [drug_id]
        while frontier:
            list_edges = self._store.list_edges_from if upwards else self._store.list_edges_to
            edges = _refuse_incomplete(await list_edges(frontier, ["part_of"], MAX_STATEMENTS + 1))
            drug_edges = [edge for edge in edges if edge.from_type == edge.to_type == "drug"]
            ends = dict.fromkeys(edge.to_id if upwards else edge.from_id for edge in drug_edges)
            frontier = [id for id in ends if id not in seen]
            seen.update(frontier)
        return sorted(seen - {drug_id})

    async def _list_ingredients(self, entities: Sequence[HerbNode]) -> dict[str, list[str]]:
        """Return the herbs of each formulation by its id, and an empty list for each herb."""
        formulations = [entity.id for entity in entities if entity.type == "formulation"]
        herbs: dict[str, set[str]] = {entity.id: set() for entity in entities}
        edges = await self._store.list_edges_to(formulations, ["part_of"], MAX_STATEMENTS + 1)
        for edge in _refuse_incomplete(edges):
            if edge.from_type == "herb":
                herbs[edge.to_id].add(edge.from_id)
        return {id: sorted(ingredients) for id, ingredients in herbs.items()}

    async def _read_warnings(self, subjects: list[str], object_ids: list[str] | None) -> dict[str, list[HerbEdge]]:
        edges = await self._store.list_edges_between(subjects, object_ids, WARNING_EDGES, MAX_STATEMENTS + 1)
        by_subject: dict[str, list[HerbEdge]] = defaultdict(list)
        for edge in _refuse_incomplete(edges):
            by_subject[edge.from_id].append(edge)
        return by_subject


def _list_subjects(entities: Sequence[HerbNode], ingredients: dict[str, list[str]]) -> list[str]:
    """Return the nodes whose warnings count: the entities and their ingredients."""
    return sorted({entity.id for entity in entities} | {herb for herbs in ingredients.values() for herb in herbs})


def _refuse_incomplete(edges: list[HerbEdge]) -> list[HerbEdge]:
    """Refuse a read that reached its limit: a part of the warnings is worse than none."""
    if len(edges) > MAX_STATEMENTS:
        raise InvalidArgument(
            f"more than {MAX_STATEMENTS:,} statements; ask about fewer herbs, or narrow by drugs and conditions",
            field="herb_ids",
        )
    return edges


def _list_unidentified(entity: HerbNode) -> list[str]:
    ingredients = entity.data.get("other_ingredients", ())
    return [
        ingredient.get("thai_name") or ingredient.get("material") or ingredient.get("unidentified", "")
        for ingredient in ingredients
    ]
