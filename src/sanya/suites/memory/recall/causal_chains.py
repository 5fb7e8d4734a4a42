"""Chains of cause and effect from memory to memory: one says that A caused B, another that B led to C.

Memories are joined by the events they speak of. Circles are walked once; every chain is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sanya.suites.memory.contract import CausalLink
from sanya.suites.memory.storage.records import Memory, MemoryEdge, MemoryNode
from sanya.suites.memory.storage.store import MemoryReader

_MOST_EVENTS = 2000
_MOST_LINKS = 50
_SUMMARY_CHARS = 160

CausalDirection = Literal["caused", "caused_by"]


@dataclass(frozen=True, slots=True)
class CausalChains:
    links: dict[str, list[CausalLink]] = field(default_factory=dict)
    depth: int = 0
    """Of the longest chain that was followed."""


class _Step(NamedTuple):
    relation: CausalDirection
    target: str
    edge: MemoryEdge
    depth: int


async def find_causal_chains(
    reader: MemoryReader, namespace: str, edges: Sequence[MemoryEdge], max_depth: int
) -> CausalChains:
    """What each memory's events led to and came from, the nearest first. `edges` are those that the memories say."""
    said = [one for one in edges if one.relation == "caused" and one.memory_id is not None]
    if not said:
        return CausalChains()
    web = await _load_graph(reader, namespace, said, max_depth)
    own: dict[str, list[MemoryEdge]] = {}
    for edge in said:
        own.setdefault(str(edge.memory_id), []).append(edge)
    steps = {one: _list_steps(web, one, some, max_depth) for one, some in own.items()}
    targets = {step.target for some in steps.values() for step in some}
    memories = await reader.find_memories(namespace, sorted(targets))
    nodes = await reader.find_nodes(namespace, sorted(targets - set(memories)))
    links = {
        one: [
            _make_link(step, memories, nodes)
            for step in some
            if step.target in nodes or _is_active(memories.get(step.target))
        ]
        for one, some in steps.items()
        if some
    }
    return CausalChains(links, max((step.depth for some in steps.values() for step in some), default=0))


def _is_active(memory: Memory | None) -> bool:
    return memory is not None and memory.retired_at is None


@dataclass(slots=True)
class _CausalGraph:
    """The causal edges around some events, by either end, and which events are the same."""

    out: dict[str, list[MemoryEdge]] = field(default_factory=dict)
    into: dict[str, list[MemoryEdge]] = field(default_factory=dict)
    same: dict[str, set[str]] = field(default_factory=dict)

    def list_equivalents(self, event: str) -> list[str]:
        return [event, *sorted(self.same.get(event, ()))]


async def _load_graph(reader: MemoryReader, namespace: str, said: Sequence[MemoryEdge], max_depth: int) -> _CausalGraph:
    """Fetched level by level for all memories at once, so that the number of questions is that of the levels."""
    web = _CausalGraph()
    seen: set[str] = set()
    frontier = {end for edge in said for end in (edge.from_id, edge.to_id)}
    for _ in range(max_depth + 1):
        asked = sorted(frontier - seen)[: _MOST_EVENTS - len(seen)]
        if not asked:
            break
        asked = await _add_equivalents(reader, namespace, web, asked, seen)
        seen.update(asked)
        out = await reader.find_edges_from(namespace, asked, "caused")
        into = await reader.find_edges_to(namespace, asked, "caused")
        _add_edges(web, out, into)
        frontier = {edge.to_id for edge in out} | {edge.from_id for edge in into}
    return web


async def _add_equivalents(
    reader: MemoryReader, namespace: str, web: _CausalGraph, asked: list[str], seen: set[str]
) -> list[str]:
    found = set(asked)
    edges = [
        *await reader.find_edges_from(namespace, asked, "possibly_same"),
        *await reader.find_edges_to(namespace, asked, "possibly_same"),
    ]
    for edge in edges:
        web.same.setdefault(edge.from_id, set()).add(edge.to_id)
        web.same.setdefault(edge.to_id, set()).add(edge.from_id)
        found |= {edge.from_id, edge.to_id}
    return sorted(found - seen)


def _add_edges(web: _CausalGraph, out: Iterable[MemoryEdge], into: Iterable[MemoryEdge]) -> None:
    for edge in {one.id: one for one in (*out, *into)}.values():
        for table, end in ((web.out, edge.from_id), (web.into, edge.to_id)):
            known = table.setdefault(end, [])
            if edge not in known:
                known.append(edge)


def _list_steps(web: _CausalGraph, memory_id: str, own: Sequence[MemoryEdge], max_depth: int) -> list[_Step]:
    forward = _walk(web, memory_id, own, max_depth, "caused")
    backward = _walk(web, memory_id, own, max_depth, "caused_by")
    return sorted([*forward, *backward], key=lambda one: (one.depth, one.relation, one.target))[:_MOST_LINKS]


def _walk(
    web: _CausalGraph, memory_id: str, own: Sequence[MemoryEdge], max_depth: int, relation: CausalDirection
) -> list[_Step]:
    """The memories that go on where this one ends; where none does, its own event alone."""
    steps: list[_Step] = []
    told = {memory_id}
    seen: set[str] = set()
    frontier = [(_get_far_end(edge, relation), edge) for edge in own]
    for depth in range(1, max_depth + 1):
        following: list[tuple[str, MemoryEdge]] = []
        for event, _ in frontier:
            for edge in _list_next_edges(web, event, relation, seen):
                following.append((_get_far_end(edge, relation), edge))
                if edge.memory_id and edge.memory_id not in told:
                    told.add(edge.memory_id)
                    steps.append(_Step(relation, edge.memory_id, edge, depth))
        frontier = following
    if not steps:
        ends = {_get_far_end(edge, relation): edge for edge in own}
        steps = [_Step(relation, event, ends[event], 1) for event in sorted(ends)]
    return steps


def _get_far_end(edge: MemoryEdge, relation: CausalDirection) -> str:
    return edge.to_id if relation == "caused" else edge.from_id


def _list_next_edges(web: _CausalGraph, event: str, relation: CausalDirection, seen: set[str]) -> list[MemoryEdge]:
    found: list[MemoryEdge] = []
    for one in web.list_equivalents(event):
        if one not in seen:
            seen.add(one)
            found += (web.out if relation == "caused" else web.into).get(one, [])
    return sorted(found, key=lambda edge: edge.id)


def _make_link(step: _Step, memories: dict[str, Memory], nodes: dict[str, MemoryNode]) -> CausalLink:
    memory = memories.get(step.target)
    text = memory.content if memory else nodes[step.target].name
    rating = memory.rating if memory else step.edge.confidence
    return CausalLink(
        relation=step.relation, target_id=step.target, target_summary=summarise(text), confidence=str(rating)
    )


def summarise(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SUMMARY_CHARS else plain[: _SUMMARY_CHARS - 1].rstrip() + "…"
