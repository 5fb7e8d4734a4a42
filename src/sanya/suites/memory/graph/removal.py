"""Removal of a memory from the graph, with everything that was parsed from it, its wording included.

Nodes that other memories share are removed too, because they carry the wording of the first one. Those memories are
parsed again, so that the nodes come back in their own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from sanya.suites.memory.extraction.queue import requeue
from sanya.suites.memory.graph.context import insert_missing, make_node_names
from sanya.suites.memory.graph.derived_rules import RULE_TYPE
from sanya.suites.memory.graph.entity_resolution import EntityReference, format_name, make_stored_names
from sanya.suites.memory.parsing.mentions import EntityKind
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import MemoryEdge, MemoryNode, fold_name
from sanya.suites.memory.storage.writer import MemoryWriter

_MARK_UNCONSOLIDATED = "UPDATE memories SET consolidated_at = NULL WHERE id = ? AND type <> 'Rule'"
_DELETE_NODE = (
    "DELETE FROM memory_names WHERE node_id = ?",
    "DELETE FROM memory_edges WHERE from_id = ?",
    "DELETE FROM memory_edges WHERE to_id = ?",
    "DELETE FROM memory_nodes WHERE id = ?",
)


async def remove_from_graph(writer: MemoryWriter, namespace: str, ids: Sequence[str]) -> list[str]:
    """Remove what these memories state, and return the ids of rules derived from them, which must go as well."""
    reader = MemoryReader(writer.transaction)
    rules = await _find_derived_rules(reader, namespace, ids)
    edges = await reader.find_edges_stated_by(namespace, [*ids, *rules])
    nodes = await reader.find_nodes(namespace, sorted({end for edge in edges for end in (edge.from_id, edge.to_id)}))
    node_ids = await _find_dependent_nodes(reader, namespace, nodes)
    await _schedule_reparse(writer, reader, namespace, node_ids)
    for node_id in node_ids:
        for sql in _DELETE_NODE:
            await writer.transaction.execute(sql, (node_id,))
    for node in nodes.values():
        if node.kind in ("agent", "artifact"):
            await _rename(writer, reader, node, set(ids))
    return rules


async def _find_derived_rules(reader: MemoryReader, namespace: str, ids: Sequence[str]) -> list[str]:
    derived = await reader.find_edges_to(namespace, ids, "derived_from")
    memories = await reader.find_memories(namespace, sorted({edge.from_id for edge in derived}))
    return sorted(memory.id for memory in memories.values() if memory.type == RULE_TYPE)


async def _find_dependent_nodes(reader: MemoryReader, namespace: str, nodes: dict[str, MemoryNode]) -> list[str]:
    """Return the ids of claims and events, and of the concepts and rules derived from them."""
    found = {node.id for node in nodes.values() if node.kind not in ("agent", "artifact")}
    frontier = sorted(found)
    while frontier:
        edges = await reader.find_edges_to(namespace, frontier, "derived_from")
        dependent = await reader.find_nodes(namespace, sorted({edge.from_id for edge in edges} - found))
        frontier = sorted(dependent)
        found.update(frontier)
    return sorted(found)


async def _schedule_reparse(
    writer: MemoryWriter, reader: MemoryReader, namespace: str, node_ids: Sequence[str]
) -> None:
    edges = [*await reader.find_edges_from(namespace, node_ids), *await reader.find_edges_to(namespace, node_ids)]
    for memory_id in sorted({edge.memory_id for edge in edges if edge.memory_id}):
        await writer.transaction.execute(_MARK_UNCONSOLIDATED, (memory_id,))
        await requeue(writer.transaction, memory_id)


async def _rename(writer: MemoryWriter, reader: MemoryReader, node: MemoryNode, removed_ids: set[str]) -> None:
    """Give an entity only the names that the remaining memories use."""
    edges = [
        *await reader.find_edges_from(node.namespace, [node.id]),
        *await reader.find_edges_to(node.namespace, [node.id]),
    ]
    written = list(
        dict.fromkeys(
            _get_written_name(edge) for edge in edges if edge.memory_id not in removed_ids and _get_written_name(edge)
        )
    )
    folded = {fold_name(name) for name in written}
    if not written or {fold_name(name) for name in (node.name, *node.aliases)} <= folded:
        return
    kind = cast(EntityKind, node.dynamic_type or "thing")
    display_name = node.name if fold_name(node.name) in folded else format_name(EntityReference(written[0], kind))
    aliases = tuple(name for name in written if fold_name(name) != fold_name(display_name))
    renamed = replace(node, name=display_name, aliases=aliases)
    await writer.transaction.execute("DELETE FROM memory_names WHERE node_id = ?", (node.id,))
    await writer.put(renamed)
    names = [
        stored
        for name in (display_name, *aliases)
        for stored in (name, *make_stored_names(EntityReference(name, kind)))
    ]
    await insert_missing(writer.transaction, make_node_names(renamed, names))


def _get_written_name(edge: MemoryEdge) -> str:
    return str(edge.properties.get("written", ""))
