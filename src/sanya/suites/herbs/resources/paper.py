"""paper://pmid/{id}: what the graph knows of one paper, filled from its record where the papers suite stores it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sanya.suite import Caller, Content, Context, NotFound, Resource
from sanya.suite.citations import StandingRecord, StoredPaper, read_standings
from sanya.suites.herbs.graph.model import HerbEdge, HerbNode
from sanya.suites.herbs.graph.store import SUITE, HerbStore
from sanya.suites.herbs.resources.completion import MAX_COMPLETIONS
from sanya.suites.herbs.resources.contract import PaperResource

_PMID = re.compile(r"\d{1,9}")
_PAPERS_SCOPE = "papers:read"
_SYNC_ADVICE = "`sanya herbs papers --sync` brings the records of all papers that the graph cites from PubMed."


def define_paper_resource(store: HerbStore) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        pmid = parts["id"].strip()
        node = await store.get_node(f"pmid:{pmid}") if _PMID.fullmatch(pmid) else None
        if node is None:
            raise NotFound(
                f"the graph has no paper with the PubMed id {pmid[:80]!r}; papers that only the papers suite has are "
                "read as resource://pubmed/paper/{pmid}"
            )
        about = await store.list_edges_to([node.id], ["mentioned_in"])
        stored = await store.read_paper(pmid) if store.read_paper and context.caller.may(_PAPERS_SCOPE) else None
        standings = await read_standings(store.database, [f"pmid:{pmid}"])
        paper = _to_paper(node, about, stored, standings.get(f"pmid:{pmid}"))
        return Content(data=paper.model_dump(mode="json"))

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        ids = await store.complete_ids("paper", f"pmid:{text}", MAX_COMPLETIONS)
        return [id.removeprefix("pmid:") for id in ids]

    return Resource(
        uri="paper://pmid/{id}",
        suite=SUITE,
        name="paper",
        title="One paper",
        description="What the graph knows of a study, by PubMed id, with its abstract where the paper is stored here.",
        read=read,
        complete={"id": complete},
    )


def _to_paper(
    node: HerbNode, about: Sequence[HerbEdge], stored: StoredPaper | None, standing: StandingRecord | None
) -> PaperResource:
    data = node.data
    known: dict[str, Any] = {
        "title": (stored and stored.title) or node.label_en or "",
        "abstract": (stored and stored.abstract) or data.get("abstract", ""),
        "authors": list((stored and stored.authors) or data.get("authors", ())),
        "journal": (stored and stored.journal) or data.get("journal", ""),
        "year": (stored and stored.year) or data.get("year"),
    }
    missing = [name for name, value in known.items() if not value]
    return PaperResource(
        pmid=data["pmid"],
        **known,
        links=[f"https://pubmed.ncbi.nlm.nih.gov/{data['pmid']}/"],
        about=[edge.from_id for edge in about],
        missing=missing,
        doi=stored.doi if stored else None,
        stored=stored is not None,
        standing=standing.standing if standing else None,
        advice=_SYNC_ADVICE if missing and stored is None else None,
        review=node.review,
        note=node.note,
    )
