"""Shapes of `papers.cite`, `papers.resolve` and `papers.related`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sanya.suite import DetailedRequest, Integer, Shape, Text
from sanya.suites.papers.citations.formats import CitationFormat
from sanya.suites.papers.contract import CheckpointId
from sanya.suites.papers.references.related_papers import RelationKind
from sanya.suites.papers.references.resolver import ReferenceStatus, ResolutionKind

PaperId = Annotated[str, Field(pattern=r"^pmid:[0-9]+$")]


class CiteInput(Shape):
    doc_ids: Annotated[list[PaperId], Field(min_length=1, max_length=100)]
    """Papers in the order to cite them, e.g. ["pmid:12345"]"""
    format: CitationFormat = "vancouver"
    """Style or file format, e.g. bibtex"""
    checkpoint_id: CheckpointId | None = None
    """Cite the versions of this checkpoint, e.g. cp_samples"""


class PaperCitation(Shape):
    doc_id: str
    """pmid:N"""
    text: str
    """The citation"""
    retracted: bool
    """Whether the paper was retracted; the citation says so"""
    missing: list[str]
    """Parts of a citation that PubMed does not give"""


class CiteAnswer(Shape):
    format: CitationFormat
    """The format"""
    text: str
    """The whole bibliography, ready to save or paste"""
    citations: list[PaperCitation]
    """Each citation, in the order of doc_ids"""
    not_found: list[str]
    """Those of doc_ids that are not in this corpus"""


class ResolveInput(Shape):
    references: Annotated[
        list[Annotated[Text, Field(min_length=1, max_length=2000)]], Field(min_length=1, max_length=50)
    ]
    """PMIDs, PMCIDs, DOIs, titles or references, e.g. 10.1056/NEJMoa1715274"""
    checkpoint_id: CheckpointId | None = None
    """Resolve in this checkpoint, e.g. cp_samples"""


class MatchedPaper(Shape):
    doc_id: str
    """pmid:N, for rag.get and papers.cite"""
    matched_by: ResolutionKind
    """What decided"""
    certainty: float
    """How surely it is this paper, 0 to 1"""
    title: str | None
    """Title"""
    journal: str | None
    """Journal"""
    year: int | None
    """Year of publication"""
    doi: str | None
    """DOI"""
    pmcid: str | None
    """PubMed Central ID"""
    retracted: bool
    """Whether it was retracted"""


class ReferenceResolution(Shape):
    reference: str
    """What was given"""
    status: ReferenceStatus
    """found, ambiguous (choose among papers), or not_found"""
    identifiers: list[str]
    """Identifiers that were read in it, e.g. doi:10.1/x"""
    papers: list[MatchedPaper]
    """The paper, or the candidates, the surest first"""
    advice: str | None
    """What to do next, where it was not found"""


class ResolveAnswer(Shape):
    resolutions: list[ReferenceResolution]
    """One for each reference, in their order"""


class RelatedInput(DetailedRequest):
    doc_id: PaperId
    """Id of the paper to start from, e.g. pmid:12345"""
    limit: Annotated[Integer, Field(ge=1, le=50)] = 10
    """Most papers to return, e.g. 10"""
    checkpoint_id: CheckpointId | None = None
    """Answer as of this checkpoint, e.g. cp_samples"""


class PaperRelation(Shape):
    kind: RelationKind
    """link: a notice, a citation or shared references; mesh: shared headings; text: similar words and meaning"""
    values: list[str]
    """Shared headings, or kinds of link (cites, cited_by, shared_references, …); empty for text"""
    score: float
    """Its part of the score"""


class RelatedDocument(Shape):
    doc_id: str
    """pmid:N"""
    title: str | None
    """Title"""
    journal: str | None
    """Journal"""
    year: int | None
    """Year of publication"""
    retracted: bool
    """Whether it was retracted"""
    sample: bool
    """Whether it is one of our samples, not a paper"""
    score: float
    """The order: the sum of the relations"""
    relations: list[PaperRelation]
    """Why it is related"""
    shared_references: list[str] = Field(default=[])
    """Works that both cite, in the order of the given paper: pmid:N, doi:… or pmcid:…"""
    shared_count: int = 0
    """How many works both cite"""


class RelatedAnswer(Shape):
    doc_id: str
    """The paper that was given"""
    documents: list[RelatedDocument]
    """Related papers, the closest first"""
