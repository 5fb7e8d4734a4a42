"""What is known against a herb or a formulation: its own warnings, and those of its ingredients, said as such.

Statements about one drug or condition are gathered; the strongest counts, all are shown. Silence is never "safe": what
has no record is named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.graph.model import DOCUMENT, WARNING_EDGES, Edge, Node, strength_rank
from sanya.suites.herbs.graph.store import HerbStore

MAX_STATEMENTS = 20_000


@dataclass(frozen=True, slots=True)
class Said:
    """One statement about an entity; `via` is the ingredient that it was made about, if not the entity itself."""

    edge: Edge
    via: str | None

    @property
    def order(self) -> tuple[int, bool, bool, str, str]:
        """Of equal strength, what somebody has looked at comes before what was only read in a document."""
        unseen = self.edge.basis == DOCUMENT
        return (-strength_rank(self.edge.strength), unseen, self.via is not None, self.edge.id, self.via or "")


@dataclass(frozen=True, slots=True)
class Caution:
    """All that is said about one entity and one drug or condition, the strongest first."""

    entity: Node
    object_id: str
    said: tuple[Said, ...]

    @property
    def order(self) -> tuple[int, str, str]:
        return (-strength_rank(self.said[0].edge.strength), self.entity.id, self.object_id)


@dataclass(slots=True)
class Record:
    """What the graph holds about one entity, whatever was asked."""

    entity: Node
    own: int = 0
    inherited: int = 0
    silent_ingredients: list[str] = field(default_factory=list)
    unidentified_ingredients: list[str] = field(default_factory=list)


class Safety:
    def __init__(self, store: HerbStore) -> None:
        self._store = store

    async def related(self, asked: Iterable[str]) -> dict[str, dict[str, str]]:
        """From each drug or condition that a warning may be about to what was asked: the thing itself, the classes it
        belongs to, and its members. A warning about a class is one about each of its drugs, and the other way round
        who asks about a class asks about all of them."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for one in asked:
            found[one][one] = "itself"
            for id in await self._reach(one, upwards=True):
                found[id].setdefault(one, "class")
            for id in await self._reach(one, upwards=False):
                found[id].setdefault(one, "member")
        return found

    async def _reach(self, start: str, *, upwards: bool) -> list[str]:
        seen, frontier = {start}, [start]
        while frontier:
            read = self._store.edges_from if upwards else self._store.edges_to
            edges = _whole(await read(frontier, ["part_of"], MAX_STATEMENTS + 1))
            among_drugs = [edge for edge in edges if edge.from_type == edge.to_type == "drug"]
            ends = dict.fromkeys(edge.to_id if upwards else edge.from_id for edge in among_drugs)
            frontier = [id for id in ends if id not in seen]
            seen.update(frontier)
        return sorted(seen - {start})

    async def cautions(self, entities: Sequence[Node], about: Iterable[str] | None) -> list[Caution]:
        """In their total order, strongest first; `about` narrows them to these drugs and conditions."""
        made_of = await self._ingredients(entities)
        holders = {entity.id for entity in entities} | {herb for herbs in made_of.values() for herb in herbs}
        statements = await self._statements(sorted(holders), None if about is None else sorted(about))
        found = []
        for entity in entities:
            gathered: dict[str, list[Said]] = defaultdict(list)
            for holder, via in [(entity.id, None), *((herb, herb) for herb in made_of[entity.id])]:
                for edge in statements.get(holder, ()):
                    gathered[edge.to_id].append(Said(edge, via))
            for object_id, said in gathered.items():
                found.append(Caution(entity, object_id, tuple(sorted(said, key=lambda one: one.order))))
        return sorted(found, key=lambda one: one.order)

    async def records(self, entities: Sequence[Node]) -> list[Record]:
        made_of = await self._ingredients(entities)
        holders = {entity.id for entity in entities} | {herb for herbs in made_of.values() for herb in herbs}
        counts = await self._store.count_facts(sorted(holders), WARNING_EDGES)
        return [
            Record(
                entity,
                own=counts.get(entity.id, 0),
                inherited=sum(counts.get(herb, 0) for herb in made_of[entity.id]),
                silent_ingredients=[herb for herb in made_of[entity.id] if not counts.get(herb)],
                unidentified_ingredients=_unidentified(entity),
            )
            for entity in entities
        ]

    async def _ingredients(self, entities: Sequence[Node]) -> dict[str, list[str]]:
        formulations = [entity.id for entity in entities if entity.type == "formulation"]
        found: dict[str, list[str]] = {entity.id: [] for entity in entities}
        for edge in _whole(await self._store.edges_to(formulations, ["part_of"], MAX_STATEMENTS + 1)):
            if edge.from_type == "herb" and edge.from_id not in found[edge.to_id]:
                found[edge.to_id].append(edge.from_id)
        return {id: sorted(herbs) for id, herbs in found.items()}

    async def _statements(self, holders: list[str], about: list[str] | None) -> dict[str, list[Edge]]:
        edges = _whole(await self._store.edges_between(holders, about, WARNING_EDGES, MAX_STATEMENTS + 1))
        found: dict[str, list[Edge]] = defaultdict(list)
        for edge in edges:
            found[edge.from_id].append(edge)
        return found


def _whole(edges: list[Edge]) -> list[Edge]:
    """All of them or a refusal: a part of the warnings would be worse than none."""
    if len(edges) > MAX_STATEMENTS:
        raise InvalidArgument(
            f"more than {MAX_STATEMENTS:,} statements; ask about fewer herbs, or narrow by drugs and conditions",
            field="herb_ids",
        )
    return edges


def _unidentified(entity: Node) -> list[str]:
    others = entity.data.get("other_ingredients", ())
    return [one.get("thai_name") or one.get("material") or one.get("unidentified", "") for one in others]
