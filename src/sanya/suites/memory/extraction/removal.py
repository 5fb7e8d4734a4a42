"""Removal of what a model found in a memory, and of nothing else, so that it can be undone."""

from __future__ import annotations

from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import EXTRACTOR, Memory, MemoryEdge, MemoryNode, NodeName
from sanya.suites.memory.storage.writer import MemoryWriter

_QUOTE_PROPERTIES = ("written", "quote", "first", "second")


async def remove_model_findings(
    writer: MemoryWriter, reader: MemoryReader, memory: Memory, remaining_text: str = ""
) -> None:
    """Remove the findings of models in a memory, or only those that the remaining text no longer quotes.

    Nodes of names stay. Another memory may come to use them, and what it writes then must not prevent an undo.
    """
    stated = await reader.find_edges_stated_by(memory.namespace, [memory.id])
    extracted = [edge for edge in stated if EXTRACTOR in edge.properties]
    outdated = [edge for edge in extracted if not _is_still_quoted(edge, remaining_text)]
    for edge in outdated:
        await writer.remove(edge)
    ends = {end for edge in outdated for end in (edge.from_id, edge.to_id)}
    for node in (await reader.find_nodes(memory.namespace, sorted(ends))).values():
        if node.kind == "event" and EXTRACTOR in node.properties:
            await _remove_event(writer, reader, node)


def _is_still_quoted(edge: MemoryEdge, text: str) -> bool:
    """Tell whether the text contains all quotations of an edge. A `possibly_same` edge quotes nothing."""
    return bool(text) and all(
        str(edge.properties[name]) in text for name in _QUOTE_PROPERTIES if name in edge.properties
    )


async def _remove_event(writer: MemoryWriter, reader: MemoryReader, node: MemoryNode) -> None:
    """Remove an event that no edge needs, together with its `possibly_same` edges."""
    edges = [
        *await reader.find_edges_from(node.namespace, [node.id]),
        *await reader.find_edges_to(node.namespace, [node.id]),
    ]
    if any(edge.relation != "possibly_same" for edge in edges):
        return
    for edge in edges:
        await writer.remove(edge)
    rows = await writer.transaction.fetch("SELECT folded FROM memory_names WHERE node_id = ?", (node.id,))
    for row in rows:
        await writer.remove(NodeName(node.namespace, str(row[0]), node.id))
    await writer.remove(node)
