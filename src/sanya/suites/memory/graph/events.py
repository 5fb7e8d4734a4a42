"""What a memory says of cause and order, as event nodes with edges between them."""

from __future__ import annotations

import re
from itertools import combinations

from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_id, make_node_names
from sanya.suites.memory.parsing.event_links import EventLink
from sanya.suites.memory.parsing.parser import make_event_key
from sanya.suites.memory.parsing.times import find_times
from sanya.suites.memory.storage.records import MemoryNode, MemoryRecord

_MOST_LINKS = 40
_MOST_WORDS = 7
_MOST_ALIKE = 20
# "Signal Alpha repeatedly (triggered …)": the adverb belongs to the verb that stood between.
_ADVERB_BEHIND = re.compile(r"(?<=\w)\s+[a-z]+ly$")


async def add_event_links(thread: GraphContext) -> list[tuple[MemoryNode, MemoryNode]]:
    """Pairs of cause and effect, and of earlier and later, that the memory asserts."""
    pairs = []
    for link in [one for one in thread.parsed.links if _is_asserted(thread, one)][:_MOST_LINKS]:
        earlier = await _add_event(thread, link.first.slice(thread.memory.content))
        later = await _add_event(thread, link.second.slice(thread.memory.content))
        if earlier is None or later is None or earlier.id == later.id:
            continue
        times = {
            name: span.slice(thread.memory.content)
            for name, span in (("first_at", link.first), ("second_at", link.second))
            if find_times(span.slice(thread.memory.content))
        }
        await thread.save([thread.make_edge(earlier.id, link.kind, later.id, cue=link.cue, **times)])
        pairs.append((earlier, later))
    return pairs


def _is_asserted(thread: GraphContext, link: EventLink) -> bool:
    """Neither doubted nor asked nor denied, as far as the claims around it tell."""
    around = [
        one
        for one in thread.parsed.claims
        if one.span.start < max(link.first.end, link.second.end)
        and one.span.end > min(link.first.start, link.second.start)
    ]
    return all(one.modality == "asserted" for one in around)


async def _add_event(thread: GraphContext, text: str) -> MemoryNode | None:
    key = make_event_key(text)
    if not key:
        return None
    times = find_times(text)
    dated = next((one.when for one in times if one.when.start and one.when.start.year), None)
    node = MemoryNode(
        id=make_node_id(thread.namespace, "event", key),
        namespace=thread.namespace,
        kind="event",
        name=_ADVERB_BEHIND.sub("", " ".join(text.split()))[:MAX_NAME_CHARS],
        happened_at=dated.to_iso() if dated else None,
        precision=dated.start.precision if dated and dated.start else None,
        properties={"event": key},
    )
    pieces = _make_pair_keys(key)
    alike = await _find_similar(thread, key, pieces)
    records: list[MemoryRecord] = [node, *make_node_names(node, [f"event:{key}", *pieces])]
    for other in alike:
        first, second = sorted((node.id, other.id))
        if first != second:
            records.append(thread.make_edge(first, "possibly_same", second, share=0.8))
    await thread.save(records)
    return node


def _make_pair_keys(key: str) -> list[str]:
    """Pairs of words under which events are found that say more, or less, of the same."""
    return [f"event:{first}|{second}" for first, second in combinations(key.split()[:_MOST_WORDS], 2)]


async def _find_similar(thread: GraphContext, key: str, pieces: list[str]) -> list[MemoryNode]:
    """Events whose words are all among this one's, or the other way round."""
    if not pieces:
        return []
    nodes = await thread.reader.find_nodes_by_name(thread.namespace, pieces)
    words = set(key.split())
    found: dict[str, MemoryNode] = {}
    for some in nodes.values():
        for node in some:
            other = set(str(node.properties.get("event", "")).split())
            if len(other) > 1 and (other <= words or words <= other):
                found[node.id] = node
    return [found[one] for one in sorted(found)[:_MOST_ALIKE]]
