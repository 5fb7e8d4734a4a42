"""Rows of a log as events: one sentence with the names under which people are known, its day, its route."""

from __future__ import annotations

from sanya.suites.memory.graph.context import LONGEST_NAME, Thread, names_of, node_id
from sanya.suites.memory.graph.entities import Met
from sanya.suites.memory.parsing.times import find_times
from sanya.suites.memory.storage.records import Node


async def weave_row(thread: Thread, met: list[Met]) -> None:
    row = thread.reading.row
    if row is None:
        return
    statement = row.statement({one.named.name: one.node.name for one in met})
    times = find_times(row.day or "")
    node = Node(
        id=node_id(thread.namespace, "row", thread.memory.id),
        namespace=thread.namespace,
        kind="event",
        name=statement[: 4 * LONGEST_NAME],
        dynamic_type="record",
        happened_at=times[0].when.iso() if times else None,
        precision=times[0].when.start.precision if times and times[0].when.start else None,
        properties={"row": True},
    )
    await thread.save(
        [node, *names_of(node, [f"row:{thread.memory.id}"]), thread.edge(thread.memory.id, "asserts", node.id)]
    )
