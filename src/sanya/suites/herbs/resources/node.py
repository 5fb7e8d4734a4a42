"""kg://{type}/{id}: any node of the graph with its statements, so that whatever an answer cites can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sanya.suite import Caller, Content, Context, NotFound, Resource
from sanya.suites.herbs.contract import format_decision
from sanya.suites.herbs.graph.model import NODE_TYPES, HerbEdge, HerbNode, NodeType
from sanya.suites.herbs.graph.name_resolver import NameResolver
from sanya.suites.herbs.graph.store import SUITE, HerbStore
from sanya.suites.herbs.resources.completion import MAX_COMPLETIONS
from sanya.suites.herbs.resources.contract import NodeResource, NodeStatement, to_source
from sanya.suites.herbs.resources.resolution import resolve_node
from sanya.suites.herbs.resources.safety import describe_safety

_MAX_STATEMENTS = 500


def define_node_resource(store: HerbStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        if parts["type"] not in NODE_TYPES:
            raise NotFound(f"the graph has no nodes of type {parts['type'][:40]!r}; it has {', '.join(NODE_TYPES)}")
        node = await resolve_node(store, parts["id"], parts["type"])
        return Content(data=(await describe_node(store, node)).model_dump(mode="json"))

    async def complete_type(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        return [type for type in NODE_TYPES if type.startswith(text)]

    async def complete_id(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del caller
        types = [cast(NodeType, chosen["type"])] if chosen.get("type") in NODE_TYPES else []
        by_id = await store.complete_ids(types[0], text, MAX_COMPLETIONS) if types else []
        names = await NameResolver(store).complete_names(text, types, MAX_COMPLETIONS)
        return list(dict.fromkeys([*by_id, *(node.id for _, node in names)]))[:MAX_COMPLETIONS]

    return Resource(
        uri="kg://{type}/{id}",
        suite=SUITE,
        name="node",
        title="One node of the herb graph",
        description="A formulation, constituent, drug, condition or other node, with what is said of it and by whom.",
        read=read,
        complete={"type": complete_type, "id": complete_id},
    )


async def describe_node(store: HerbStore, node: HerbNode) -> NodeResource:
    edges = await store.list_edges(node.id, limit=_MAX_STATEMENTS, with_rejected=True)
    others = await store.get_nodes(edge.get_other_end(node.id) for edge in edges)
    sources = await store.get_sources(node.sources)
    safety = await describe_safety(store, node, edges)
    return NodeResource(
        id=node.id,
        type=node.type,
        label=node.label,
        label_en=node.label_en,
        names=[name.name for name in await store.list_names([node.id])],
        details=dict(node.data),
        statements=[_to_statement(edge, node, others[edge.get_other_end(node.id)]) for edge in edges],
        sources=[to_source(sources[id]) for id in node.sources if id in sources],
        basis=node.basis,
        review=node.review,
        note=node.note,
        warnings=safety.warnings,
        dosing=safety.dosing,
        evidence=safety.evidence,
        references=safety.references,
        last_reviewed=safety.last_reviewed,
    )


def _to_statement(edge: HerbEdge, node: HerbNode, other: HerbNode) -> NodeStatement:
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
        decision=format_decision(edge.decision),
    )
