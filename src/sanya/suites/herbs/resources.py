"""kg://herb/{id} and paper://pmid/{id}, and what completes their ids: ids and names in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sanya.kernel.call import Caller, Context
from sanya.kernel.faults import NotFound
from sanya.kernel.suite import Completer, Content, Resource
from sanya.suites.herbs.graph import WARNING_EDGES, Edge, Node, NodeType
from sanya.suites.herbs.names import Exact, Names
from sanya.suites.herbs.node_resource import node_resource
from sanya.suites.herbs.resource_contract import (
    HerbConstituent,
    HerbFormulation,
    HerbIndication,
    HerbNames,
    HerbResource,
    PaperResource,
)
from sanya.suites.herbs.store import SUITE, HerbStore

_COMPLETIONS = 20
_PMID = re.compile(r"\d{1,9}")


def resources(store: HerbStore) -> tuple[Resource, ...]:
    # The herb first: a URI is read by the first resource that it fits.
    return (_herb_resource(store), _paper_resource(store), node_resource(store))


def completer(store: HerbStore, *types: NodeType) -> Completer:
    """Ids that begin with the text, then ids of nodes with a name that does: what is typed may be Thai or English."""

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        by_id = [id for type in types for id in await store.ids_beginning(type, text, _COMPLETIONS)]
        named = await Names(store).beginning(text, types, _COMPLETIONS)
        return list(dict.fromkeys([*by_id, *(node.id for _, node in named)]))[:_COMPLETIONS]

    return complete


def _herb_resource(store: HerbStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        found = await Names(store).resolve(parts["id"], ["herb"])
        if not (isinstance(found, Exact) and found.is_sure):
            named = ", ".join(f"{one.node.id} ({one.node.label})" for one in found.candidates)
            near = f"; perhaps {named}" if named else ""
            raise NotFound(f"no one herb has the id or name {parts['id'][:80]!r}{near}")
        herb = await read_herb(store, found.node)
        return Content(data=herb.model_dump(mode="json", by_alias=True))

    return Resource(
        uri="kg://herb/{id}",
        suite=SUITE,
        name="herb",
        title="One herb",
        description="A herb by id or unambiguous name: names, parts, constituents, uses, sources.",
        read=read,
        complete={"id": completer(store, "herb")},
    )


async def read_herb(store: HerbStore, node: Node) -> HerbResource:
    edges = await store.edges(node.id)
    others = await store.nodes_by_id(edge.other(node.id) for edge in edges)
    names = await store.names([node.id])
    of_type: dict[str, list[Edge]] = {}
    for edge in edges:
        of_type.setdefault(edge.type, []).append(edge)
    return HerbResource(
        id=node.id,
        names=HerbNames(
            th=node.label_th or "",
            en=node.label_en or "",
            la=node.data.get("latin_name", ""),
            others=[name.name for name in names if name.kind in ("alias", "synonym")],
        ),
        parts=list(node.data.get("parts", ())),
        constituents=[_constituent(edge, others[edge.to_id]) for edge in of_type.get("contains", ())],
        indications=[_indication(edge, others[edge.to_id]) for edge in of_type.get("treats", ())],
        sources=list(node.sources),
        formulations=[_formulation(edge, others[edge.to_id]) for edge in of_type.get("part_of", ())],
        warnings=(await store.count_facts([node.id], WARNING_EDGES)).get(node.id, 0),
        papers=[edge.to_id.removeprefix("pmid:") for edge in of_type.get("mentioned_in", ())],
        basis=node.basis,
        review=node.review,
        note=node.note,
    )


def _constituent(edge: Edge, node: Node) -> HerbConstituent:
    name = node.label_en or node.label
    return HerbConstituent(id=node.id, name=name, basis=edge.basis, sources=list(edge.sources))


def _indication(edge: Edge, node: Node) -> HerbIndication:
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


def _formulation(edge: Edge, node: Node) -> HerbFormulation:
    return HerbFormulation(id=node.id, name=node.label, part=edge.data.get("part"), amount=edge.data.get("amount"))


def _paper_resource(store: HerbStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        pmid = parts["id"].strip()
        node = await store.node(f"pmid:{pmid}") if _PMID.fullmatch(pmid) else None
        if node is None:
            raise NotFound(f"no paper of the graph has the PubMed id {pmid[:80]!r}")
        about = await store.edges_to([node.id], ["mentioned_in"])
        return Content(data=_paper(node, about).model_dump(mode="json"))

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        ids = await store.ids_beginning("paper", f"pmid:{text}", _COMPLETIONS)
        return [id.removeprefix("pmid:") for id in ids]

    return Resource(
        uri="paper://pmid/{id}",
        suite=SUITE,
        name="paper",
        title="One paper",
        description="What the graph knows of a study, by PubMed id.",
        read=read,
        complete={"id": complete},
    )


def _paper(node: Node, about: Sequence[Edge]) -> PaperResource:
    data = node.data
    known = {
        "title": node.label_en or "",
        "abstract": data.get("abstract", ""),
        "authors": list(data.get("authors", ())),
        "journal": data.get("journal", ""),
        "year": data.get("year"),
    }
    return PaperResource(
        pmid=data["pmid"],
        **known,
        links=[f"https://pubmed.ncbi.nlm.nih.gov/{data['pmid']}/"],
        about=[edge.from_id for edge in about],
        missing=[name for name, value in known.items() if not value],
        review=node.review,
        note=node.note,
    )
