"""What speakers hold in a conversation, and when they change their mind: the deadline is March 15, March 20 is fine.

A change of mind is not a contradiction: each position held on its day, and the later one revises the earlier."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suites.memory.graph.context import Thread, names_of, node_id
from sanya.suites.memory.parsing.names import name_key
from sanya.suites.memory.parsing.times import When
from sanya.suites.memory.parsing.tokens import words_of
from sanya.suites.memory.storage.records import Node, Record
from sanya.suites.memory.word_lists import word_set

_TOPICS = word_set(
    """deadline launch release date due delivery meeting start end schedule milestone target กำหนดส่ง กำหนด วันส่ง
    เส้นตาย นัด"""
)
_HOLDS = word_set("""is remains agree realistic fine target works better stays move should คือ เป็น เห็นด้วย ตกลง โอเค""")
_LAST = """
SELECT n.id FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id
WHERE m.namespace = ? AND m.folded = ? ORDER BY n.happened_at DESC, n.id LIMIT 1"""


@dataclass(frozen=True, slots=True)
class Position:
    speaker: str
    topic: str | None
    """None where the remark goes on with what was spoken of."""
    value: str
    said: str


def position_of(thread: Thread) -> Position | None:
    spoken = thread.reading.spoken
    if spoken is None or spoken.speaker is None or spoken.said is None or thread.reading.is_question:
        return None
    body = spoken.body.of(thread.memory.content)
    times = [one for one in thread.reading.times if one.kind in ("at", "deadline")]
    forms = {word.form for word in words_of(body[:600])}
    if len(times) != 1 or not forms & _HOLDS | forms & _TOPICS:
        return None
    topic = next((one for one in sorted(_TOPICS & forms) if one != "target"), None)
    return Position(spoken.speaker, topic, _value(times[0].when), spoken.said.isoformat())


def _value(when: When) -> str:
    return when.iso()


async def weave_positions(thread: Thread) -> None:
    position = position_of(thread)
    if position is None:
        return
    topic = position.topic or await _going_topic(thread)
    if topic is None:
        return
    speaker = name_key(position.speaker)
    held = Node(
        id=node_id(thread.namespace, "position", thread.memory.id),
        namespace=thread.namespace,
        kind="claim",
        name=f"{position.speaker}: {topic} {position.value}",
        dynamic_type="position",
        happened_at=position.said,
        precision="day",
        properties={"speaker": position.speaker, "topic": topic, "value": position.value, "memory": thread.memory.id},
    )
    before = await _last(thread, f"position:{speaker}|{topic}", held.id)
    records: list[Record] = [held, *names_of(held, [f"position:{speaker}|{topic}", "position:"])]
    records.append(thread.edge(thread.memory.id, "asserts", held.id))
    if before is not None and str(before.happened_at) <= position.said and before.properties["value"] != position.value:
        records.append(
            thread.edge(
                str(before.properties["memory"]),
                "precedes",
                thread.memory.id,
                "revised",
                by=position.speaker,
                topic=topic,
                old=before.properties["value"],
                new=position.value,
            )
        )
    await thread.save(records)


async def _going_topic(thread: Thread) -> str | None:
    """The topic of the last position that anybody took."""
    last = await _last(thread, "position:", "")
    return str(last.properties["topic"]) if last else None


async def _last(thread: Thread, folded: str, without: str) -> Node | None:
    rows = await thread.writer.transaction.fetch(_LAST, (thread.namespace, folded))
    nodes = await thread.reader.nodes(thread.namespace, [str(row[0]) for row in rows if row[0] != without])
    return next(iter(nodes.values()), None)
