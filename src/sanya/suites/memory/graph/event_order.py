"""An effect cannot come before its cause. Where one memory says what caused what, and others when it happened, their
times are held against each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sanya.suites.memory.graph.claim_json import from_json
from sanya.suites.memory.graph.claims import contradict
from sanya.suites.memory.graph.context import Thread, node_id
from sanya.suites.memory.parsing.claims import Claim
from sanya.suites.memory.parsing.times import When, find_times, surely_before
from sanya.suites.memory.storage.records import Edge, Node

_MOST_LINKS = 100


class Told(NamedTuple):
    """When an event happened, and which memory says so."""

    when: When
    memory_id: str


async def weave_order(thread: Thread, claims: list[Node], pairs: list[tuple[Node, Node]]) -> None:
    """Compares the times of causes and effects that this memory links, or of which it gives the time."""
    events = {event.id for pair in pairs for event in pair}
    dated = {_event_of(thread, claim): claim for node in claims if (claim := from_json(node.properties["claim"])).when}
    touched = [*events, *dated]
    if not touched:
        return
    links = {edge.id: edge for edge in await thread.reader.edges_from(thread.namespace, touched, "caused")}
    links |= {edge.id: edge for edge in await thread.reader.edges_to(thread.namespace, touched, "caused")}
    for edge in list(links.values())[:_MOST_LINKS]:
        await _hold_against(thread, edge)


def _event_of(thread: Thread, claim: Claim) -> str:
    """The event node that the subject of a claim would be: the fire, of "the fire happened on 5 May"."""
    return node_id(thread.namespace, "event", claim.subject_key)


async def _hold_against(thread: Thread, edge: Edge) -> None:
    if edge.memory_id is None:
        return
    nodes = await thread.reader.nodes(thread.namespace, [edge.from_id, edge.to_id])
    cause, effect = nodes.get(edge.from_id), nodes.get(edge.to_id)
    if cause is None or effect is None:
        return
    causes, effects = await _told(thread, cause, edge, "first_at"), await _told(thread, effect, edge, "second_at")
    for before in causes:
        for after in effects:
            others = {before.memory_id, after.memory_id} - {edge.memory_id}
            if others and surely_before(after.when, before.when):
                await contradict(
                    thread, edge.memory_id, min(others), "temporal_impossibility", "the effect came before its cause"
                )
                return


async def _told(thread: Thread, event: Node, edge: Edge, own: str) -> list[Told]:
    """What the memory itself says of the time, and what others do who claim that the event happened."""
    said = _times(str(edge.properties.get(own, "")))
    found = [Told(when, str(edge.memory_id)) for when in said]
    sought = f"claim:happened|{event.properties.get('event', '')}"
    nodes = (await thread.reader.nodes_named(thread.namespace, [sought])).get(sought, [])
    edges = await thread.reader.edges_to(thread.namespace, [node.id for node in nodes], "asserts")
    for node in nodes:
        when = from_json(node.properties["claim"]).when
        found += [Told(when, one.from_id) for one in edges if one.to_id == node.id and when is not None]
    return found


def _times(text: str) -> Iterable[When]:
    return [one.when for one in find_times(text)][:1] if text else []
