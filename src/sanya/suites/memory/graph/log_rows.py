"""Rows of a log as events: one sentence with the names under which people are known, its day, its route."""

from __future__ import annotations

from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_id, make_node_names
from sanya.suites.memory.graph.entities import ResolvedMention
from sanya.suites.memory.parsing.times import find_times
from sanya.suites.memory.storage.records import MemoryNode


async def add_log_row(thread: GraphContext, met: list[ResolvedMention]) -> None:
    row = thread.parsed.row
    if row is None:
        return
    statement = row.format_sentence({one.reference.name: one.node.name for one in met})
    times = find_times(row.day or "")
    node = MemoryNode(
        id=make_node_id(thread.namespace, "row", thread.memory.id),
        namespace=thread.namespace,
        kind="event",
        name=statement[: 4 * MAX_NAME_CHARS],
        dynamic_type="record",
        happened_at=times[0].when.to_iso() if times else None,
        precision=times[0].when.start.precision if times and times[0].when.start else None,
        properties={"row": True},
    )
    await thread.save(
        [
            node,
            *make_node_names(node, [f"row:{thread.memory.id}"]),
            thread.make_edge(thread.memory.id, "asserts", node.id),
        ]
    )
