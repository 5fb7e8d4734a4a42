"""Answers: memories in the shape of the contract, with participants, causal chains, sources and contradictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from sanya.suites.memory.recall.validity import Replacement, load_replacements
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Memory, MemoryEdge, MemorySource

if TYPE_CHECKING:
    from sanya.suites.memory.recall.ranking import RecallMatch


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """The parts of an answer that go with each memory."""

    sources: bool = True
    related: bool = True
    """Participants and causal chains."""
    contradictions: bool = True
    max_depth: int = 3


@dataclass(frozen=True, slots=True)
class RelatedRecords:
    sources: Mapping[str, list[MemorySource]]
    participants: Mapping[str, list[Participant]]
    chains: Mapping[str, list[CausalLink]]
    depth: int
    """Length of the longest chain."""
    findings: Mapping[str, MemoryFinding] = field(default_factory=dict)
    supersedes: Mapping[str, list[str]] = field(default_factory=dict)
    replacements: Mapping[str, Replacement] = field(default_factory=dict)


async def load_related(
    reader: MemoryReader, namespace: str, memories: Sequence[Memory], parts: AnswerParts
) -> RelatedRecords:
    ids = [memory.id for memory in memories]
    sources = await reader.find_sources(ids) if parts.sources else {}
    row_ids = [memory.id for memory in memories if "|" in memory.content]
    edges = await reader.find_edges_stated_by(namespace, ids if parts.related else row_ids)
    findings = await load_findings(reader, namespace, ids if parts.related else row_ids, edges)
    supersedes: dict[str, list[str]] = {}
    for edge in edges:
        if edge.relation == "supersedes":
            supersedes.setdefault(edge.from_id, []).append(edge.to_id)
    if not parts.related:
        return RelatedRecords(sources, {}, {}, 0, findings, supersedes)
    participants = await _load_participants(reader, namespace, edges)
    chains = await find_causal_chains(reader, namespace, edges, parts.max_depth)
    return RelatedRecords(sources, participants, chains.links, chains.depth, findings, supersedes)


async def load_current(
    reader: MemoryReader, namespace: str, memories: Sequence[Memory], parts: AnswerParts
) -> RelatedRecords:
    """Return the related records with what replaces each memory now, for answers that belong to no past day."""
    related = await load_related(reader, namespace, memories, parts)
    replacements = await load_replacements(reader, namespace, [memory.id for memory in memories])
    return replace(related, replacements=replacements)


def build_entry(memory: Memory, related: RelatedRecords, match: RecallMatch | None = None) -> MemoryEntry:
    finding = related.findings.get(memory.id, MemoryFinding())
    replacement = related.replacements.get(memory.id)
    return MemoryEntry(
        id=memory.id,
        type=memory.type,
        dynamic_type=memory.dynamic_type,
        # A row of a log is returned as it was sent, followed by the sentence that it was parsed into.
        content="\n".join(filter(None, (memory.content, finding.statement))),
        confidence=str(memory.rating),
        properties=_merge_properties(memory, finding),
        participants=tuple(related.participants.get(memory.id, ())),
        causal_chain=tuple(related.chains.get(memory.id, ())),
        sources=tuple(map(build_source_entry, related.sources.get(memory.id, ()))),
        supersedes=tuple(related.supersedes.get(memory.id, ())),
        superseded_by=replacement.memory_id if replacement else None,
        valid_until=replacement.at if replacement else None,
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
    reader: MemoryReader, namespace: str, memories: Sequence[Memory], parts: AnswerParts
) -> list[ContradictionEntry]:
    """Return every contradiction of the memories once, with the whole memory on the other side."""
    ids = {memory.id for memory in memories}
    contradictions = await reader.find_contradictions(namespace, sorted(ids))
    pairs = {
        found.id: (found.memory_id, found.other_id) if found.memory_id in ids else (found.other_id, found.memory_id)
        for found in contradictions
    }
    others = await reader.find_memories(namespace, [other for _, other in pairs.values()])
    related = await load_related(reader, namespace, list(others.values()), parts)
    return [
        ContradictionEntry(
            id=found.id,
            memory_id=pairs[found.id][0],
            contradicting_memory=build_entry(others[pairs[found.id][1]], related),
            nature=found.nature,
            resolution_status=found.resolution_status,
            detected_at=found.detected_at,
        )
        for found in contradictions
        if pairs[found.id][1] in others
    ]


async def _load_participants(
    reader: MemoryReader, namespace: str, stated: Sequence[MemoryEdge]
) -> dict[str, list[Participant]]:
    edges = [edge for edge in stated if edge.relation in ("participates", "mentions")]
    nodes = await reader.find_nodes(namespace, [end for edge in edges for end in (edge.from_id, edge.to_id)])
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
    return {memory_id: list(participants.values()) for memory_id, participants in found.items()}


def _merge_properties(memory: Memory, finding: MemoryFinding) -> dict[str, object]:
    """Return the stored properties together with time, agent and what consolidation found."""
    more: dict[str, object] = {"created_at": memory.created_at, **finding.properties}
    if memory.agent_id:
        more["agent_id"] = memory.agent_id
    return {**memory.properties, **more}
