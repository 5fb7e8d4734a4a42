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
from sanya.suites.memory.recall.causal_chains import find_causal_chains
from sanya.suites.memory.recall.findings import MemoryFinding, load_findings
from sanya.suites.memory.storage.records import Memory, MemoryEdge, MemorySource
from sanya.suites.memory.storage.store import MemoryReader

if TYPE_CHECKING:
    from sanya.suites.memory.recall.ranking import RecallMatch


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """What goes with each memory."""

    sources: bool = True
    related: bool = True
    """Participants and chains."""
    contradictions: bool = True
    max_depth: int = 3


@dataclass(frozen=True, slots=True)
class RelatedRecords:
    sources: Mapping[str, list[MemorySource]]
    participants: Mapping[str, list[Participant]]
    chains: Mapping[str, list[CausalLink]]
    depth: int
    """Of the longest chain that was followed."""
    findings: Mapping[str, MemoryFinding] = field(default_factory=dict)


async def load_related(
    reader: MemoryReader, namespace: str, memories: Sequence[Memory], wanted: AnswerParts
) -> RelatedRecords:
    ids = [one.id for one in memories]
    sources = await reader.find_sources(ids) if wanted.sources else {}
    rows = [one.id for one in memories if "|" in one.content]
    said = await reader.find_edges_stated_by(namespace, ids if wanted.related else rows)
    findings = await load_findings(reader, namespace, ids if wanted.related else rows, said)
    if not wanted.related:
        return RelatedRecords(sources, {}, {}, 0, findings)
    participants = await _load_participants(reader, namespace, said)
    chains = await find_causal_chains(reader, namespace, said, wanted.max_depth)
    return RelatedRecords(sources, participants, chains.links, chains.depth, findings)


def build_entry(memory: Memory, around: RelatedRecords, match: RecallMatch | None = None) -> MemoryEntry:
    finding = around.findings.get(memory.id, MemoryFinding())
    return MemoryEntry(
        id=memory.id,
        type=memory.type,
        dynamic_type=memory.dynamic_type,
        # A row of a log is shown as it was sent, and behind it as the sentence that it was read as.
        content="\n".join(filter(None, (memory.content, finding.statement))),
        confidence=str(memory.rating),
        properties=_merge_properties(memory, finding),
        participants=tuple(around.participants.get(memory.id, ())),
        causal_chain=tuple(around.chains.get(memory.id, ())),
        sources=tuple(map(build_source_entry, around.sources.get(memory.id, ()))),
        score=match.score if match else None,
        score_parts=dict(match.parts) if match else {},
    )


def build_source_entry(source: MemorySource) -> SourceEntry:
    return SourceEntry(
        id=source.id,
        type=source.type,
        ref=source.ref,
        citation=source.citation,
        reliability=source.reliability,
        credibility=str(source.credibility),
    )


async def load_contradictions(
    reader: MemoryReader, namespace: str, memories: Sequence[Memory], wanted: AnswerParts
) -> list[ContradictionEntry]:
    """Every contradiction of a memory that was found, each once, with the other side whole."""
    shown = {one.id for one in memories}
    found = await reader.find_contradictions(namespace, sorted(shown))
    sides = {one.id: (one.memory_id, one.other_id) for one in found}
    pairs = {one: pair if pair[0] in shown else pair[::-1] for one, pair in sides.items()}
    others = await reader.find_memories(namespace, [other for _, other in pairs.values()])
    around = await load_related(reader, namespace, list(others.values()), wanted)
    return [
        ContradictionEntry(
            id=one.id,
            memory_id=pairs[one.id][0],
            contradicting_memory=build_entry(others[pairs[one.id][1]], around),
            nature=one.nature,
            resolution_status=one.resolution_status,
            detected_at=one.detected_at,
        )
        for one in found
        if pairs[one.id][1] in others
    ]


async def _load_participants(
    reader: MemoryReader, namespace: str, said: Sequence[MemoryEdge]
) -> dict[str, list[Participant]]:
    edges = [one for one in said if one.relation in ("participates", "mentions")]
    nodes = await reader.find_nodes(namespace, [end for one in edges for end in (one.from_id, one.to_id)])
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


def _merge_properties(memory: Memory, finding: MemoryFinding) -> dict[str, object]:
    """What else is known of it, with when it came, who said so, and what was found out about it since."""
    more: dict[str, object] = {"created_at": memory.created_at, **finding.properties}
    if memory.agent_id:
        more["agent_id"] = memory.agent_id
    return {**memory.properties, **more}
