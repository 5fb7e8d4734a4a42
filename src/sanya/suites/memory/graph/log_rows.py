"""Log rows as events: a sentence with the names under which people are known, its day and its route."""

from __future__ import annotations

from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_names
from sanya.suites.memory.graph.entities import ResolvedMention
from sanya.suites.memory.parsing.times import find_times
from sanya.suites.memory.storage.identifiers import make_node_id
from sanya.suites.memory.storage.records import MemoryNode


async def add_log_row(context: GraphContext, mentions: list[ResolvedMention]) -> None:
    row = context.parsed.row
    if row is None:
        return
    sentence = row.format_sentence({mention.reference.name: mention.node.name for mention in mentions})
    times = find_times(row.day or "")
    node = MemoryNode(
        id=make_node_id(context.namespace, "row", context.memory.id),
        namespace=context.namespace,
        kind="event",
        name=sentence[: 4 * MAX_NAME_CHARS],
        dynamic_type="record",
        happened_at=times[0].when.to_iso() if times else None,
        precision=times[0].when.start.precision if times and times[0].when.start else None,
        properties={"row": True},
    )
    await context.save(
        [
            node,
            *make_node_names(node, [f"row:{context.memory.id}"]),
            context.make_edge(context.memory.id, "asserts", node.id),
        ]
    )
