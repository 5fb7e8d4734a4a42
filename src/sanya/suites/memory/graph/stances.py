"""Stances: the date that a speaker holds for a topic, and how it changes: "the deadline is March 15".

A change of mind is no contradiction. Each stance was held on its day, and the later one revises the earlier. The graph
stores stances as claims of the type `position`.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suites.memory.graph.context import GraphContext, make_node_names
from sanya.suites.memory.parsing.names import make_name_key
from sanya.suites.memory.parsing.tokens import tokenize
from sanya.suites.memory.storage.identifiers import make_node_id
from sanya.suites.memory.storage.records import MemoryNode, MemoryRecord
from sanya.suites.memory.word_lists import build_word_set

_TOPICS = build_word_set(
    """deadline launch release date due delivery meeting start end schedule milestone target กำหนดส่ง กำหนด วันส่ง
    เส้นตาย นัด"""
)
_STANCE_WORDS = build_word_set(
    """is remains agree realistic fine target works better stays move should คือ เป็น เห็นด้วย ตกลง โอเค"""
)
_PARSED_CHARS = 600
_FIND_LATEST = """
SELECT n.id FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id
WHERE m.namespace = ? AND m.folded = ? ORDER BY n.happened_at DESC, n.id LIMIT 1"""


@dataclass(frozen=True, slots=True)
class Stance:
    speaker: str
    topic: str | None
    """None if the remark continues the current topic."""
    value: str
    stated_on: str


def find_stance(context: GraphContext) -> Stance | None:
    spoken = context.parsed.spoken
    if spoken is None or spoken.speaker is None or spoken.stated_on is None or context.parsed.is_question:
        return None
    body = spoken.body.slice(context.memory.content)
    times = [time for time in context.parsed.times if time.kind in ("at", "deadline")]
    forms = {word.form for word in tokenize(body[:_PARSED_CHARS])}
    if len(times) != 1 or not forms & _STANCE_WORDS | forms & _TOPICS:
        return None
    topic = next((word for word in sorted(_TOPICS & forms) if word != "target"), None)
    return Stance(spoken.speaker, topic, times[0].when.to_iso(), spoken.stated_on.isoformat())


async def add_stance(context: GraphContext) -> None:
    """Add the stance that the memory states, and an edge from the stance that it revises."""
    stance = find_stance(context)
    if stance is None:
        return
    topic = stance.topic or await _find_current_topic(context)
    if topic is None:
        return
    speaker = make_name_key(stance.speaker)
    node = MemoryNode(
        id=make_node_id(context.namespace, "position", context.memory.id),
        namespace=context.namespace,
        kind="claim",
        name=f"{stance.speaker}: {topic} {stance.value}",
        dynamic_type="position",
        happened_at=stance.stated_on,
        precision="day",
        properties={"speaker": stance.speaker, "topic": topic, "value": stance.value, "memory": context.memory.id},
    )
    earlier = await _find_latest(context, f"position:{speaker}|{topic}", node.id)
    records: list[MemoryRecord] = [node, *make_node_names(node, [f"position:{speaker}|{topic}", "position:"])]
    records.append(context.make_edge(context.memory.id, "asserts", node.id))
    if earlier is not None and _is_revised(earlier, stance):
        revision = {"by": stance.speaker, "topic": topic, "old": earlier.properties["value"], "new": stance.value}
        revised_memory = str(earlier.properties["memory"])
        records.append(context.make_edge(revised_memory, "precedes", context.memory.id, "revised", **revision))
    await context.save(records)


def _is_revised(earlier: MemoryNode, stance: Stance) -> bool:
    return str(earlier.happened_at) <= stance.stated_on and earlier.properties["value"] != stance.value


async def _find_current_topic(context: GraphContext) -> str | None:
    """Return the topic of the latest stance of anybody."""
    latest = await _find_latest(context, "position:", "")
    return str(latest.properties["topic"]) if latest else None


async def _find_latest(context: GraphContext, folded: str, excluded_id: str) -> MemoryNode | None:
    rows = await context.writer.transaction.fetch(_FIND_LATEST, (context.namespace, folded))
    nodes = await context.reader.find_nodes(context.namespace, [str(row[0]) for row in rows if row[0] != excluded_id])
    return next(iter(nodes.values()), None)
