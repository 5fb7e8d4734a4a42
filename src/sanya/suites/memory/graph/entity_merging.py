"""Entities that turn out to be one, and merges that turn out to be wrong: links move there and back, ids stay good."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import cast

from sanya.suites.memory.graph.context import Thread, names_of
from sanya.suites.memory.graph.entity_resolution import EntityKind, Named, kept_names
from sanya.suites.memory.parsing.names import initials, name_key
from sanya.suites.memory.storage.records import Edge, Name, Node, fold_name

BY_INITIALS = "initials in a list with the same companions"
_MOST_ALIASES = 20
_MERGED = """
SELECT n.id, n.properties FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id
WHERE m.namespace = ? AND m.folded = ? AND n.merged_into IS NOT NULL ORDER BY n.id"""


async def with_alias(thread: Thread, node: Node, named: Named) -> Node:
    """The node knows this writing of its name from now on."""
    written = {node.name.casefold(), *(alias.casefold() for alias in node.aliases)}
    if named.name.casefold() in written or len(node.aliases) >= _MOST_ALIASES:
        return node
    known = replace(node, aliases=(*node.aliases, named.name))
    await thread.writer.put(known)
    await thread.save(names_of(known, [named.name, *kept_names(named)]))
    return known


async def merge_into(thread: Thread, node: Node, target_id: str, because: str) -> Node:
    """One entity turns out to be another: its links move, each with the name as written, and its id stays good."""
    target = (await thread.reader.nodes(thread.namespace, [target_id]))[target_id]
    await thread.writer.put(
        replace(node, merged_into=target.id, properties={**node.properties, "merged_because": because})
    )
    for edge in await _edges(thread, node.id):
        await thread.writer.put(_moved(edge, node.id, target.id))
    return await with_alias(thread, target, Named(node.name, cast(EntityKind, target.dynamic_type or "thing")))


async def take_back(thread: Thread, node: Node) -> None:
    """Undoes a merge: the links that were written with this name are its own again."""
    target = (await thread.reader.nodes(thread.namespace, [str(node.merged_into)]))[str(node.merged_into)]
    for edge in await _edges(thread, target.id):
        if name_key(str(edge.properties.get("written", ""))) == node.properties["key"]:
            await thread.writer.put(_moved(edge, target.id, node.id))
    aliases = tuple(one for one in target.aliases if name_key(one) != node.properties["key"])
    await thread.writer.put(replace(target, aliases=aliases))
    for gone in {fold_name(node.name), str(node.properties["key"])}:
        await thread.writer.remove(Name(thread.namespace, gone, target.id))
    kept = {name: value for name, value in node.properties.items() if name != "merged_because"}
    await thread.writer.put(replace(node, merged_into=None, properties=kept))
    first, second = sorted((node.id, target.id))
    await thread.save([thread.edge(first, "possibly_same", second, share=0.5)])


async def take_back_initials(thread: Thread, newcomer: Node) -> None:
    """Initials that were one person's are nobody's for sure once another person has them too."""
    key = str(newcomer.properties.get("key", ""))
    if newcomer.dynamic_type != "person" or " " not in key:
        return
    for identity, properties in await thread.writer.transaction.fetch(_MERGED, (thread.namespace, initials(key))):
        if json.loads(str(properties)).get("merged_because") == BY_INITIALS:
            node = (await thread.reader.nodes(thread.namespace, [str(identity)]))[str(identity)]
            await take_back(thread, node)
            first, second = sorted((node.id, newcomer.id))
            await thread.save([thread.edge(first, "possibly_same", second, share=0.5)])


async def _edges(thread: Thread, identity: str) -> list[Edge]:
    out = await thread.reader.edges_from(thread.namespace, [identity])
    return [*out, *await thread.reader.edges_to(thread.namespace, [identity])]


def _moved(edge: Edge, before: str, after: str) -> Edge:
    return replace(
        edge,
        from_id=after if edge.from_id == before else edge.from_id,
        to_id=after if edge.to_id == before else edge.to_id,
    )
