"""Causal chains from memory to memory: one says that A caused B, another that B led to C.

Memories are joined by the events that they speak of, and by events that are possibly the same. Each event is visited
once, so a cycle ends, and the number of events and links is limited.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sanya.suites.memory.contract import CausalLink
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Memory, MemoryEdge, MemoryNode

_MAX_EVENTS = 2000
_MAX_LINKS = 50
_SUMMARY_CHARS = 160

CausalDirection = Literal["caused", "caused_by"]


@dataclass(frozen=True, slots=True)
class CausalChains:
    links: dict[str, list[CausalLink]] = field(default_factory=dict)
    depth: int = 0
    """Length of the longest chain."""


class _Step(NamedTuple):
    relation: CausalDirection
    target: str
    edge: MemoryEdge
    depth: int


async def find_causal_chains(
    reader: MemoryReader, namespace: str, edges: Sequence[MemoryEdge], max_depth: int
) -> CausalChains:
    """Return causes and effects of the events of each memory, the nearest first. `edges` are stated by the memories."""
    causal = [edge for edge in edges if edge.relation == "caused" and edge.memory_id is not None]
    if not causal:
        return CausalChains()
    graph = await _load_graph(reader, namespace, causal, max_depth)
    own_edges: dict[str, list[MemoryEdge]] = {}
    for edge in causal:
        own_edges.setdefault(str(edge.memory_id), []).append(edge)
    steps = {memory_id: _list_steps(graph, memory_id, own, max_depth) for memory_id, own in own_edges.items()}
    targets = {step.target for chain in steps.values() for step in chain}
    memories = await reader.find_memories(namespace, sorted(targets))
    nodes = await reader.find_nodes(namespace, sorted(targets - set(memories)))
    links = {
        memory_id: [
            _make_link(step, memories, nodes)
            for step in chain
            if step.target in nodes or _is_active(memories.get(step.target))
        ]
        for memory_id, chain in steps.items()
        if chain
    }
    return CausalChains(links, max((step.depth for chain in steps.values() for step in chain), default=0))


def _is_active(memory: Memory | None) -> bool:
    return memory is not None and memory.retired_at is None


@dataclass(slots=True)
class _CausalGraph:
    """Causal edges by either end, and events that are possibly the same."""

    out: dict[str, list[MemoryEdge]] = field(default_factory=dict)
    into: dict[str, list[MemoryEdge]] = field(default_factory=dict)
    same: dict[str, set[str]] = field(default_factory=dict)

    def list_equivalents(self, event: str) -> list[str]:
        return [event, *sorted(self.same.get(event, ()))]


async def _load_graph(
    reader: MemoryReader, namespace: str, edges: Sequence[MemoryEdge], max_depth: int
) -> _CausalGraph:
    """Load the graph level by level for all memories at once: a few queries for each level, not for each memory."""
    graph = _CausalGraph()
    seen: set[str] = set()
    frontier = {end for edge in edges for end in (edge.from_id, edge.to_id)}
    for _ in range(max_depth + 1):
        events = sorted(frontier - seen)[: _MAX_EVENTS - len(seen)]
        if not events:
            break
        events = await _add_equivalents(reader, namespace, graph, events, seen)
        seen.update(events)
        out = await reader.find_edges_from(namespace, events, "caused")
        into = await reader.find_edges_to(namespace, events, "caused")
        _add_edges(graph, out, into)
        frontier = {edge.to_id for edge in out} | {edge.from_id for edge in into}
    return graph


async def _add_equivalents(
    reader: MemoryReader, namespace: str, graph: _CausalGraph, events: list[str], seen: set[str]
) -> list[str]:
    equivalents = set(events)
    edges = [
        *await reader.find_edges_from(namespace, events, "possibly_same"),
        *await reader.find_edges_to(namespace, events, "possibly_same"),
    ]
    for edge in edges:
        graph.same.setdefault(edge.from_id, set()).add(edge.to_id)
        graph.same.setdefault(edge.to_id, set()).add(edge.from_id)
        equivalents |= {edge.from_id, edge.to_id}
    return sorted(equivalents - seen)


def _add_edges(graph: _CausalGraph, out: Iterable[MemoryEdge], into: Iterable[MemoryEdge]) -> None:
    for edge in {edge.id: edge for edge in (*out, *into)}.values():
        for table, end in ((graph.out, edge.from_id), (graph.into, edge.to_id)):
            known = table.setdefault(end, [])
            if edge not in known:
                known.append(edge)


def _list_steps(graph: _CausalGraph, memory_id: str, own: Sequence[MemoryEdge], max_depth: int) -> list[_Step]:
    forward = _walk(graph, memory_id, own, max_depth, "caused")
    backward = _walk(graph, memory_id, own, max_depth, "caused_by")
    return sorted([*forward, *backward], key=lambda step: (step.depth, step.relation, step.target))[:_MAX_LINKS]


def _walk(
    graph: _CausalGraph, memory_id: str, own: Sequence[MemoryEdge], max_depth: int, relation: CausalDirection
) -> list[_Step]:
    """Return the memories that continue the chain in one direction, or the memory's own events if there are none."""
    steps: list[_Step] = []
    visited = {memory_id}
    seen: set[str] = set()
    frontier = [(_get_far_end(edge, relation), edge) for edge in own]
    for depth in range(1, max_depth + 1):
        following: list[tuple[str, MemoryEdge]] = []
        for event, _ in frontier:
            for edge in _list_next_edges(graph, event, relation, seen):
                following.append((_get_far_end(edge, relation), edge))
                if edge.memory_id and edge.memory_id not in visited:
                    visited.add(edge.memory_id)
                    steps.append(_Step(relation, edge.memory_id, edge, depth))
        frontier = following
    if not steps:
        ends = {_get_far_end(edge, relation): edge for edge in own}
        steps = [_Step(relation, event, ends[event], 1) for event in sorted(ends)]
    return steps


def _get_far_end(edge: MemoryEdge, relation: CausalDirection) -> str:
    return edge.to_id if relation == "caused" else edge.from_id


def _list_next_edges(graph: _CausalGraph, event: str, relation: CausalDirection, seen: set[str]) -> list[MemoryEdge]:
    edges: list[MemoryEdge] = []
    for equivalent in graph.list_equivalents(event):
        if equivalent not in seen:
            seen.add(equivalent)
            edges += (graph.out if relation == "caused" else graph.into).get(equivalent, [])
    return sorted(edges, key=lambda edge: edge.id)


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
