"""Dated notes as events of their own memory: when something was is worth knowing where nothing can be compared."""

from __future__ import annotations

from sanya.suites.memory.graph.context import LONGEST_NAME, Thread, names_of, node_id
from sanya.suites.memory.storage.records import Node

_MOST_OCCASIONS = 20


async def weave_occasions(thread: Thread) -> None:
    for one in thread.reading.occasions[:_MOST_OCCASIONS]:
        name = " ".join(one.span.of(thread.memory.content).split())[:LONGEST_NAME]
        # Of this memory alone: two notes of one day need not be about the same, so none speaks for another.
        node = Node(
            id=node_id(thread.namespace, "occasion", thread.memory.id, one.when.iso(), name),
            namespace=thread.namespace,
            kind="event",
            name=name,
            dynamic_type="occasion",
            happened_at=one.when.iso(),
            precision=one.when.start.precision if one.when.start else None,
        )
        asserted = thread.edge(thread.memory.id, "asserts", node.id)
        await thread.save([node, *names_of(node, [f"occasion:{thread.memory.id}"]), asserted])
