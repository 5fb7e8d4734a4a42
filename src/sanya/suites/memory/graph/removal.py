"""Taking a memory out of the graph for good: what was read out of it goes with it, its wording included. Memories that
say the same are read again, so that what they say stays, in their own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from sanya.suites.memory.extraction.queue import requeue
from sanya.suites.memory.graph.context import insert_missing, make_node_names
from sanya.suites.memory.graph.derived_rules import RULE_TYPE
from sanya.suites.memory.graph.entity_resolution import EntityKind, EntityReference, format_name, make_stored_names
from sanya.suites.memory.storage.records import MemoryEdge, MemoryNode, fold_name
from sanya.suites.memory.storage.store import MemoryReader
from sanya.suites.memory.storage.writer import MemoryWriter

_READ_AGAIN = "UPDATE memories SET consolidated_at = NULL WHERE id = ? AND type <> 'Rule'"
_OF_A_NODE = (
    "DELETE FROM memory_names WHERE node_id = ?",
    "DELETE FROM memory_edges WHERE from_id = ?",
    "DELETE FROM memory_edges WHERE to_id = ?",
    "DELETE FROM memory_nodes WHERE id = ?",
)


async def remove_from_graph(writer: MemoryWriter, namespace: str, ids: Sequence[str]) -> list[str]:
    """Takes what these memories say out of the graph. Returns the rules that rested on them, which go as well."""
    reader = MemoryReader(writer.transaction)
    rules = await _find_derived_rules(reader, namespace, ids)
    said = await reader.find_edges_stated_by(namespace, [*ids, *rules])
    nodes = await reader.find_nodes(namespace, sorted({end for edge in said for end in (edge.from_id, edge.to_id)}))
    told = await _find_dependent_nodes(reader, namespace, nodes)
    await _schedule_reparse(writer, reader, namespace, told)
    for one in told:
        for sql in _OF_A_NODE:
            await writer.transaction.execute(sql, (one,))
    for node in nodes.values():
        if node.kind in ("agent", "artifact"):
            await _rename(writer, reader, node, set(ids))
    return rules


async def _find_derived_rules(reader: MemoryReader, namespace: str, ids: Sequence[str]) -> list[str]:
    derived = await reader.find_edges_to(namespace, ids, "derived_from")
    memories = await reader.find_memories(namespace, sorted({edge.from_id for edge in derived}))
    return sorted(one.id for one in memories.values() if one.type == RULE_TYPE)


async def _find_dependent_nodes(reader: MemoryReader, namespace: str, nodes: dict[str, MemoryNode]) -> list[str]:
    """Claims and events, and the concepts and rules that were made of them."""
    found = {one.id for one in nodes.values() if one.kind not in ("agent", "artifact")}
    frontier = sorted(found)
    while frontier:
        edges = await reader.find_edges_to(namespace, frontier, "derived_from")
        resting = await reader.find_nodes(namespace, sorted({edge.from_id for edge in edges} - found))
        frontier = sorted(resting)
        found.update(frontier)
    return sorted(found)


async def _schedule_reparse(writer: MemoryWriter, reader: MemoryReader, namespace: str, told: Sequence[str]) -> None:
    edges = [*await reader.find_edges_from(namespace, told), *await reader.find_edges_to(namespace, told)]
    for one in sorted({edge.memory_id for edge in edges if edge.memory_id}):
        await writer.transaction.execute(_READ_AGAIN, (one,))
        await requeue(writer.transaction, one)


async def _rename(writer: MemoryWriter, reader: MemoryReader, node: MemoryNode, gone: set[str]) -> None:
    """Somebody keeps only the names that other memories use."""
    edges = [
        *await reader.find_edges_from(node.namespace, [node.id]),
        *await reader.find_edges_to(node.namespace, [node.id]),
    ]
    written = list(
        dict.fromkeys(
            _get_written_name(edge) for edge in edges if edge.memory_id not in gone and _get_written_name(edge)
        )
    )
    folded = {fold_name(name) for name in written}
    if not written or {fold_name(name) for name in (node.name, *node.aliases)} <= folded:
        return
    kind = cast(EntityKind, node.dynamic_type or "thing")
    shown = node.name if fold_name(node.name) in folded else format_name(EntityReference(written[0], kind))
    aliases = tuple(name for name in written if fold_name(name) != fold_name(shown))
    renamed = replace(node, name=shown, aliases=aliases)
    await writer.transaction.execute("DELETE FROM memory_names WHERE node_id = ?", (node.id,))
    await writer.put(renamed)
    names = [one for name in (shown, *aliases) for one in (name, *make_stored_names(EntityReference(name, kind)))]
    await insert_missing(writer.transaction, make_node_names(renamed, names))


def _get_written_name(edge: MemoryEdge) -> str:
    return str(edge.properties.get("written", ""))
