"""Dated notes as events of their own memory: when something was is worth knowing where nothing can be compared."""

from __future__ import annotations

from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_id, make_node_names
from sanya.suites.memory.storage.records import MemoryNode

_MOST_OCCASIONS = 20


async def add_dated_notes(thread: GraphContext) -> None:
    for one in thread.parsed.dated_notes[:_MOST_OCCASIONS]:
        name = " ".join(one.span.slice(thread.memory.content).split())[:MAX_NAME_CHARS]
        # Of this memory alone: two notes of one day need not be about the same, so none speaks for another.
        node = MemoryNode(
            id=make_node_id(thread.namespace, "occasion", thread.memory.id, one.when.to_iso(), name),
            namespace=thread.namespace,
            kind="event",
            name=name,
            dynamic_type="occasion",
            happened_at=one.when.to_iso(),
            precision=one.when.start.precision if one.when.start else None,
        )
        asserted = thread.make_edge(thread.memory.id, "asserts", node.id)
        await thread.save([node, *make_node_names(node, [f"occasion:{thread.memory.id}"]), asserted])
