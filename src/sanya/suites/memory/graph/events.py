"""Events of a memory that it links as cause and effect, or as earlier and later: nodes with edges between them."""

from __future__ import annotations

import re
from itertools import combinations

from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_names
from sanya.suites.memory.parsing.event_links import EventLink
from sanya.suites.memory.parsing.parser import make_event_key
from sanya.suites.memory.parsing.times import find_times
from sanya.suites.memory.storage.identifiers import make_node_id
from sanya.suites.memory.storage.records import MemoryNode, MemoryRecord

_MAX_LINKS = 40
_MAX_KEY_WORDS = 7
_MAX_SIMILAR = 20
# "Signal Alpha repeatedly (triggered …)": the adverb belongs to the verb, not to the event.
_TRAILING_ADVERB = re.compile(r"(?<=\w)\s+[a-z]+ly$")


async def add_event_links(context: GraphContext) -> list[tuple[MemoryNode, MemoryNode]]:
    """Add the links that the memory asserts, and return their events as pairs, the cause or the earlier one first."""
    pairs = []
    asserted = [link for link in context.parsed.links if _is_asserted(context, link)]
    for link in asserted[:_MAX_LINKS]:
        earlier = await _add_event(context, link.first.slice(context.memory.content))
        later = await _add_event(context, link.second.slice(context.memory.content))
        if earlier is None or later is None or earlier.id == later.id:
            continue
        times = {
            name: span.slice(context.memory.content)
            for name, span in (("first_at", link.first), ("second_at", link.second))
            if find_times(span.slice(context.memory.content))
        }
        await context.save([context.make_edge(earlier.id, link.kind, later.id, cue=link.cue, **times)])
        pairs.append((earlier, later))
    return pairs


def _is_asserted(context: GraphContext, link: EventLink) -> bool:
    """Tell whether no claim around the link is doubted, planned or asked."""
    overlapping = [
        claim
        for claim in context.parsed.claims
        if claim.span.start < max(link.first.end, link.second.end)
        and claim.span.end > min(link.first.start, link.second.start)
    ]
    return all(claim.modality == "asserted" for claim in overlapping)


async def _add_event(context: GraphContext, text: str) -> MemoryNode | None:
    key = make_event_key(text)
    if not key:
        return None
    times = find_times(text)
    dated = next((time.when for time in times if time.when.start and time.when.start.year), None)
    node = MemoryNode(
        id=make_node_id(context.namespace, "event", key),
        namespace=context.namespace,
        kind="event",
        name=_TRAILING_ADVERB.sub("", " ".join(text.split()))[:MAX_NAME_CHARS],
        happened_at=dated.to_iso() if dated else None,
        precision=dated.start.precision if dated and dated.start else None,
        properties={"event": key},
    )
    pair_keys = _make_pair_keys(key)
    similar = await _find_similar(context, key, pair_keys)
    records: list[MemoryRecord] = [node, *make_node_names(node, [f"event:{key}", *pair_keys])]
    for other in similar:
        first, second = sorted((node.id, other.id))
        if first != second:
            records.append(context.make_edge(first, "possibly_same", second, share=0.8))
    await context.save(records)
    return node


def _make_pair_keys(key: str) -> list[str]:
    """Return a key for each pair of words, under which events with more or fewer words are found."""
    return [f"event:{first}|{second}" for first, second in combinations(key.split()[:_MAX_KEY_WORDS], 2)]


async def _find_similar(context: GraphContext, key: str, pair_keys: list[str]) -> list[MemoryNode]:
    """Return events whose words include all words of this one, or are included in them."""
    if not pair_keys:
        return []
    nodes = await context.reader.find_nodes_by_name(context.namespace, pair_keys)
    words = set(key.split())
    similar: dict[str, MemoryNode] = {}
    for same_pair in nodes.values():
        for node in same_pair:
            other = set(str(node.properties.get("event", "")).split())
            if len(other) > 1 and (other <= words or words <= other):
                similar[node.id] = node
    return [similar[node_id] for node_id in sorted(similar)[:_MAX_SIMILAR]]
