"""Shapes of the reading tools.

Objects that the published contract closes keep exactly its fields. Fields of our own stand only in the documents of a
search, which the contract leaves open.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.suite import DetailedRequest, Integer, Shape, Text
from sanya.suites.papers.indexing.sections import SectionName

CheckpointId = Annotated[Text, Field(min_length=1)]

# The contract's default is 0.5. Left out, alpha is the balance that measured best for the language, not an even one.
Alpha = Annotated[Annotated[float, Field(ge=0.0, le=1.0)] | None, Field(json_schema_extra={"default": 0.5})]

PrimaryQuery = Annotated[Text, Field(min_length=1, max_length=2000)]


class SearchFilters(Shape):
    date_from: Text | None = None
    """First publication day, e.g. 2020-01-31 or 2563"""
    date_to: Text | None = None
    """Last publication day, e.g. 2024"""
    journals: list[Text] | None = None
    """Full or abbreviated names, e.g. ["Lancet"]"""
    sections: Annotated[list[SectionName], Field(max_length=9)] | None = None
    """Only these sections, e.g. ["methods"]"""


class SearchInput(DetailedRequest):
    query: Annotated[Text, Field(min_length=1)]
    """Question or topic, e.g. curcumin osteoarthritis"""
    top_k: Annotated[Integer, Field(ge=1, le=50)] = 10
    """Most results to return, e.g. 5"""
    search_mode: Literal["hybrid", "semantic", "bm25"] = "hybrid"
    """bm25: words; semantic: meaning; hybrid: both"""
    alpha: Alpha = None
    """0 words, 1 meaning; else best measured"""
    rerank_by_quality: bool = True
    """true: better, newer studies first"""
    return_chunks: bool = False
    """true: passages, not abstracts"""
    enhance_query: bool = True
    """true: synonyms as well"""
    filters: SearchFilters | None = None
    """All must hold, e.g. {"date_from": "2020"}"""
    checkpoint_id: CheckpointId | None = None
    """Answer as of this checkpoint, e.g. cp_samples"""


class ScoreParts(Shape):
    words: float
    """By words"""
    meaning: float
    """By meaning"""
    section: float
    """For the section it stands in"""
    quality: float
    """For design, journal and human subjects"""
    recency: float
    """For its age at the corpus's date"""
    retraction: float
    """Below 0 for a retracted paper"""


class PassageQuotation(Shape):
    pmcid: str
    """PubMed Central ID"""
    paragraph: int
    """Its number in the article, for a quotation"""
    section: SectionName
    """Its section"""
    headings: list[str]
    """Headings above it, the outermost first"""
    kind: str
    """text, figure or table"""
    text: str
    """The paragraph, word for word"""
    licence: str
    """Licence of the article, e.g. CC BY 4.0"""
    source_url: str
    """Where PubMed Central has it"""


class FoundDocument(Shape):
    uuid: str
    """UUID of the chunk, of a paper that of its best one"""
    doc_id: str
    """pmid:N, for rag.get"""
    pmid: str
    """PubMed ID"""
    chunk_id: str
    """The chunk, of a paper its best one"""
    section: SectionName
    """The section that it belongs to"""
    title: str | None
    """Title"""
    abstract: str | None
    """Abstract, or the chunk's text"""
    score: float
    """The order: the sum of score_parts"""
    score_parts: ScoreParts
    """What the score is made of, in the order of summation"""
    relevance: float | None
    """How likely it answers the query, 0-1, whatever else was found"""
    sim: float
    """Cosine similarity"""
    bm25: float
    """BM25 score"""
    quality: int
    """Quality, 0-9"""
    journal: str | None
    """Journal"""
    pub_types: list[str]
    """Publication types"""
    year: int | None
    """Year of publication"""
    retracted: bool
    """Whether it was retracted; then it stands last"""
    sample: bool
    """Whether it is one of our samples, not a paper"""
    sections_found: list[SectionName]
    """Sections in which something was found"""
    chunk_count: int
    """Chunks of the paper"""
    source_url: str | None
    """Where PubMed has it"""
    quotation: PassageQuotation | None = None
    """Best passage of its full text, if filters.sections asked for sections"""


class Performance(Shape):
    search_time_ms: str
    """Time in the engines, in ms"""
    total_time_ms: str
    """Time in all, in ms"""
    target_time_ms: float
    """What we aim at"""
    enhanced_query: bool
    """Whether synonyms were looked for"""
    reconstructed_docs: bool
    """Whether papers were put together from chunks"""


class SearchAnswer(Shape):
    documents: list[FoundDocument]
    """Results, the best first"""
    total_results: Annotated[int, Field(ge=0)]
    """How many there are here"""
    performance: Performance
    """How long it took and what was done"""


class GetInput(DetailedRequest):
    doc_id: Annotated[str, Field(pattern=r"^pmid:[0-9]+$")]
    """Id of the paper, e.g. pmid:12345"""
    checkpoint_id: CheckpointId | None = None
    """Answer as of this checkpoint, e.g. cp_samples"""


class PaperQuality(Shape):
    design: int | None
    """Study design, 0-3"""
    recency: int | None
    """Age at the corpus's date, 0-2"""
    journal: int | None
    """Journal, 0-2"""
    human: int | None
    """Human subjects, 0-2"""
    total: int
    """Their sum"""


class Paper(Shape):
    doc_id: str
    """pmid:N"""
    title: str | None
    """Title"""
    abstract: str | None
    """Abstract, each section after its label"""
    journal: str | None
    """Journal"""
    pub_types: list[str]
    """Publication types; Retracted Publication marks a retracted one"""
    pdat: str | None
    """Date of publication, as exact as it is known"""
    edat: str | None
    """When PubMed took it in, ISO 8601 UTC"""
    lr: str | None
    """When it was last revised, ISO 8601 UTC"""
    pmcid: str | None
    """PubMed Central ID"""
    quality: PaperQuality
    """What speaks for it"""
    version: Annotated[int, Field(ge=1)]
    """Which version of the record this is"""


class GetCheckpointInput(Shape):
    checkpoint_id: CheckpointId
    """Id of the checkpoint from corpus.checkpoint.list"""


class CreateCheckpointInput(Shape):
    name: Annotated[Text, Field(min_length=1, max_length=200)]
    """What to call this state of the corpus"""
    description: Annotated[Text, Field(max_length=4000)] | None = None
    """What it is for, in a sentence"""
    primary_queries: Annotated[list[PrimaryQuery], Field(max_length=100)] | None = None
    """Queries that it belongs to"""


class CheckpointAnswer(Shape):
    checkpoint_id: str
    """The checkpoint; rag.search and rag.get take it"""
    name: str
    """Its name"""
    description: str | None
    """What it is for"""
    created_at: str
    """When it was made, ISO 8601 UTC"""
    primary_queries: list[str]
    """Queries that it belongs to"""
