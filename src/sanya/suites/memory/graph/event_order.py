"""The order of cause and effect: an effect cannot come before its cause.

One memory says what caused what, others say when each happened. Their times are compared whenever a memory adds a link
or a time.
"""

from __future__ import annotations

from typing import NamedTuple

from sanya.suites.memory.graph.claim_json import from_json
from sanya.suites.memory.graph.claims import add_contradiction
from sanya.suites.memory.graph.context import GraphContext
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.times import TimeRange, find_times, is_surely_before
from sanya.suites.memory.storage.identifiers import make_node_id
from sanya.suites.memory.storage.records import MemoryEdge, MemoryNode

_MAX_LINKS = 100


class StatedTime(NamedTuple):
    """The time of an event, and the memory that states it."""

    when: TimeRange
    memory_id: str


async def check_event_order(
    context: GraphContext, claims: list[MemoryNode], pairs: list[tuple[MemoryNode, MemoryNode]]
) -> None:
    """Check the causal links of all events that this memory links, or whose time it states."""
    events = {event.id for pair in pairs for event in pair}
    stated = [from_json(node.properties["claim"]) for node in claims]
    events_with_time = dict.fromkeys(_make_event_id(context, claim) for claim in stated if claim.when)
    ids = [*events, *events_with_time]
    if not ids:
        return
    links = {edge.id: edge for edge in await context.reader.find_edges_from(context.namespace, ids, "caused")}
    links |= {edge.id: edge for edge in await context.reader.find_edges_to(context.namespace, ids, "caused")}
    for edge in list(links.values())[:_MAX_LINKS]:
        await _compare_times(context, edge)


def _make_event_id(context: GraphContext, claim: ParsedClaim) -> str:
    """Return the id of the event that the subject of a claim names: the fire, in "the fire happened on 5 May"."""
    return make_node_id(context.namespace, "event", claim.subject_key)


async def _compare_times(context: GraphContext, edge: MemoryEdge) -> None:
    """Record a contradiction if a stated time of the effect lies before a stated time of the cause."""
    if edge.memory_id is None:
        return
    nodes = await context.reader.find_nodes(context.namespace, [edge.from_id, edge.to_id])
    cause, effect = nodes.get(edge.from_id), nodes.get(edge.to_id)
    if cause is None or effect is None:
        return
    cause_times = await _list_stated_times(context, cause, edge, "first_at")
    effect_times = await _list_stated_times(context, effect, edge, "second_at")
    for cause_time in cause_times:
        for effect_time in effect_times:
            others = {cause_time.memory_id, effect_time.memory_id} - {edge.memory_id}
            if others and is_surely_before(effect_time.when, cause_time.when):
                reason = "the effect came before its cause"
                await add_contradiction(context, min(others), "temporal_impossibility", reason, edge.memory_id)
                return


async def _list_stated_times(
    context: GraphContext, event: MemoryNode, edge: MemoryEdge, own_property: str
) -> list[StatedTime]:
    """Return the time that the causal statement itself gives, and those of memories that claim that it happened."""
    own_text = str(edge.properties.get(own_property, ""))
    times = [StatedTime(time.when, str(edge.memory_id)) for time in find_times(own_text)[:1]]
    key = f"claim:happened|{event.properties.get('event', '')}"
    nodes = (await context.reader.find_nodes_by_name(context.namespace, [key])).get(key, [])
    edges = await context.reader.find_edges_to(context.namespace, [node.id for node in nodes], "asserts")
    for node in nodes:
        when = from_json(node.properties["claim"]).when
        if when is not None:
            times += [StatedTime(when, asserts.from_id) for asserts in edges if asserts.to_id == node.id]
    return times
