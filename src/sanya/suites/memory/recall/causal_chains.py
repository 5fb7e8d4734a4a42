"""Chains of cause and effect from memory to memory: one says that A caused B, another that B led to C.

Memories are joined by the events they speak of. Circles are walked once; every chain is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sanya.suites.memory.contract import CausalLink
from sanya.suites.memory.storage.records import Edge, Memory, Node
from sanya.suites.memory.storage.store import MemoryReader

_MOST_EVENTS = 2000
_MOST_LINKS = 50
_SUMMARY_CHARS = 160

Direction = Literal["caused", "caused_by"]


@dataclass(frozen=True, slots=True)
class Chains:
    links: dict[str, list[CausalLink]] = field(default_factory=dict)
    depth: int = 0
    """Of the longest chain that was followed."""


class _Step(NamedTuple):
    relation: Direction
    target: str
    edge: Edge
    depth: int


async def causal_chains(reader: MemoryReader, namespace: str, edges: Sequence[Edge], max_depth: int) -> Chains:
    """What each memory's events led to and came from, the nearest first. `edges` are those that the memories say."""
    said = [one for one in edges if one.relation == "caused" and one.memory_id is not None]
    if not said:
        return Chains()
    web = await _web(reader, namespace, said, max_depth)
    own: dict[str, list[Edge]] = {}
    for edge in said:
        own.setdefault(str(edge.memory_id), []).append(edge)
    steps = {one: _steps(web, one, some, max_depth) for one, some in own.items()}
    targets = {step.target for some in steps.values() for step in some}
    memories = await reader.memories(namespace, sorted(targets))
    nodes = await reader.nodes(namespace, sorted(targets - set(memories)))
    links = {
        one: [
            _link(step, memories, nodes) for step in some if step.target in nodes or _is_kept(memories.get(step.target))
        ]
        for one, some in steps.items()
        if some
    }
    return Chains(links, max((step.depth for some in steps.values() for step in some), default=0))


def _is_kept(memory: Memory | None) -> bool:
    return memory is not None and memory.retired_at is None


@dataclass(slots=True)
class _Web:
    """The causal edges around some events, by either end, and which events are the same."""

    out: dict[str, list[Edge]] = field(default_factory=dict)
    into: dict[str, list[Edge]] = field(default_factory=dict)
    same: dict[str, set[str]] = field(default_factory=dict)

    def alike(self, event: str) -> list[str]:
        return [event, *sorted(self.same.get(event, ()))]


async def _web(reader: MemoryReader, namespace: str, said: Sequence[Edge], max_depth: int) -> _Web:
    """Fetched level by level for all memories at once, so that the number of questions is that of the levels."""
    web = _Web()
    seen: set[str] = set()
    frontier = {end for edge in said for end in (edge.from_id, edge.to_id)}
    for _ in range(max_depth + 1):
        asked = sorted(frontier - seen)[: _MOST_EVENTS - len(seen)]
        if not asked:
            break
        asked = await _with_alike(reader, namespace, web, asked, seen)
        seen.update(asked)
        out = await reader.edges_from(namespace, asked, "caused")
        into = await reader.edges_to(namespace, asked, "caused")
        _learn(web, out, into)
        frontier = {edge.to_id for edge in out} | {edge.from_id for edge in into}
    return web


async def _with_alike(reader: MemoryReader, namespace: str, web: _Web, asked: list[str], seen: set[str]) -> list[str]:
    found = set(asked)
    edges = [
        *await reader.edges_from(namespace, asked, "possibly_same"),
        *await reader.edges_to(namespace, asked, "possibly_same"),
    ]
    for edge in edges:
        web.same.setdefault(edge.from_id, set()).add(edge.to_id)
        web.same.setdefault(edge.to_id, set()).add(edge.from_id)
        found |= {edge.from_id, edge.to_id}
    return sorted(found - seen)


def _learn(web: _Web, out: Iterable[Edge], into: Iterable[Edge]) -> None:
    for edge in {one.id: one for one in (*out, *into)}.values():
        for table, end in ((web.out, edge.from_id), (web.into, edge.to_id)):
            known = table.setdefault(end, [])
            if edge not in known:
                known.append(edge)


def _steps(web: _Web, memory_id: str, own: Sequence[Edge], max_depth: int) -> list[_Step]:
    forward = _walk(web, memory_id, own, max_depth, "caused")
    backward = _walk(web, memory_id, own, max_depth, "caused_by")
    return sorted([*forward, *backward], key=lambda one: (one.depth, one.relation, one.target))[:_MOST_LINKS]


def _walk(web: _Web, memory_id: str, own: Sequence[Edge], max_depth: int, relation: Direction) -> list[_Step]:
    """The memories that go on where this one ends; where none does, its own event alone."""
    steps: list[_Step] = []
    told = {memory_id}
    seen: set[str] = set()
    frontier = [(_end(edge, relation), edge) for edge in own]
    for depth in range(1, max_depth + 1):
        following: list[tuple[str, Edge]] = []
        for event, _ in frontier:
            for edge in _going_on(web, event, relation, seen):
                following.append((_end(edge, relation), edge))
                if edge.memory_id and edge.memory_id not in told:
                    told.add(edge.memory_id)
                    steps.append(_Step(relation, edge.memory_id, edge, depth))
        frontier = following
    if not steps:
        ends = {_end(edge, relation): edge for edge in own}
        steps = [_Step(relation, event, ends[event], 1) for event in sorted(ends)]
    return steps


def _end(edge: Edge, relation: Direction) -> str:
    return edge.to_id if relation == "caused" else edge.from_id


def _going_on(web: _Web, event: str, relation: Direction, seen: set[str]) -> list[Edge]:
    found: list[Edge] = []
    for one in web.alike(event):
        if one not in seen:
            seen.add(one)
            found += (web.out if relation == "caused" else web.into).get(one, [])
    return sorted(found, key=lambda edge: edge.id)


def _link(step: _Step, memories: dict[str, Memory], nodes: dict[str, Node]) -> CausalLink:
    memory = memories.get(step.target)
    text = memory.content if memory else nodes[step.target].name
    rating = memory.rating if memory else step.edge.confidence
    return CausalLink(
        relation=step.relation, target_id=step.target, target_summary=summary_of(text), confidence=str(rating)
    )


def summary_of(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _SUMMARY_CHARS else plain[: _SUMMARY_CHARS - 1].rstrip() + "…"
