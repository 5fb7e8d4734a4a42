"""Entities that turn out to be one, and merges that turn out to be wrong: links move there and back, ids stay good."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import cast

from sanya.suites.memory.graph.context import GraphContext, make_node_names
from sanya.suites.memory.graph.entity_resolution import EntityKind, EntityReference, make_stored_names
from sanya.suites.memory.parsing.names import make_name_key, take_initials
from sanya.suites.memory.storage.records import MemoryEdge, MemoryNode, NodeName, fold_name

BY_INITIALS = "initials in a list with the same companions"
_MOST_ALIASES = 20
_MERGED = """
SELECT n.id, n.properties FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id
WHERE m.namespace = ? AND m.folded = ? AND n.merged_into IS NOT NULL ORDER BY n.id"""


async def add_alias(thread: GraphContext, node: MemoryNode, named: EntityReference) -> MemoryNode:
    """The node knows this writing of its name from now on."""
    written = {node.name.casefold(), *(alias.casefold() for alias in node.aliases)}
    if named.name.casefold() in written or len(node.aliases) >= _MOST_ALIASES:
        return node
    known = replace(node, aliases=(*node.aliases, named.name))
    await thread.writer.put(known)
    await thread.save(make_node_names(known, [named.name, *make_stored_names(named)]))
    return known


async def merge_entity(thread: GraphContext, node: MemoryNode, target_id: str, because: str) -> MemoryNode:
    """One entity turns out to be another: its links move, each with the name as written, and its id stays good."""
    target = (await thread.reader.find_nodes(thread.namespace, [target_id]))[target_id]
    await thread.writer.put(
        replace(node, merged_into=target.id, properties={**node.properties, "merged_because": because})
    )
    for edge in await _find_edges(thread, node.id):
        await thread.writer.put(_move_edge(edge, node.id, target.id))
    return await add_alias(thread, target, EntityReference(node.name, cast(EntityKind, target.dynamic_type or "thing")))


async def undo_merge(thread: GraphContext, node: MemoryNode) -> None:
    """Undoes a merge: the links that were written with this name are its own again."""
    target = (await thread.reader.find_nodes(thread.namespace, [str(node.merged_into)]))[str(node.merged_into)]
    for edge in await _find_edges(thread, target.id):
        if make_name_key(str(edge.properties.get("written", ""))) == node.properties["key"]:
            await thread.writer.put(_move_edge(edge, target.id, node.id))
    aliases = tuple(one for one in target.aliases if make_name_key(one) != node.properties["key"])
    await thread.writer.put(replace(target, aliases=aliases))
    for gone in {fold_name(node.name), str(node.properties["key"])}:
        await thread.writer.remove(NodeName(thread.namespace, gone, target.id))
    kept = {name: value for name, value in node.properties.items() if name != "merged_because"}
    await thread.writer.put(replace(node, merged_into=None, properties=kept))
    first, second = sorted((node.id, target.id))
    await thread.save([thread.make_edge(first, "possibly_same", second, share=0.5)])


async def undo_initials_merges(thread: GraphContext, newcomer: MemoryNode) -> None:
    """Initials that were one person's are nobody's for sure once another person has them too."""
    key = str(newcomer.properties.get("key", ""))
    if newcomer.dynamic_type != "person" or " " not in key:
        return
    for identity, properties in await thread.writer.transaction.fetch(_MERGED, (thread.namespace, take_initials(key))):
        if json.loads(str(properties)).get("merged_because") == BY_INITIALS:
            node = (await thread.reader.find_nodes(thread.namespace, [str(identity)]))[str(identity)]
            await undo_merge(thread, node)
            first, second = sorted((node.id, newcomer.id))
            await thread.save([thread.make_edge(first, "possibly_same", second, share=0.5)])


async def _find_edges(thread: GraphContext, identity: str) -> list[MemoryEdge]:
    out = await thread.reader.find_edges_from(thread.namespace, [identity])
    return [*out, *await thread.reader.find_edges_to(thread.namespace, [identity])]


def _move_edge(edge: MemoryEdge, before: str, after: str) -> MemoryEdge:
    return replace(
        edge,
        from_id=after if edge.from_id == before else edge.from_id,
        to_id=after if edge.to_id == before else edge.to_id,
    )
