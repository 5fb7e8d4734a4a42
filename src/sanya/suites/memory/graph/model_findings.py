"""Findings of a model, as nodes and edges beside those of the rules.

They carry the name of the model, influence no rating, and have ids of their own. So the rules build the same graph
whether a model has read a memory or not, and its findings can be removed again.
"""

from __future__ import annotations

from dataclasses import replace

from sanya.suites.memory.extraction.grounding import GroundedEvent, GroundedItems, GroundedRelation
from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_names
from sanya.suites.memory.graph.entities import load_candidates
from sanya.suites.memory.graph.entity_resolution import EntityCandidates, EntityReference, format_name, resolve_entity
from sanya.suites.memory.parsing.parser import make_event_key
from sanya.suites.memory.storage.identifiers import make_edge_id, make_node_id
from sanya.suites.memory.storage.records import EXTRACTOR, EdgeRelation, MemoryEdge, MemoryNode, MemoryRecord, NodeKind

_MAX_SIMILAR = 20
_SEPARATE = "extracted"


async def add_model_findings(context: GraphContext, items: GroundedItems, model: str) -> int:
    """Add findings and return the number of new ones."""
    writer = _FindingsWriter(context, model)
    count = await writer.add_participants(items.participants)
    for event in items.events:
        await writer.add_event(event, asserted=True)
    for relation in items.relations:
        await writer.add_relation(relation)
    return count + len(items.events) + len(items.relations)


class _FindingsWriter:
    def __init__(self, context: GraphContext, model: str) -> None:
        self._context = context
        self._mark = {EXTRACTOR: model}

    async def add_participants(self, references: tuple[EntityReference, ...]) -> int:
        """Add participants that the rules have not linked with the memory, and return their number."""
        context = self._context
        candidates = EntityCandidates(await load_candidates(context, references)) if references else EntityCandidates()
        linked = await self._find_linked()
        count = 0
        for reference in references:
            node = await self._resolve_reference(reference, candidates)
            if node.id in linked:
                continue
            linked.add(node.id)
            count += 1
            if node.kind == "agent":
                edge = self._make_edge(
                    node.id, "participates", context.memory.id, reference.role, written=reference.name
                )
            else:
                edge = self._make_edge(context.memory.id, "mentions", node.id, reference.role, written=reference.name)
            await context.save([edge])
        return count

    async def _find_linked(self) -> set[str]:
        context = self._context
        edges = await context.reader.find_edges_stated_by(context.namespace, [context.memory.id])
        return {
            edge.from_id if edge.relation == "participates" else edge.to_id
            for edge in edges
            if edge.relation in ("participates", "mentions") and EXTRACTOR not in edge.properties
        }

    async def _resolve_reference(self, reference: EntityReference, candidates: EntityCandidates) -> MemoryNode:
        """Return the entity that the rules know by this name, or a separate node that is linked with its candidates."""
        context = self._context
        match = resolve_entity(reference, candidates.list_for(reference))
        kind: NodeKind = "agent" if reference.kind in ("person", "organisation") else "artifact"
        separate_id = make_node_id(context.namespace, _SEPARATE, kind, reference.key)
        if match.entity_id is not None:
            known = await context.reader.find_nodes(context.namespace, [match.entity_id, separate_id])
            if separate_id in known:  # it was made before the rules knew the name
                await context.save([self._make_similarity_edge(separate_id, match.entity_id, 0.8)])
            return known[match.entity_id]
        node = MemoryNode(
            id=separate_id,
            namespace=context.namespace,
            kind=kind,
            name=format_name(reference),
            dynamic_type=reference.kind,
            properties={"key": reference.key, **self._mark},
        )
        await context.save([node, *make_node_names(node, [reference.name, reference.key])])
        await context.save(
            [self._make_similarity_edge(node.id, other, share) for other, share in match.candidates[:_MAX_SIMILAR]]
        )
        return node

    async def add_event(self, event: GroundedEvent, *, asserted: bool = False) -> MemoryNode:
        """Add an event of this memory alone. Only the rules may find that two memories say the same."""
        context, when = self._context, event.when
        text = " ".join(event.quote.split())
        node = MemoryNode(
            id=make_node_id(context.namespace, _SEPARATE, "event", context.memory.id, text),
            namespace=context.namespace,
            kind="event",
            name=text[:MAX_NAME_CHARS],
            dynamic_type=_SEPARATE,
            happened_at=when.to_iso() if when else None,
            precision=when.start.precision if when and when.start else None,
            properties=self._mark,
        )
        key = make_event_key(event.quote)
        similar = await self._link_similar_events(node, key) if key else []
        records: list[MemoryRecord] = [
            node,
            *make_node_names(node, [f"{_SEPARATE}:{key or context.memory.id}"]),
            *similar,
        ]
        if asserted:
            records.append(self._make_edge(context.memory.id, "asserts", node.id, quote=event.quote))
        await context.save(records)
        return node

    async def _link_similar_events(self, node: MemoryNode, key: str) -> list[MemoryEdge]:
        """Return edges to similar events of other memories, along which causal chains continue."""
        names = [f"event:{key}", f"{_SEPARATE}:{key}"]
        nodes = await self._context.reader.find_nodes_by_name(self._context.namespace, names)
        others = sorted({other.id for same_name in nodes.values() for other in same_name} - {node.id})
        return [self._make_similarity_edge(node.id, other, 0.8) for other in others[:_MAX_SIMILAR]]

    async def add_relation(self, relation: GroundedRelation) -> None:
        first, second = await self.add_event(relation.first), await self.add_event(relation.second)
        if first.id != second.id:
            quotes = {"first": relation.first.quote, "second": relation.second.quote}
            await self._context.save([self._make_edge(first.id, relation.kind, second.id, **quotes)])

    def _make_similarity_edge(self, node_id: str, other: str, share: float) -> MemoryEdge:
        first, second = sorted((node_id, other))
        return self._make_edge(first, "possibly_same", second, share=share)

    def _make_edge(
        self, source: str, relation: EdgeRelation, target: str, role: str | None = None, **properties: object
    ) -> MemoryEdge:
        """Return a marked edge. Its id differs from that of the rules, which may find the same edge later."""
        edge = self._context.make_edge(source, relation, target, role, **properties, **self._mark)
        parts = (_SEPARATE, self._context.memory.id, source, relation, target, role or "")
        return replace(edge, id=make_edge_id(*parts))
