"""What consolidation found out about memories beside their participants: the sentence of a row, its time, and which
memory revises which. Shown with a memory as further properties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sanya.suites.memory.storage.records import EXTRACTOR, MemoryEdge, MemoryNode
from sanya.suites.memory.storage.store import MemoryReader

_MOST_EVENTS = 20


@dataclass(frozen=True, slots=True)
class MemoryFinding:
    statement: str | None = None
    """A row of a log as a sentence."""
    properties: dict[str, Any] = field(default_factory=dict)


async def load_findings(
    reader: MemoryReader, namespace: str, memory_ids: Sequence[str], said: Sequence[MemoryEdge]
) -> dict[str, MemoryFinding]:
    """`said` are the edges that these memories say."""
    asserted = {one.to_id: one for one in said if one.relation == "asserts"}
    nodes = await reader.find_nodes(namespace, list(asserted))
    revised = [one for one in await reader.find_edges_from(namespace, memory_ids, "precedes") if one.role == "revised"]
    revising = [one for one in said if one.relation == "precedes" and one.role == "revised"]
    found = {}
    for memory_id in memory_ids:
        own = [
            nodes[one.to_id]
            for one in said
            if one.memory_id == memory_id and one.relation == "asserts" and one.to_id in nodes
        ]
        properties = (
            _list_event_times(own)
            | _describe_revisions(memory_id, revising, revised)
            | _describe_extraction(memory_id, said)
        )
        statement = next((node.name for node in own if node.properties.get("row")), None)
        if properties or statement:
            found[memory_id] = MemoryFinding(statement, properties)
    return found


def _list_event_times(nodes: Sequence[MemoryNode]) -> dict[str, Any]:
    dated = sorted(
        {(str(node.happened_at), str(node.precision)) for node in nodes if node.kind == "event" and node.happened_at}
    )
    return (
        {"events": [{"happened_at": at, "precision": precision} for at, precision in dated[:_MOST_EVENTS]]}
        if dated
        else {}
    )


def _describe_extraction(memory_id: str, said: Sequence[MemoryEdge]) -> dict[str, Any]:
    """Which models found something in it, and what: all else the rules read."""
    own = [one for one in said if one.memory_id == memory_id and one.relation != "possibly_same"]
    found = [one for one in own if EXTRACTOR in one.properties]
    if not found:
        return {}
    ends = {end for one in found for end in (one.from_id, one.to_id)} - {memory_id}
    ends -= {end for one in own if EXTRACTOR not in one.properties for end in (one.from_id, one.to_id)}
    return {"extracted": {"by": sorted({str(one.properties[EXTRACTOR]) for one in found}), "ids": sorted(ends)}}


def _describe_revisions(
    memory_id: str, revising: Sequence[MemoryEdge], revised: Sequence[MemoryEdge]
) -> dict[str, Any]:
    """What a speaker said before and after on the same question, where it was something else."""
    found: dict[str, Any] = {}
    for edge in revising:
        if edge.to_id == memory_id:
            found["revises"] = {"memory_id": edge.from_id, **edge.properties}
    for edge in revised:
        if edge.from_id == memory_id:
            found["revised_by"] = {"memory_id": edge.to_id, **edge.properties}
    return found
