"""Rows of a log as events: one sentence with the names under which people are known, its day, its route."""

from __future__ import annotations

from sanya.suites.memory.reading.moments import find_times
from sanya.suites.memory.records import Node
from sanya.suites.memory.weaving.people import Met
from sanya.suites.memory.weaving.thread import LONGEST_NAME, Thread, names_of, node_id


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
