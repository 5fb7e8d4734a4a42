"""Handlers of `papers.cite`, `papers.resolve` and `papers.related`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from sanya.suite import Context, Example, NotFound, ResourceLinks, Tool, UpstreamFailed
from sanya.suites.papers.citations.formats import FORMATTERS, join_bibliography
from sanya.suites.papers.citations.reference import Reference
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.prompts import NAME
from sanya.suites.papers.references import contract
from sanya.suites.papers.references.related_papers import RelatedPaper, RelatedPapers
from sanya.suites.papers.references.resolver import PaperResolver, Resolution, ResolvedPaper
from sanya.suites.papers.sample_ids import FIRST_SAMPLE, is_sample_id
from sanya.suites.papers.tools import PaperTools

_MOST_SHARED = 10
_FIRST_CALL_MS = 120_000  # the first call loads the models


@dataclass(frozen=True, slots=True)
class ReferenceTools:
    papers: PaperTools
    resolver: PaperResolver
    related: RelatedPapers

    async def cite(self, request: contract.CiteInput, context: Context) -> contract.CiteAnswer:
        del context
        state = await self.papers.resolve_state(request.checkpoint_id)
        docs = await self.papers.store.get_pubmed_docs([read_pmid(doc_id) for doc_id in request.doc_ids], state.seq)
        doc_ids = list(dict.fromkeys(request.doc_ids))
        found = [doc_id for doc_id in doc_ids if read_pmid(doc_id) in docs]
        if not found:
            raise NotFound(
                f"none of these papers is in this corpus ({', '.join(doc_ids[:3])}); sync them with "
                "pubmed.sync.incremental first",
                details={"doc_ids": doc_ids},
            )
        format_citation = FORMATTERS[request.format]
        references = [Reference(docs[read_pmid(doc_id)].record) for doc_id in found]
        citations = [
            contract.PaperCitation(
                doc_id=f"pmid:{reference.record.pmid}",
                text=format_citation(reference),
                retracted=reference.record.is_retracted,
                missing=list(reference.missing),
            )
            for reference in references
        ]
        return contract.CiteAnswer(
            format=request.format,
            text=join_bibliography(request.format, [citation.text for citation in citations]),
            citations=citations,
            not_found=[doc_id for doc_id in doc_ids if doc_id not in found],
        )

    async def resolve(self, request: contract.ResolveInput, context: Context) -> contract.ResolveAnswer:
        del context
        state = await self.papers.resolve_state(request.checkpoint_id)
        resolutions = [(text, await self.resolver.resolve(text, state)) for text in request.references]
        return contract.ResolveAnswer(resolutions=[_to_resolution(text, found) for text, found in resolutions])

    async def find_related(self, request: contract.RelatedInput, context: Context) -> contract.RelatedAnswer:
        del context
        state = await self.papers.resolve_state(request.checkpoint_id)
        doc = await self.papers.read_doc(request.doc_id, state)
        papers = await self.related.find(doc.record, request.limit, state)
        return contract.RelatedAnswer(
            doc_id=f"pmid:{doc.record.pmid}", documents=[_to_related_document(paper) for paper in papers]
        )


def read_pmid(doc_id: str) -> str:
    return doc_id.removeprefix("pmid:").lstrip("0") or "0"


def _to_resolution(text: str, resolution: Resolution) -> contract.ReferenceResolution:
    return contract.ReferenceResolution(
        reference=text,
        status=resolution.status,
        identifiers=[f"{identifier.kind}:{identifier.value}" for identifier in resolution.identifiers],
        papers=[_to_matched_paper(paper) for paper in resolution.papers],
        advice=_advise(resolution),
    )


def _advise(resolution: Resolution) -> str | None:
    if resolution.status == "found":
        return None
    if resolution.status == "ambiguous":
        return "Choose among papers, or give the PMID or DOI."
    pmids = [identifier.value for identifier in resolution.identifiers if identifier.kind == "pmid"]
    if pmids:
        return f"Not in this corpus. pubmed.fetch with pmid:{pmids[0]} brings it."
    dois = [identifier.value for identifier in resolution.identifiers if identifier.kind == "doi"]
    if dois:
        query = f"{dois[0]}[doi]"
        return f"Not in this corpus. pubmed.sync.incremental with the query '{query}' brings it if PubMed has it."
    return "No title in this corpus matches. Search with rag.search, or give its PMID or DOI."


def _to_matched_paper(paper: ResolvedPaper) -> contract.MatchedPaper:
    record = paper.doc.record
    return contract.MatchedPaper(
        doc_id=f"pmid:{record.pmid}",
        matched_by=paper.matched_by,
        certainty=paper.certainty,
        title=record.title or record.vernacular_title,
        journal=record.journal,
        year=record.year,
        doi=record.doi,
        pmcid=record.pmcid,
        retracted=record.is_retracted,
    )


def _to_related_document(paper: RelatedPaper) -> contract.RelatedDocument:
    record = paper.doc.record
    return contract.RelatedDocument(
        doc_id=f"pmid:{record.pmid}",
        title=record.title or record.vernacular_title,
        journal=record.journal,
        year=record.year,
        retracted=record.is_retracted,
        sample=is_sample_id(record.pmid),
        score=paper.score,
        relations=[
            contract.PaperRelation(kind=relation.kind, values=list(relation.values), score=relation.score)
            for relation in paper.relations
        ],
        shared_references=list(paper.shared_references[:_MOST_SHARED]),
        shared_count=len(paper.shared_references),
    )


def build_reference_tools(tools: ReferenceTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT, timeout_ms=_FIRST_CALL_MS)
    sample = f"pmid:{FIRST_SAMPLE}"
    return (
        tool(
            name="papers.cite",
            title="Cite papers",
            description="Writes citations of stored papers: Vancouver, APA, BibTeX, RIS or CSL-JSON. To find "
            "papers use rag.search or papers.resolve; it names what PubMed lacks and never invents it.",
            input=contract.CiteInput,
            specialist=True,
            output=contract.CiteAnswer,
            handler=tools.cite,
            faults=(NotFound,),
            examples=(Example("A sample in BibTeX", {"doc_ids": [sample], "format": "bibtex"}),),
        ),
        tool(
            name="papers.resolve",
            title="Resolve references",
            description="Finds the stored papers that PMIDs, PMCIDs, DOIs, titles or pasted references name. For a "
            "topic use rag.search; it never guesses where several papers fit, it lists them.",
            input=contract.ResolveInput,
            specialist=True,
            output=contract.ResolveAnswer,
            handler=tools.resolve,
            examples=(Example("By PMID and by DOI", {"references": [sample, "doi:10.1056/NEJMoa1715274"]}),),
        ),
        tool(
            name="papers.related",
            title="Find related papers",
            description="Lists stored papers related to a given one, each with its reasons: citations, shared "
            "references and MeSH headings, similar text. For a question use rag.search; it never looks outside this "
            "corpus.",
            input=contract.RelatedInput,
            specialist=True,
            links=(ResourceLinks("documents.*", "resource://pubmed/paper/{doc_id}", "title", prefix="pmid:"),),
            left_out_in_short=(
                "documents.*.score",
                "documents.*.relations.*.score",
            ),
            output=contract.RelatedAnswer,
            handler=tools.find_related,
            faults=(NotFound, UpstreamFailed),
            examples=(Example("Beside a sample", {"doc_id": sample, "limit": 3}),),
        ),
    )
