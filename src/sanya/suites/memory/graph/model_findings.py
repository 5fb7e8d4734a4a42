"""What a model found in a memory, as nodes and edges beside those of the rules: marked with the model's name, without
a say in any rating, and never in the place of anything that the rules made."""

from __future__ import annotations

from dataclasses import replace

from sanya.suites.memory.extraction.grounding import GroundedEvent, GroundedItems, GroundedRelation
from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_id, make_node_names
from sanya.suites.memory.graph.entities import load_candidates
from sanya.suites.memory.graph.entity_resolution import EntityCandidates, EntityReference, format_name, resolve_entity
from sanya.suites.memory.parsing.parser import make_event_key
from sanya.suites.memory.storage.records import EXTRACTOR, EdgeRelation, MemoryEdge, MemoryNode, MemoryRecord, NodeKind
from sanya.suites.memory.writes.sending import make_edge_id

_MOST_ALIKE = 20
_SEPARATE = "extracted"


async def add_model_findings(thread: GraphContext, found: GroundedItems, model: str) -> int:
    """Returns how many things were new."""
    weaver = _FindingsWriter(thread, model)
    kept = await weaver.add_participants(found.participants)
    for event in found.events:
        await weaver.add_event(event, asserted=True)
    for relation in found.relations:
        await weaver.add_relation(relation)
    return kept + len(found.events) + len(found.relations)


class _FindingsWriter:
    def __init__(self, thread: GraphContext, model: str) -> None:
        self._thread = thread
        self._mark = {EXTRACTOR: model}

    async def add_participants(self, names: tuple[EntityReference, ...]) -> int:
        """Those whom the rules have not linked with the memory already."""
        thread = self._thread
        crowd = EntityCandidates(await load_candidates(thread, names)) if names else EntityCandidates()
        known = await self._find_linked()
        kept = 0
        for named in names:
            node = await self._resolve_reference(named, crowd)
            if node.id in known:
                continue
            known.add(node.id)
            kept += 1
            if node.kind == "agent":
                edge = self._make_edge(node.id, "participates", thread.memory.id, named.role, written=named.name)
            else:
                edge = self._make_edge(thread.memory.id, "mentions", node.id, named.role, written=named.name)
            await thread.save([edge])
        return kept

    async def _find_linked(self) -> set[str]:
        thread = self._thread
        said = await thread.reader.find_edges_stated_by(thread.namespace, [thread.memory.id])
        return {
            edge.from_id if edge.relation == "participates" else edge.to_id
            for edge in said
            if edge.relation in ("participates", "mentions") and EXTRACTOR not in edge.properties
        }

    async def _resolve_reference(self, named: EntityReference, crowd: EntityCandidates) -> MemoryNode:
        """Whom the rules know by this very name; else a node apart, linked with those whom it may mean."""
        thread = self._thread
        found = resolve_entity(named, crowd.list_for(named))
        kind: NodeKind = "agent" if named.kind in ("person", "organisation") else "artifact"
        apart = make_node_id(thread.namespace, _SEPARATE, kind, named.key)
        if found.entity_id is not None:
            known = await thread.reader.find_nodes(thread.namespace, [found.entity_id, apart])
            if apart in known:  # made when the rules did not know the name yet
                await thread.save([self._make_similarity_edge(apart, found.entity_id, 0.8)])
            return known[found.entity_id]
        node = MemoryNode(
            id=apart,
            namespace=thread.namespace,
            kind=kind,
            name=format_name(named),
            dynamic_type=named.kind,
            properties={"key": named.key, **self._mark},
        )
        await thread.save([node, *make_node_names(node, [named.name, named.key])])
        await thread.save(
            [self._make_similarity_edge(node.id, other, share) for other, share in found.candidates[:_MOST_ALIKE]]
        )
        return node

    async def add_event(self, event: GroundedEvent, *, asserted: bool = False) -> MemoryNode:
        """An event of this memory alone: that two say the same is for the rules to find, since it counts."""
        thread, when = self._thread, event.when
        text = " ".join(event.quote.split())
        node = MemoryNode(
            id=make_node_id(thread.namespace, _SEPARATE, "event", thread.memory.id, text),
            namespace=thread.namespace,
            kind="event",
            name=text[:MAX_NAME_CHARS],
            dynamic_type=_SEPARATE,
            happened_at=when.to_iso() if when else None,
            precision=when.start.precision if when and when.start else None,
            properties=self._mark,
        )
        key = make_event_key(event.quote)
        alike = await self._link_similar_events(node, key) if key else []
        records: list[MemoryRecord] = [node, *make_node_names(node, [f"{_SEPARATE}:{key or thread.memory.id}"]), *alike]
        if asserted:
            records.append(self._make_edge(thread.memory.id, "asserts", node.id, quote=event.quote))
        await thread.save(records)
        return node

    async def _link_similar_events(self, node: MemoryNode, key: str) -> list[MemoryEdge]:
        """Chains of causes go on where another memory speaks of the same event."""
        sought = [f"event:{key}", f"{_SEPARATE}:{key}"]
        found = await self._thread.reader.find_nodes_by_name(self._thread.namespace, sought)
        others = sorted({one.id for some in found.values() for one in some} - {node.id})
        return [self._make_similarity_edge(node.id, other, 0.8) for other in others[:_MOST_ALIKE]]

    async def add_relation(self, relation: GroundedRelation) -> None:
        first, second = await self.add_event(relation.first), await self.add_event(relation.second)
        if first.id != second.id:
            quotes = {"first": relation.first.quote, "second": relation.second.quote}
            await self._thread.save([self._make_edge(first.id, relation.kind, second.id, **quotes)])

    def _make_similarity_edge(self, one: str, other: str, share: float) -> MemoryEdge:
        first, second = sorted((one, other))
        return self._make_edge(first, "possibly_same", second, share=share)

    def _make_edge(
        self, source: str, relation: EdgeRelation, target: str, role: str | None = None, **words: object
    ) -> MemoryEdge:
        """With an id apart from that of the rules' own, who may say the same later."""
        edge = self._thread.make_edge(source, relation, target, role, **words, **self._mark)
        parts = (_SEPARATE, self._thread.memory.id, source, relation, target, role or "")
        return replace(edge, id=make_edge_id(*parts))
