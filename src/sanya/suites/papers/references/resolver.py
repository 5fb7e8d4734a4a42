"""Resolves what people paste (a PMID, PMCID, DOI, address, title or whole reference) to papers of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sanya.suite.text import PaperIdentifier, find_identifiers
from sanya.suites.papers.corpus import CorpusState
from sanya.suites.papers.references.title_match import POSSIBLE, SURE, compare_reference
from sanya.suites.papers.search.paper_search import PaperFilter, PaperQuery, PaperSearch
from sanya.suites.papers.store import Doc, PaperStore

ReferenceStatus = Literal["found", "ambiguous", "not_found"]
ResolutionKind = Literal["pmid", "pmcid", "doi", "text"]

_CANDIDATES = 10
_MAX_TEXT = 2000


@dataclass(frozen=True, slots=True)
class ResolvedPaper:
    doc: Doc
    matched_by: ResolutionKind
    certainty: float


@dataclass(frozen=True, slots=True)
class Resolution:
    status: ReferenceStatus
    identifiers: tuple[PaperIdentifier, ...]
    papers: tuple[ResolvedPaper, ...]


@dataclass(frozen=True, slots=True)
class PaperResolver:
    store: PaperStore
    search: PaperSearch

    async def resolve(self, text: str, state: CorpusState) -> Resolution:
        """Return the paper that the text names; several where it could name each of them.

        An identifier decides. If the text has identifiers and none of them is in the corpus, nothing is guessed from
        its words: the paper is known by name, and is not here.
        """
        identifiers = tuple(find_identifiers(text))
        if identifiers:
            papers = await self._find_identified(identifiers, state)
        else:
            papers = await self._find_by_words(text, state)
        return Resolution(_judge(papers), identifiers, tuple(papers))

    async def _find_identified(
        self, identifiers: tuple[PaperIdentifier, ...], state: CorpusState
    ) -> list[ResolvedPaper]:
        found: dict[str, ResolvedPaper] = {}
        for identifier in identifiers:
            for doc in await self._read_docs(identifier, state):
                found.setdefault(doc.record.pmid, ResolvedPaper(doc, identifier.kind, 1.0))
        return list(found.values())

    async def _read_docs(self, identifier: PaperIdentifier, state: CorpusState) -> list[Doc]:
        if identifier.kind == "pmid":
            doc = await self.store.get_pubmed_doc(identifier.value, state.seq)
            return [doc] if doc else []
        return await self.store.find_identified_docs(identifier.kind, identifier.value, state.seq)

    async def _find_by_words(self, text: str, state: CorpusState) -> list[ResolvedPaper]:
        query = PaperQuery(
            text=text[:_MAX_TEXT],
            limit=_CANDIDATES,
            mode="bm25",
            alpha=0.0,
            paper_filter=PaperFilter(),
            by_quality=False,
            enhance=False,
            returns_chunks=False,
            demotes_retracted=False,
        )
        hits = (await self.search.find(query, state)).hits
        docs = await self.store.get_pubmed_docs([hit.best.indexed.pmid for hit in hits], state.seq)
        papers = [ResolvedPaper(doc, "text", compare_reference(text, doc.record)) for doc in docs.values()]
        possible = [paper for paper in papers if paper.certainty >= POSSIBLE]
        possible.sort(key=lambda paper: (-paper.certainty, int(paper.doc.record.pmid)))
        sure = [paper for paper in possible if paper.certainty >= SURE]
        return sure or possible


def _judge(papers: list[ResolvedPaper]) -> ReferenceStatus:
    if not papers:
        return "not_found"
    return "found" if len(papers) == 1 and papers[0].certainty >= SURE else "ambiguous"
