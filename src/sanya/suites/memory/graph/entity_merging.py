"""Merging of entities that turn out to be one, and undoing merges that turn out to be wrong. Ids stay valid."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import cast

from sanya.suites.memory.graph.context import GraphContext, make_node_names
from sanya.suites.memory.graph.entity_resolution import EntityReference, make_stored_names
from sanya.suites.memory.parsing.mentions import EntityKind
from sanya.suites.memory.parsing.names import make_name_key, take_initials
from sanya.suites.memory.storage.records import MemoryEdge, MemoryNode, NodeName, fold_name

BY_INITIALS = "initials in a list with the same companions"
_MAX_ALIASES = 20
_FIND_MERGED = """
SELECT n.id, n.properties FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id
WHERE m.namespace = ? AND m.folded = ? AND n.merged_into IS NOT NULL ORDER BY n.id"""


async def add_alias(context: GraphContext, node: MemoryNode, reference: EntityReference) -> MemoryNode:
    """Add the name as an alias of the node, so that it is found by it."""
    written = {node.name.casefold(), *(alias.casefold() for alias in node.aliases)}
    if reference.name.casefold() in written or len(node.aliases) >= _MAX_ALIASES:
        return node
    renamed = replace(node, aliases=(*node.aliases, reference.name))
    await context.writer.put(renamed)
    await context.save(make_node_names(renamed, [reference.name, *make_stored_names(reference)]))
    return renamed


async def merge_entity(context: GraphContext, node: MemoryNode, target_id: str, reason: str) -> MemoryNode:
    """Merge a node into another. Its edges move and keep the name as written, which is how `undo_merge` finds them."""
    target = (await context.reader.find_nodes(context.namespace, [target_id]))[target_id]
    await context.writer.put(
        replace(node, merged_into=target.id, properties={**node.properties, "merged_because": reason})
    )
    for edge in await _find_edges(context, node.id):
        await context.writer.put(_move_edge(edge, node.id, target.id))
    return await add_alias(
        context, target, EntityReference(node.name, cast(EntityKind, target.dynamic_type or "thing"))
    )


async def undo_merge(context: GraphContext, node: MemoryNode) -> None:
    """Undo a merge: the edges that were written with the name of the node move back."""
    target = (await context.reader.find_nodes(context.namespace, [str(node.merged_into)]))[str(node.merged_into)]
    for edge in await _find_edges(context, target.id):
        if make_name_key(str(edge.properties.get("written", ""))) == node.properties["key"]:
            await context.writer.put(_move_edge(edge, target.id, node.id))
    aliases = tuple(alias for alias in target.aliases if make_name_key(alias) != node.properties["key"])
    await context.writer.put(replace(target, aliases=aliases))
    for folded in {fold_name(node.name), str(node.properties["key"])}:
        await context.writer.remove(NodeName(context.namespace, folded, target.id))
    properties = {name: value for name, value in node.properties.items() if name != "merged_because"}
    await context.writer.put(replace(node, merged_into=None, properties=properties))
    first, second = sorted((node.id, target.id))
    await context.save([context.make_edge(first, "possibly_same", second, share=0.5)])


async def undo_initials_merges(context: GraphContext, newcomer: MemoryNode) -> None:
    """Undo merges by initials that another person has as well, so that they no longer identify anybody."""
    key = str(newcomer.properties.get("key", ""))
    if newcomer.dynamic_type != "person" or " " not in key:
        return
    for node_id, properties in await context.writer.transaction.fetch(
        _FIND_MERGED, (context.namespace, take_initials(key))
    ):
        if json.loads(str(properties)).get("merged_because") == BY_INITIALS:
            node = (await context.reader.find_nodes(context.namespace, [str(node_id)]))[str(node_id)]
            await undo_merge(context, node)
            first, second = sorted((node.id, newcomer.id))
            await context.save([context.make_edge(first, "possibly_same", second, share=0.5)])


async def _find_edges(context: GraphContext, node_id: str) -> list[MemoryEdge]:
    outgoing = await context.reader.find_edges_from(context.namespace, [node_id])
    return [*outgoing, *await context.reader.find_edges_to(context.namespace, [node_id])]


def _move_edge(edge: MemoryEdge, before: str, after: str) -> MemoryEdge:
    return replace(
        edge,
        from_id=after if edge.from_id == before else edge.from_id,
        to_id=after if edge.to_id == before else edge.to_id,
    )
