"""Dated notes: sentences with a date and without a claim, as events of their memory alone."""

from __future__ import annotations

from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_names
from sanya.suites.memory.storage.identifiers import make_node_id
from sanya.suites.memory.storage.records import MemoryNode

_MAX_NOTES = 20


async def add_dated_notes(context: GraphContext) -> None:
    for note in context.parsed.dated_notes[:_MAX_NOTES]:
        name = " ".join(note.span.slice(context.memory.content).split())[:MAX_NAME_CHARS]
        # Two notes of one day need not be about the same event, so they share no node and corroborate nothing.
        node = MemoryNode(
            id=make_node_id(context.namespace, "occasion", context.memory.id, note.when.to_iso(), name),
            namespace=context.namespace,
            kind="event",
            name=name,
            dynamic_type="occasion",
            happened_at=note.when.to_iso(),
            precision=note.when.start.precision if note.when.start else None,
        )
        asserted = context.make_edge(context.memory.id, "asserts", node.id)
        await context.save([node, *make_node_names(node, [f"occasion:{context.memory.id}"]), asserted])
