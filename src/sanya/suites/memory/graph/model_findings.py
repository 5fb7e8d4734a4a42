"""What a model found in a memory, as nodes and edges beside those of the rules: marked with the model's name, without
a say in any rating, and never in the place of anything that the rules made."""

from __future__ import annotations

from dataclasses import replace

from sanya.suites.memory.extraction.grounding import Grounded, Happening, Leading
from sanya.suites.memory.graph.context import LONGEST_NAME, Thread, names_of, node_id
from sanya.suites.memory.graph.entities import crowd_of
from sanya.suites.memory.graph.entity_resolution import Crowd, Named, resolve, shown_name
from sanya.suites.memory.parsing.parser import event_key
from sanya.suites.memory.storage.records import EXTRACTOR, Edge, Node, NodeKind, Record, Relation
from sanya.suites.memory.writes.sending import edge_id

_MOST_ALIKE = 20
_SEPARATE = "extracted"


async def weave_extracted(thread: Thread, found: Grounded, model: str) -> int:
    """Returns how many things were new."""
    weaver = _Weaver(thread, model)
    kept = await weaver.participants(found.participants)
    for event in found.events:
        await weaver.event(event, asserted=True)
    for relation in found.relations:
        await weaver.relation(relation)
    return kept + len(found.events) + len(found.relations)


class _Weaver:
    def __init__(self, thread: Thread, model: str) -> None:
        self._thread = thread
        self._mark = {EXTRACTOR: model}

    async def participants(self, names: tuple[Named, ...]) -> int:
        """Those whom the rules have not linked with the memory already."""
        thread = self._thread
        crowd = Crowd(await crowd_of(thread, names)) if names else Crowd()
        known = await self._linked()
        kept = 0
        for named in names:
            node = await self._meet(named, crowd)
            if node.id in known:
                continue
            known.add(node.id)
            kept += 1
            if node.kind == "agent":
                edge = self._edge(node.id, "participates", thread.memory.id, named.role, written=named.name)
            else:
                edge = self._edge(thread.memory.id, "mentions", node.id, named.role, written=named.name)
            await thread.save([edge])
        return kept

    async def _linked(self) -> set[str]:
        thread = self._thread
        said = await thread.reader.edges_said_by(thread.namespace, [thread.memory.id])
        return {
            edge.from_id if edge.relation == "participates" else edge.to_id
            for edge in said
            if edge.relation in ("participates", "mentions") and EXTRACTOR not in edge.properties
        }

    async def _meet(self, named: Named, crowd: Crowd) -> Node:
        """Whom the rules know by this very name; else a node apart, linked with those whom it may mean."""
        thread = self._thread
        found = resolve(named, crowd.around(named))
        kind: NodeKind = "agent" if named.kind in ("person", "organisation") else "artifact"
        apart = node_id(thread.namespace, _SEPARATE, kind, named.key)
        if found.same is not None:
            known = await thread.reader.nodes(thread.namespace, [found.same, apart])
            if apart in known:  # made when the rules did not know the name yet
                await thread.save([self._alike(apart, found.same, 0.8)])
            return known[found.same]
        node = Node(
            id=apart,
            namespace=thread.namespace,
            kind=kind,
            name=shown_name(named),
            dynamic_type=named.kind,
            properties={"key": named.key, **self._mark},
        )
        await thread.save([node, *names_of(node, [named.name, named.key])])
        await thread.save([self._alike(node.id, other, share) for other, share in found.possibly[:_MOST_ALIKE]])
        return node

    async def event(self, event: Happening, *, asserted: bool = False) -> Node:
        """An event of this memory alone: that two say the same is for the rules to find, since it counts."""
        thread, when = self._thread, event.when
        text = " ".join(event.quote.split())
        node = Node(
            id=node_id(thread.namespace, _SEPARATE, "event", thread.memory.id, text),
            namespace=thread.namespace,
            kind="event",
            name=text[:LONGEST_NAME],
            dynamic_type=_SEPARATE,
            happened_at=when.iso() if when else None,
            precision=when.start.precision if when and when.start else None,
            properties=self._mark,
        )
        key = event_key(event.quote)
        alike = await self._same_events(node, key) if key else []
        records: list[Record] = [node, *names_of(node, [f"{_SEPARATE}:{key or thread.memory.id}"]), *alike]
        if asserted:
            records.append(self._edge(thread.memory.id, "asserts", node.id, quote=event.quote))
        await thread.save(records)
        return node

    async def _same_events(self, node: Node, key: str) -> list[Edge]:
        """Chains of causes go on where another memory speaks of the same event."""
        sought = [f"event:{key}", f"{_SEPARATE}:{key}"]
        found = await self._thread.reader.nodes_named(self._thread.namespace, sought)
        others = sorted({one.id for some in found.values() for one in some} - {node.id})
        return [self._alike(node.id, other, 0.8) for other in others[:_MOST_ALIKE]]

    async def relation(self, relation: Leading) -> None:
        first, second = await self.event(relation.first), await self.event(relation.second)
        if first.id != second.id:
            quotes = {"first": relation.first.quote, "second": relation.second.quote}
            await self._thread.save([self._edge(first.id, relation.kind, second.id, **quotes)])

    def _alike(self, one: str, other: str, share: float) -> Edge:
        first, second = sorted((one, other))
        return self._edge(first, "possibly_same", second, share=share)

    def _edge(self, source: str, relation: Relation, target: str, role: str | None = None, **words: object) -> Edge:
        """With an id apart from that of the rules' own, who may say the same later."""
        edge = self._thread.edge(source, relation, target, role, **words, **self._mark)
        parts = (_SEPARATE, self._thread.memory.id, source, relation, target, role or "")
        return replace(edge, id=edge_id(*parts))
