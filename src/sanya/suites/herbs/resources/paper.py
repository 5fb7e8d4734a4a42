"""paper://pmid/{id}: what the graph knows of one paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sanya.suite import Caller, Content, Context, NotFound, Resource
from sanya.suites.herbs.graph.model import HerbEdge, HerbNode
from sanya.suites.herbs.graph.store import SUITE, HerbStore
from sanya.suites.herbs.resources.completion import MAX_COMPLETIONS
from sanya.suites.herbs.resources.contract import PaperResource

_PMID = re.compile(r"\d{1,9}")


def define_paper_resource(store: HerbStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        pmid = parts["id"].strip()
        node = await store.get_node(f"pmid:{pmid}") if _PMID.fullmatch(pmid) else None
        if node is None:
            raise NotFound(f"the graph has no paper with the PubMed id {pmid[:80]!r}")
        about = await store.list_edges_to([node.id], ["mentioned_in"])
        return Content(data=_to_paper(node, about).model_dump(mode="json"))

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        ids = await store.complete_ids("paper", f"pmid:{text}", MAX_COMPLETIONS)
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


def _to_paper(node: HerbNode, about: Sequence[HerbEdge]) -> PaperResource:
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
