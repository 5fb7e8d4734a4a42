"""Findings of consolidation that an answer shows as properties of a memory.

They are the sentence of a log row, the times of events, what a model extracted, and which memory revises which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import EXTRACTOR, MemoryEdge, MemoryNode

_MAX_EVENTS = 20


@dataclass(frozen=True, slots=True)
class MemoryFinding:
    statement: str | None = None
    """The sentence of a log row."""
    properties: dict[str, Any] = field(default_factory=dict)


async def load_findings(
    reader: MemoryReader, namespace: str, memory_ids: Sequence[str], edges: Sequence[MemoryEdge]
) -> dict[str, MemoryFinding]:
    """Return the findings of memories. `edges` are stated by them."""
    asserted = {edge.to_id: edge for edge in edges if edge.relation == "asserts"}
    nodes = await reader.find_nodes(namespace, list(asserted))
    revised = [
        edge for edge in await reader.find_edges_from(namespace, memory_ids, "precedes") if edge.role == "revised"
    ]
    revising = [edge for edge in edges if edge.relation == "precedes" and edge.role == "revised"]
    findings = {}
    for memory_id in memory_ids:
        own = [
            nodes[edge.to_id]
            for edge in edges
            if edge.memory_id == memory_id and edge.relation == "asserts" and edge.to_id in nodes
        ]
        properties = (
            _list_event_times(own)
            | _describe_revisions(memory_id, revising, revised)
            | _describe_extraction(memory_id, edges)
        )
        statement = next((node.name for node in own if node.properties.get("row")), None)
        if properties or statement:
            findings[memory_id] = MemoryFinding(statement, properties)
    return findings


def _list_event_times(nodes: Sequence[MemoryNode]) -> dict[str, Any]:
    dated = sorted(
        {(str(node.happened_at), str(node.precision)) for node in nodes if node.kind == "event" and node.happened_at}
    )
    return (
        {"events": [{"happened_at": at, "precision": precision} for at, precision in dated[:_MAX_EVENTS]]}
        if dated
        else {}
    )


def _describe_extraction(memory_id: str, edges: Sequence[MemoryEdge]) -> dict[str, Any]:
    """Name the models that found something in the memory, and what only they found."""
    own = [edge for edge in edges if edge.memory_id == memory_id and edge.relation != "possibly_same"]
    extracted = [edge for edge in own if EXTRACTOR in edge.properties]
    if not extracted:
        return {}
    ends = {end for edge in extracted for end in (edge.from_id, edge.to_id)} - {memory_id}
    ends -= {end for edge in own if EXTRACTOR not in edge.properties for end in (edge.from_id, edge.to_id)}
    return {"extracted": {"by": sorted({str(edge.properties[EXTRACTOR]) for edge in extracted}), "ids": sorted(ends)}}


def _describe_revisions(
    memory_id: str, revising: Sequence[MemoryEdge], revised: Sequence[MemoryEdge]
) -> dict[str, Any]:
    """Name the memories in which the same speaker took another position before and after."""
    revisions: dict[str, Any] = {}
    for edge in revising:
        if edge.to_id == memory_id:
            revisions["revises"] = {"memory_id": edge.from_id, **edge.properties}
    for edge in revised:
        if edge.from_id == memory_id:
            revisions["revised_by"] = {"memory_id": edge.to_id, **edge.properties}
    return revisions
