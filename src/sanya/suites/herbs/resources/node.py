"""kg://{type}/{id}: any node of the graph with what is said of it, so that whatever an answer cites can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sanya.kernel.call import Caller, Context
from sanya.kernel.faults import NotFound
from sanya.kernel.suite import Content, Resource
from sanya.suites.herbs.graph.model import NODE_TYPES, Edge, Node, NodeType, Source
from sanya.suites.herbs.graph.name_resolver import Exact, Names
from sanya.suites.herbs.graph.store import SUITE, HerbStore
from sanya.suites.herbs.resources.contract import CitedSource, NodeResource, NodeStatement

_MOST_STATEMENTS = 500
_COMPLETIONS = 20


def node_resource(store: HerbStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        if parts["type"] not in NODE_TYPES:
            raise NotFound(f"the graph has no nodes of type {parts['type'][:40]!r}; it has {', '.join(NODE_TYPES)}")
        type = parts["type"]
        found = await Names(store).resolve(parts["id"], [type])
        if not (isinstance(found, Exact) and found.is_sure):
            named = ", ".join(f"{one.node.id} ({one.node.label})" for one in found.candidates)
            near = f"; perhaps {named}" if named else ""
            raise NotFound(f"no one {type} has the id or name {parts['id'][:80]!r}{near}")
        return Content(data=(await read_node(store, found.node)).model_dump(mode="json"))

    async def complete_type(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        return [type for type in NODE_TYPES if type.startswith(text)]

    async def complete_id(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del caller
        types = [cast(NodeType, chosen["type"])] if chosen.get("type") in NODE_TYPES else []
        by_id = await store.ids_beginning(types[0], text, _COMPLETIONS) if types else []
        named = await Names(store).beginning(text, types, _COMPLETIONS)
        return list(dict.fromkeys([*by_id, *(node.id for _, node in named)]))[:_COMPLETIONS]

    return Resource(
        uri="kg://{type}/{id}",
        suite=SUITE,
        name="node",
        title="One node of the herb graph",
        description="A formulation, constituent, drug, condition or other node, with what is said of it and by whom.",
        read=read,
        complete={"type": complete_type, "id": complete_id},
    )


async def read_node(store: HerbStore, node: Node) -> NodeResource:
    edges = await store.edges(node.id, limit=_MOST_STATEMENTS)
    others = await store.nodes_by_id(edge.other(node.id) for edge in edges)
    sources = await store.sources(node.sources)
    return NodeResource(
        id=node.id,
        type=node.type,
        label=node.label,
        label_en=node.label_en,
        names=[name.name for name in await store.names([node.id])],
        details=dict(node.data),
        statements=[_statement(edge, node, others[edge.other(node.id)]) for edge in edges],
        sources=[_source(sources[id]) for id in node.sources if id in sources],
        basis=node.basis,
        review=node.review,
        note=node.note,
    )


def _statement(edge: Edge, node: Node, other: Node) -> NodeStatement:
    return NodeStatement(
        type=edge.type,
        outward=edge.from_id == node.id,
        other=other.id,
        label=other.label,
        strength=edge.strength,
        basis=edge.basis,
        review=edge.review,
        note=edge.note,
        sources=list(edge.sources),
        details=dict(edge.data),
    )


def _source(source: Source) -> CitedSource:
    return CitedSource(id=source.id, title=source.title, year=source.year, url=source.url, review=source.review)
