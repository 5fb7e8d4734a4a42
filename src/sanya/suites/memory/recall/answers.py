"""Memories in the contract's shape, with their participants, chains, sources and contradictions around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sanya.suites.memory.contract import (
    CausalLink,
    ContradictionEntry,
    MemoryEntry,
    Participant,
    SourceEntry,
)
from sanya.suites.memory.recall.causal_chains import causal_chains
from sanya.suites.memory.recall.findings import Finding, findings_of
from sanya.suites.memory.storage.records import Edge, Memory, Source
from sanya.suites.memory.storage.store import MemoryReader

if TYPE_CHECKING:
    from sanya.suites.memory.recall.ranking import Match


@dataclass(frozen=True, slots=True)
class Wanted:
    """What goes with each memory."""

    sources: bool = True
    surroundings: bool = True
    """Participants and chains."""
    contradictions: bool = True
    max_depth: int = 3


@dataclass(frozen=True, slots=True)
class Surroundings:
    sources: Mapping[str, list[Source]]
    participants: Mapping[str, list[Participant]]
    chains: Mapping[str, list[CausalLink]]
    depth: int
    """Of the longest chain that was followed."""
    findings: Mapping[str, Finding] = field(default_factory=dict)


async def surroundings_of(
    reader: MemoryReader, namespace: str, memories: Sequence[Memory], wanted: Wanted
) -> Surroundings:
    ids = [one.id for one in memories]
    sources = await reader.sources_of(ids) if wanted.sources else {}
    rows = [one.id for one in memories if "|" in one.content]
    said = await reader.edges_said_by(namespace, ids if wanted.surroundings else rows)
    findings = await findings_of(reader, namespace, ids if wanted.surroundings else rows, said)
    if not wanted.surroundings:
        return Surroundings(sources, {}, {}, 0, findings)
    participants = await _participants(reader, namespace, said)
    chains = await causal_chains(reader, namespace, said, wanted.max_depth)
    return Surroundings(sources, participants, chains.links, chains.depth, findings)


def entry_of(memory: Memory, around: Surroundings, match: Match | None = None) -> MemoryEntry:
    finding = around.findings.get(memory.id, Finding())
    return MemoryEntry(
        id=memory.id,
        type=memory.type,
        dynamic_type=memory.dynamic_type,
        # A row of a log is shown as it was sent, and behind it as the sentence that it was read as.
        content="\n".join(filter(None, (memory.content, finding.statement))),
        confidence=str(memory.rating),
        properties=_properties(memory, finding),
        participants=tuple(around.participants.get(memory.id, ())),
        causal_chain=tuple(around.chains.get(memory.id, ())),
        sources=tuple(map(source_entry, around.sources.get(memory.id, ()))),
        score=match.score if match else None,
        score_parts=dict(match.parts) if match else {},
    )


def source_entry(source: Source) -> SourceEntry:
    return SourceEntry(
        id=source.id,
        type=source.type,
        ref=source.ref,
        citation=source.citation,
        reliability=source.reliability,
        credibility=str(source.credibility),
    )


async def contradictions_among(
    reader: MemoryReader, namespace: str, memories: Sequence[Memory], wanted: Wanted
) -> list[ContradictionEntry]:
    """Every contradiction of a memory that was found, each once, with the other side whole."""
    shown = {one.id for one in memories}
    found = await reader.contradictions_of(namespace, sorted(shown))
    sides = {one.id: (one.memory_id, one.other_id) for one in found}
    pairs = {one: pair if pair[0] in shown else pair[::-1] for one, pair in sides.items()}
    others = await reader.memories(namespace, [other for _, other in pairs.values()])
    around = await surroundings_of(reader, namespace, list(others.values()), wanted)
    return [
        ContradictionEntry(
            id=one.id,
            memory_id=pairs[one.id][0],
            contradicting_memory=entry_of(others[pairs[one.id][1]], around),
            nature=one.nature,
            resolution_status=one.resolution_status,
            detected_at=one.detected_at,
        )
        for one in found
        if pairs[one.id][1] in others
    ]


async def _participants(reader: MemoryReader, namespace: str, said: Sequence[Edge]) -> dict[str, list[Participant]]:
    edges = [one for one in said if one.relation in ("participates", "mentions")]
    nodes = await reader.nodes(namespace, [end for one in edges for end in (one.from_id, one.to_id)])
    found: dict[str, dict[str, Participant]] = {}
    for edge in edges:
        node = nodes.get(edge.from_id) if edge.relation == "participates" else nodes.get(edge.to_id)
        node = node or nodes.get(edge.from_id) or nodes.get(edge.to_id)
        if node is None or edge.memory_id is None:
            continue
        found.setdefault(edge.memory_id, {}).setdefault(
            node.id,
            Participant(
                id=node.id,
                type=node.kind,
                dynamic_type=node.dynamic_type,
                name=node.name,
                role=edge.role,
                confidence=str(edge.confidence),
            ),
        )
    return {one: list(some.values()) for one, some in found.items()}


def _properties(memory: Memory, finding: Finding) -> dict[str, object]:
    """What else is known of it, with when it came, who said so, and what was found out about it since."""
    more: dict[str, object] = {"created_at": memory.created_at, **finding.properties}
    if memory.agent_id:
        more["agent_id"] = memory.agent_id
    return {**memory.properties, **more}
