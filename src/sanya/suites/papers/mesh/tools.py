"""Handler of `papers.mesh`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanya.suite import Context, Example, Tool
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.indexing.paper_facts import PaperFacts
from sanya.suites.papers.mesh import contract
from sanya.suites.papers.mesh.heading_search import HeadingMatch, HeadingSearch
from sanya.suites.papers.mesh.headings import Heading, Headings, TreePlace
from sanya.suites.papers.prompts import NAME
from sanya.suites.papers.tools import PaperTools

_FIRST_CALL_MS = 120_000  # the first call stores the samples
_READ_FOR_S = 2.0
_NO_TREE = (
    "The tree, entry terms and scope notes are MeSH's own: download desc20XX.xml from NLM and "
    "`sanya papers mesh import FILE` adds them."
)


@dataclass(frozen=True, slots=True)
class MeshTools:
    papers: PaperTools
    facts: PaperFacts
    headings: Headings
    search: HeadingSearch

    async def describe(self, request: contract.MeshInput, context: Context) -> contract.MeshAnswer:
        del context
        await self.papers.resolve_state(None)  # a new home stores its samples first
        unread = await self.facts.catch_up(_READ_FOR_S)
        match = await self.search.find(request.term)
        release = await self.headings.read_release()
        if match.heading is None:
            return contract.MeshAnswer(
                term=request.term,
                status="ambiguous" if match.is_named else "not_found",
                heading=None,
                candidates=await self._list_candidates(match.candidates),
                unread=unread,
                advice=_advise(match, release),
            )
        heading = await self._describe(match.heading, match, request.limit)
        advice = _NO_TREE if release is None else None
        return contract.MeshAnswer(
            term=request.term, status="found", heading=heading, candidates=[], unread=unread, advice=advice
        )

    async def _describe(self, heading: Heading, match: HeadingMatch, limit: int) -> contract.MeshHeadingEntry:
        numbers = await self.headings.list_tree_numbers(heading.ui)
        scope_note, release = await self.headings.read_details(heading.ui)
        papers, major = await self.headings.count_major(heading.ui)
        broader = await self._count_neighbours(await self.headings.list_broader(numbers))
        narrower = await self._count_neighbours(await self.headings.list_narrower(numbers))
        return contract.MeshHeadingEntry(
            ui=heading.ui,
            name=heading.name,
            matched=match.matched,
            scope_note=scope_note,
            tree_numbers=numbers,
            entry_terms=await self.headings.list_entry_terms(heading.ui),
            other_names=list(self.search.load_synonyms().find_other_names(heading.name)),
            broader=broader,
            narrower=narrower,
            qualifiers=[
                contract.MeshQualifier(**qualifier._asdict())
                for qualifier in await self.headings.list_qualifiers(heading.ui)
            ],
            papers=papers,
            major=major,
            papers_below=await self.headings.count_below(numbers) if numbers else None,
            documents=await self._list_documents(heading.ui, limit),
            release=release,
        )

    async def _count_neighbours(self, places: Sequence[TreePlace]) -> list[contract.MeshNeighbour]:
        counts = await self.headings.count_papers(place.ui for place in places)
        return [
            contract.MeshNeighbour(
                ui=place.ui, name=place.name, tree_number=place.number, papers=counts.get(place.ui, 0)
            )
            for place in places
        ]

    async def _list_documents(self, ui: str, limit: int) -> list[contract.MeshPaper]:
        papers = await self.headings.list_papers(ui, limit)
        docs = await self.papers.store.get_pubmed_docs(list(papers))
        return [
            contract.MeshPaper(
                doc_id=f"pmid:{pmid}",
                title=doc.record.title or doc.record.vernacular_title,
                year=doc.record.year,
                major=papers[pmid],
                retracted=doc.record.is_retracted,
            )
            for pmid, doc in docs.items()
        ]

    async def _list_candidates(self, headings: Sequence[Heading]) -> list[contract.MeshCandidate]:
        counts = await self.headings.count_papers(heading.ui for heading in headings)
        return [
            contract.MeshCandidate(ui=heading.ui, name=heading.name, papers=counts.get(heading.ui, 0))
            for heading in headings
        ]


def _advise(match: HeadingMatch, release: str | None) -> str:
    if match.candidates:
        return "Ask again with one of the candidates."
    if release is None:
        return f"No stored paper has such a heading. Search the abstracts with rag.search. {_NO_TREE}"
    return f"Neither MeSH ({release}) nor a stored paper has such a heading. Search the abstracts with rag.search."


def build_mesh_tools(tools: MeshTools) -> tuple[Tool, ...]:
    return (
        Tool(
            name="papers.mesh",
            suite=NAME,
            dialect=DIALECT,
            timeout_ms=_FIRST_CALL_MS,
            title="Look up a MeSH heading",
            description="Shows a subject heading of MeSH: other names, place in the tree, and the stored papers under "
            "it. For papers on a question use rag.search; it never invents a tree number.",
            input=contract.MeshInput,
            specialist=True,
            output=contract.MeshAnswer,
            handler=tools.describe,
            examples=(Example("Of a design", {"term": "Double-Blind Method", "limit": 3}),),
        ),
    )
