"""kg://herb/{id}: one herb with its names, constituents, uses, formulations, warnings, doses and evidence."""

from __future__ import annotations

from collections.abc import Mapping

from sanya.suite import Content, Context, Resource
from sanya.suites.herbs.graph.model import WARNING_EDGES, HerbEdge, HerbNode
from sanya.suites.herbs.graph.store import SUITE, HerbStore
from sanya.suites.herbs.resources.completion import complete_ids
from sanya.suites.herbs.resources.contract import (
    HerbConstituent,
    HerbFormulation,
    HerbIndication,
    HerbNames,
    HerbResource,
)
from sanya.suites.herbs.resources.resolution import resolve_node
from sanya.suites.herbs.resources.safety import describe_safety


def define_herb_resource(store: HerbStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        herb = await describe_herb(store, await resolve_node(store, parts["id"], "herb"))
        return Content(data=herb.model_dump(mode="json", by_alias=True))

    return Resource(
        uri="kg://herb/{id}",
        suite=SUITE,
        name="herb",
        title="One herb",
        description="A herb by id or unambiguous name: names, parts, constituents, uses, warnings, doses, sources.",
        read=read,
        complete={"id": complete_ids(store, "herb")},
    )


async def describe_herb(store: HerbStore, node: HerbNode) -> HerbResource:
    edges = await store.list_edges(node.id, with_rejected=True)
    others = await store.get_nodes(edge.get_other_end(node.id) for edge in edges)
    names = await store.list_names([node.id])
    safety = await describe_safety(store, node, edges)
    edges_by_type: dict[str, list[HerbEdge]] = {}
    for edge in edges:
        edges_by_type.setdefault(edge.type, []).append(edge)
    return HerbResource(
        id=node.id,
        names=HerbNames(
            th=node.label_th or "",
            en=node.label_en or "",
            la=node.data.get("latin_name", ""),
            others=[name.name for name in names if name.kind in ("alias", "synonym")],
        ),
        parts=list(node.data.get("parts", ())),
        constituents=[_to_constituent(edge, others[edge.to_id]) for edge in edges_by_type.get("contains", ())],
        indications=[_to_indication(edge, others[edge.to_id]) for edge in edges_by_type.get("treats", ())],
        sources=list(node.sources),
        formulations=[_to_formulation(edge, others[edge.to_id]) for edge in edges_by_type.get("part_of", ())],
        warnings=(await store.count_facts([node.id], WARNING_EDGES)).get(node.id, 0),
        papers=[edge.to_id.removeprefix("pmid:") for edge in edges_by_type.get("mentioned_in", ())],
        basis=node.basis,
        review=node.review,
        note=node.note,
        statements=safety.warnings,
        dosing=safety.dosing,
        evidence=safety.evidence,
        references=safety.references,
        last_reviewed=safety.last_reviewed,
        rejected=safety.rejected,
    )


def _to_constituent(edge: HerbEdge, node: HerbNode) -> HerbConstituent:
    name = node.label_en or node.label
    return HerbConstituent(id=node.id, name=name, basis=edge.basis, sources=list(edge.sources))


def _to_indication(edge: HerbEdge, node: HerbNode) -> HerbIndication:
    return HerbIndication(
        icd_code=node.data.get("icd10", ""),
        description=edge.data.get("description_th", node.label),
        description_en=edge.data.get("description_en", node.label_en or ""),
        id=node.id,
        icd_basis=edge.data.get("icd10_basis"),
        evidence_level=edge.data.get("evidence_level"),
        review=edge.review,
        sources=list(edge.sources),
    )


def _to_formulation(edge: HerbEdge, node: HerbNode) -> HerbFormulation:
    return HerbFormulation(id=node.id, name=node.label, part=edge.data.get("part"), amount=edge.data.get("amount"))
