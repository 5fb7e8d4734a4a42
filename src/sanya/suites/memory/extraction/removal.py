"""Takes out of the graph what a model found in a memory, and nothing else."""

from __future__ import annotations

from sanya.suites.memory.records import EXTRACTOR, Name, Node
from sanya.suites.memory.store import MemoryReader
from sanya.suites.memory.writing import MemoryWriter


async def remove_extracted(writer: MemoryWriter, reader: MemoryReader, namespace: str, memory_id: str) -> int:
    """Takes out what a model found in a memory, in a way that can be undone; returns how many links that were. Whom
    other memories name stays."""
    said = await reader.edges_said_by(namespace, [memory_id])
    edges = [one for one in said if EXTRACTOR in one.properties]
    nodes = await reader.nodes(namespace, [end for edge in edges for end in (edge.from_id, edge.to_id)])
    for edge in edges:
        await writer.remove(edge)
    for node in nodes.values():
        if EXTRACTOR in node.properties and not await _is_linked(reader, node):
            for name in await _names(writer, node):
                await writer.remove(name)
            await writer.remove(node)
    return len(edges)


async def _is_linked(reader: MemoryReader, node: Node) -> bool:
    return bool(await reader.edges_from(node.namespace, [node.id]) or await reader.edges_to(node.namespace, [node.id]))


async def _names(writer: MemoryWriter, node: Node) -> list[Name]:
    rows = await writer.transaction.fetch(
        "SELECT folded FROM memory_names WHERE node_id = ? AND namespace = ?", (node.id, node.namespace)
    )
    return [Name(node.namespace, str(row[0]), node.id) for row in rows]
