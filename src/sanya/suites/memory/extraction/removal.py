"""Takes out of the graph what a model found in a memory, and nothing else, in a way that can be undone."""

from __future__ import annotations

from sanya.suites.memory.storage.records import EXTRACTOR, Memory, MemoryEdge, MemoryNode, NodeName
from sanya.suites.memory.storage.store import MemoryReader
from sanya.suites.memory.storage.writer import MemoryWriter

_QUOTES = ("written", "quote", "first", "second")


async def remove_model_findings(writer: MemoryWriter, reader: MemoryReader, memory: Memory, standing: str = "") -> None:
    """All of it, or what is not in the words that are left `standing`. Nodes of names stay: another memory may come to
    need them, and what it then writes must not stand in the way of an undo."""
    said = await reader.find_edges_stated_by(memory.namespace, [memory.id])
    found = [one for one in said if EXTRACTOR in one.properties]
    gone = [one for one in found if not _is_still_quoted(one, standing)]
    for edge in gone:
        await writer.remove(edge)
    ends = {end for edge in gone for end in (edge.from_id, edge.to_id)}
    for node in (await reader.find_nodes(memory.namespace, sorted(ends))).values():
        if node.kind == "event" and EXTRACTOR in node.properties:
            await _remove_event(writer, reader, node)


def _is_still_quoted(edge: MemoryEdge, text: str) -> bool:
    """Links between what may be the same quote nothing: they go with the last word, or with their event."""
    return bool(text) and all(str(edge.properties[name]) in text for name in _QUOTES if name in edge.properties)


async def _remove_event(writer: MemoryWriter, reader: MemoryReader, node: MemoryNode) -> None:
    """An event that nothing is said of any more, with its links to others like it."""
    edges = [
        *await reader.find_edges_from(node.namespace, [node.id]),
        *await reader.find_edges_to(node.namespace, [node.id]),
    ]
    if any(one.relation != "possibly_same" for one in edges):
        return
    for edge in edges:
        await writer.remove(edge)
    rows = await writer.transaction.fetch("SELECT folded FROM memory_names WHERE node_id = ?", (node.id,))
    for row in rows:
        await writer.remove(NodeName(node.namespace, str(row[0]), node.id))
    await writer.remove(node)
