"""The papers suite's own records of the papers that an answer about evidence cites.

A suite does not import another: the record comes through the kernel's port, and only for callers who may read papers.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanya.suite import Caller
from sanya.suite.citations import PaperReader, StoredPaper
from sanya.suites.herbs.answers.contract import Citation, CitedSource
from sanya.suites.herbs.graph.model import HerbGraph

_SCOPE = "papers:read"
_MAX_PAPERS = 20


async def add_stored_papers(
    citations: Sequence[Citation], graph: HerbGraph, read_paper: PaperReader | None, caller: Caller
) -> list[Citation]:
    """Return the citations with the title, the journal, the year and the address of each paper that is stored here."""
    if read_paper is None or not caller.may(_SCOPE):
        return list(citations)
    pmids = graph.list_pmids(source.id for citation in citations for source in citation.sources)
    stored = {pmid: paper for pmid in list(pmids)[:_MAX_PAPERS] if (paper := await read_paper(pmid))}
    return [
        citation.model_copy(update={"sources": [_add_record(source, graph, stored) for source in citation.sources]})
        for citation in citations
    ]


def _add_record(source: CitedSource, graph: HerbGraph, stored: dict[str, StoredPaper]) -> CitedSource:
    cited = graph.sources.get(source.id)
    paper = stored.get(cited.pmid) if cited and cited.pmid else None
    if paper is None:
        return source
    record = {"paper_uri": f"resource://pubmed/paper/{paper.pmid}", "journal": paper.journal, "year": paper.year}
    return source.model_copy(update={**record, "title": paper.title or source.title})
