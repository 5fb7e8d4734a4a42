"""An effect cannot come before its cause. Where one memory says what caused what, and others when it happened, their
times are held against each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sanya.suites.memory.graph.claim_json import from_json
from sanya.suites.memory.graph.claims import add_contradiction
from sanya.suites.memory.graph.context import GraphContext, make_node_id
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.times import TimeRange, find_times, is_surely_before
from sanya.suites.memory.storage.records import MemoryEdge, MemoryNode

_MOST_LINKS = 100


class StatedTime(NamedTuple):
    """When an event happened, and which memory says so."""

    when: TimeRange
    memory_id: str


async def check_event_order(
    thread: GraphContext, claims: list[MemoryNode], pairs: list[tuple[MemoryNode, MemoryNode]]
) -> None:
    """Compares the times of causes and effects that this memory links, or of which it gives the time."""
    events = {event.id for pair in pairs for event in pair}
    dated = {
        _make_event_id(thread, claim): claim for node in claims if (claim := from_json(node.properties["claim"])).when
    }
    touched = [*events, *dated]
    if not touched:
        return
    links = {edge.id: edge for edge in await thread.reader.find_edges_from(thread.namespace, touched, "caused")}
    links |= {edge.id: edge for edge in await thread.reader.find_edges_to(thread.namespace, touched, "caused")}
    for edge in list(links.values())[:_MOST_LINKS]:
        await _compare_times(thread, edge)


def _make_event_id(thread: GraphContext, claim: ParsedClaim) -> str:
    """The event node that the subject of a claim would be: the fire, of "the fire happened on 5 May"."""
    return make_node_id(thread.namespace, "event", claim.subject_key)


async def _compare_times(thread: GraphContext, edge: MemoryEdge) -> None:
    if edge.memory_id is None:
        return
    nodes = await thread.reader.find_nodes(thread.namespace, [edge.from_id, edge.to_id])
    cause, effect = nodes.get(edge.from_id), nodes.get(edge.to_id)
    if cause is None or effect is None:
        return
    causes, effects = (
        await _list_stated_times(thread, cause, edge, "first_at"),
        await _list_stated_times(thread, effect, edge, "second_at"),
    )
    for before in causes:
        for after in effects:
            others = {before.memory_id, after.memory_id} - {edge.memory_id}
            if others and is_surely_before(after.when, before.when):
                await add_contradiction(
                    thread, edge.memory_id, min(others), "temporal_impossibility", "the effect came before its cause"
                )
                return


async def _list_stated_times(thread: GraphContext, event: MemoryNode, edge: MemoryEdge, own: str) -> list[StatedTime]:
    """What the memory itself says of the time, and what others do who claim that the event happened."""
    said = _find_first_time(str(edge.properties.get(own, "")))
    found = [StatedTime(when, str(edge.memory_id)) for when in said]
    sought = f"claim:happened|{event.properties.get('event', '')}"
    nodes = (await thread.reader.find_nodes_by_name(thread.namespace, [sought])).get(sought, [])
    edges = await thread.reader.find_edges_to(thread.namespace, [node.id for node in nodes], "asserts")
    for node in nodes:
        when = from_json(node.properties["claim"]).when
        found += [StatedTime(when, one.from_id) for one in edges if one.to_id == node.id and when is not None]
    return found


def _find_first_time(text: str) -> Iterable[TimeRange]:
    return [one.when for one in find_times(text)][:1] if text else []
