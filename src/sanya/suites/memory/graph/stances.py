"""What speakers hold in a conversation, and when they change their mind: the deadline is March 15, March 20 is fine.

A change of mind is not a contradiction: each position held on its day, and the later one revises the earlier."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suites.memory.graph.context import GraphContext, make_node_id, make_node_names
from sanya.suites.memory.parsing.names import make_name_key
from sanya.suites.memory.parsing.times import TimeRange
from sanya.suites.memory.parsing.tokens import tokenize
from sanya.suites.memory.storage.records import MemoryNode, MemoryRecord
from sanya.suites.memory.word_lists import build_word_set

_TOPICS = build_word_set(
    """deadline launch release date due delivery meeting start end schedule milestone target กำหนดส่ง กำหนด วันส่ง
    เส้นตาย นัด"""
)
_HOLDS = build_word_set(
    """is remains agree realistic fine target works better stays move should คือ เป็น เห็นด้วย ตกลง โอเค"""
)
_LAST = """
SELECT n.id FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id
WHERE m.namespace = ? AND m.folded = ? ORDER BY n.happened_at DESC, n.id LIMIT 1"""


@dataclass(frozen=True, slots=True)
class Stance:
    speaker: str
    topic: str | None
    """None where the remark goes on with what was spoken of."""
    value: str
    stated_on: str


def find_stance(thread: GraphContext) -> Stance | None:
    spoken = thread.parsed.spoken
    if spoken is None or spoken.speaker is None or spoken.stated_on is None or thread.parsed.is_question:
        return None
    body = spoken.body.slice(thread.memory.content)
    times = [one for one in thread.parsed.times if one.kind in ("at", "deadline")]
    forms = {word.form for word in tokenize(body[:600])}
    if len(times) != 1 or not forms & _HOLDS | forms & _TOPICS:
        return None
    topic = next((one for one in sorted(_TOPICS & forms) if one != "target"), None)
    return Stance(spoken.speaker, topic, _value(times[0].when), spoken.stated_on.isoformat())


def _value(when: TimeRange) -> str:
    return when.to_iso()


async def add_stance(thread: GraphContext) -> None:
    position = find_stance(thread)
    if position is None:
        return
    topic = position.topic or await _find_current_topic(thread)
    if topic is None:
        return
    speaker = make_name_key(position.speaker)
    held = MemoryNode(
        id=make_node_id(thread.namespace, "position", thread.memory.id),
        namespace=thread.namespace,
        kind="claim",
        name=f"{position.speaker}: {topic} {position.value}",
        dynamic_type="position",
        happened_at=position.stated_on,
        precision="day",
        properties={"speaker": position.speaker, "topic": topic, "value": position.value, "memory": thread.memory.id},
    )
    before = await _find_latest(thread, f"position:{speaker}|{topic}", held.id)
    records: list[MemoryRecord] = [held, *make_node_names(held, [f"position:{speaker}|{topic}", "position:"])]
    records.append(thread.make_edge(thread.memory.id, "asserts", held.id))
    if (
        before is not None
        and str(before.happened_at) <= position.stated_on
        and before.properties["value"] != position.value
    ):
        records.append(
            thread.make_edge(
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


async def _find_current_topic(thread: GraphContext) -> str | None:
    """The topic of the last position that anybody took."""
    last = await _find_latest(thread, "position:", "")
    return str(last.properties["topic"]) if last else None


async def _find_latest(thread: GraphContext, folded: str, without: str) -> MemoryNode | None:
    rows = await thread.writer.transaction.fetch(_LAST, (thread.namespace, folded))
    nodes = await thread.reader.find_nodes(thread.namespace, [str(row[0]) for row in rows if row[0] != without])
    return next(iter(nodes.values()), None)
