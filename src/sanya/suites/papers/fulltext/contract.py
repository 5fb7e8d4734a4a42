"""Shapes of `papers.fulltext.search`, `papers.fulltext.get` and `papers.fulltext.fetch`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sanya.suite import DetailedRequest, Integer, Shape, Text
from sanya.suites.papers.fulltext.article import ParagraphKind
from sanya.suites.papers.indexing.sections import SectionName

ArticleId = Annotated[str, Field(pattern=r"^(pmid:[0-9]+|pmcid:PMC[0-9]+)$")]


class FullTextSearchInput(DetailedRequest):
    query: Annotated[Text, Field(min_length=1, max_length=10_000)]
    """Question or words in English or Thai, e.g. dose of curcumin"""
    limit: Annotated[Integer, Field(ge=1, le=50)] = 10
    """Most passages to return, e.g. 5"""
    sections: Annotated[list[SectionName], Field(max_length=9)] | None = None
    """Only these sections, e.g. ["methods"]"""
    doc_id: ArticleId | None = None
    """Only this article, e.g. pmcid:PMC3166277"""


class ArticlePassage(Shape):
    doc_id: str
    """pmid:N, or pmcid:PMCN without a PMID"""
    pmcid: str
    """PubMed Central ID"""
    title: str | None
    """Title of the article"""
    section: SectionName
    """Section of the passage"""
    headings: list[str]
    """Headings above it, the outermost first"""
    paragraph: int
    """Its number in the article, for a quotation"""
    kind: ParagraphKind
    """Text, or the caption of a figure or table"""
    text: str
    """The passage, word for word"""
    score: float
    """The order of the passages"""
    relevance: float | None
    """How likely it answers the query, 0 to 1"""
    licence: str
    """Licence of the article, e.g. CC BY 4.0"""
    source_url: str
    """Where PubMed Central has it"""


class FullTextSearchAnswer(Shape):
    passages: list[ArticlePassage]
    """Passages, the best first"""
    articles: Annotated[int, Field(ge=0)]
    """Full texts that were searched"""
    advice: str | None
    """What to do where nothing was found"""


class FullTextGetInput(Shape):
    doc_id: ArticleId
    """Article to read, e.g. pmid:21810267 or pmcid:PMC3166277"""
    sections: Annotated[list[SectionName], Field(max_length=9)] | None = None
    """Only these sections, e.g. ["results"]"""
    from_paragraph: Annotated[Integer, Field(ge=1, le=100_000)] = 1
    """First paragraph to return, e.g. 12"""
    max_characters: Annotated[Integer, Field(ge=500, le=60_000)] = 8_000
    """Stop after about so many characters, e.g. 8000"""


class ArticleParagraph(Shape):
    paragraph: int
    """Its number in the article"""
    section: SectionName
    """Its section"""
    headings: list[str]
    """Headings above it"""
    kind: ParagraphKind
    """Text, or the caption of a figure or table"""
    text: str
    """The paragraph, word for word"""


class FullTextAnswer(Shape):
    doc_id: str
    """pmid:N, or pmcid:PMCN without a PMID"""
    pmcid: str
    """PubMed Central ID"""
    title: str | None
    """Title"""
    licence: str
    """Licence, e.g. CC BY 4.0"""
    licence_url: str | None
    """Where the licence stands"""
    source_url: str
    """Where PubMed Central has it"""
    total_paragraphs: int
    """Paragraphs of the whole article"""
    paragraphs: list[ArticleParagraph]
    """The paragraphs asked for"""
    next_paragraph: int | None
    """from_paragraph of the next call; null at the end"""


class FullTextFetchInput(Shape):
    doc_ids: Annotated[list[ArticleId], Field(min_length=1, max_length=50)]
    """Articles to fetch from PubMed Central, e.g. pmid:21810267"""


class FetchedArticle(Shape):
    doc_id: str
    """What was asked for"""
    pmcid: str | None
    """PubMed Central ID, where it has one"""
    outcome: str
    """stored, unchanged, no_pmcid, no_licence, no_text or not_found"""
    explanation: str
    """What that means"""


class FullTextFetchAnswer(Shape):
    stored: Annotated[int, Field(ge=0)]
    """Articles that were stored or changed"""
    articles: list[FetchedArticle]
    """Each article, in the order of doc_ids"""
