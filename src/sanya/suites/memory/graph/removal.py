"""Taking a memory out of the graph for good: what was read out of it goes with it, its wording included. Memories that
say the same are read again, so that what they say stays, in their own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from sanya.suites.memory.extraction.queue import read_again
from sanya.suites.memory.graph.context import keep_new, names_of
from sanya.suites.memory.graph.derived_rules import RULE
from sanya.suites.memory.graph.entity_resolution import EntityKind, Named, kept_names, shown_name
from sanya.suites.memory.storage.records import Edge, Node, fold_name
from sanya.suites.memory.storage.store import MemoryReader
from sanya.suites.memory.storage.writer import MemoryWriter

_READ_AGAIN = "UPDATE memories SET consolidated_at = NULL WHERE id = ? AND type <> 'Rule'"
_OF_A_NODE = (
    "DELETE FROM memory_names WHERE node_id = ?",
    "DELETE FROM memory_edges WHERE from_id = ?",
    "DELETE FROM memory_edges WHERE to_id = ?",
    "DELETE FROM memory_nodes WHERE id = ?",
)


async def unweave(writer: MemoryWriter, namespace: str, ids: Sequence[str]) -> list[str]:
    """Takes what these memories say out of the graph. Returns the rules that rested on them, which go as well."""
    reader = MemoryReader(writer.transaction)
    rules = await _rules(reader, namespace, ids)
    said = await reader.edges_said_by(namespace, [*ids, *rules])
    nodes = await reader.nodes(namespace, sorted({end for edge in said for end in (edge.from_id, edge.to_id)}))
    told = await _with_what_rests_on_them(reader, namespace, nodes)
    await _read_again(writer, reader, namespace, told)
    for one in told:
        for sql in _OF_A_NODE:
            await writer.transaction.execute(sql, (one,))
    for node in nodes.values():
        if node.kind in ("agent", "artifact"):
            await _rename(writer, reader, node, set(ids))
    return rules


async def _rules(reader: MemoryReader, namespace: str, ids: Sequence[str]) -> list[str]:
    derived = await reader.edges_to(namespace, ids, "derived_from")
    memories = await reader.memories(namespace, sorted({edge.from_id for edge in derived}))
    return sorted(one.id for one in memories.values() if one.type == RULE)


async def _with_what_rests_on_them(reader: MemoryReader, namespace: str, nodes: dict[str, Node]) -> list[str]:
    """Claims and events, and the concepts and rules that were made of them."""
    found = {one.id for one in nodes.values() if one.kind not in ("agent", "artifact")}
    frontier = sorted(found)
    while frontier:
        edges = await reader.edges_to(namespace, frontier, "derived_from")
        resting = await reader.nodes(namespace, sorted({edge.from_id for edge in edges} - found))
        frontier = sorted(resting)
        found.update(frontier)
    return sorted(found)


async def _read_again(writer: MemoryWriter, reader: MemoryReader, namespace: str, told: Sequence[str]) -> None:
    edges = [*await reader.edges_from(namespace, told), *await reader.edges_to(namespace, told)]
    for one in sorted({edge.memory_id for edge in edges if edge.memory_id}):
        await writer.transaction.execute(_READ_AGAIN, (one,))
        await read_again(writer.transaction, one)


async def _rename(writer: MemoryWriter, reader: MemoryReader, node: Node, gone: set[str]) -> None:
    """Somebody keeps only the names that other memories use."""
    edges = [*await reader.edges_from(node.namespace, [node.id]), *await reader.edges_to(node.namespace, [node.id])]
    written = list(dict.fromkeys(_written(edge) for edge in edges if edge.memory_id not in gone and _written(edge)))
    folded = {fold_name(name) for name in written}
    if not written or {fold_name(name) for name in (node.name, *node.aliases)} <= folded:
        return
    kind = cast(EntityKind, node.dynamic_type or "thing")
    shown = node.name if fold_name(node.name) in folded else shown_name(Named(written[0], kind))
    aliases = tuple(name for name in written if fold_name(name) != fold_name(shown))
    renamed = replace(node, name=shown, aliases=aliases)
    await writer.transaction.execute("DELETE FROM memory_names WHERE node_id = ?", (node.id,))
    await writer.put(renamed)
    names = [one for name in (shown, *aliases) for one in (name, *kept_names(Named(name, kind)))]
    await keep_new(writer.transaction, names_of(renamed, names))


def _written(edge: Edge) -> str:
    return str(edge.properties.get("written", ""))
