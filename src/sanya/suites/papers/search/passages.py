"""The port through which a search of papers finds passages of full texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from sanya.suites.papers.indexing.sections import SectionName

if TYPE_CHECKING:
    from sanya.suite.search import Hit
    from sanya.suites.papers.search.paper_search import PaperQuery


class Quotation(NamedTuple):
    """A paragraph of a full text, word for word, with its place and the licence under which it may be quoted."""

    pmcid: str
    paragraph: int
    section: SectionName
    headings: tuple[str, ...]
    kind: str
    text: str
    licence: str
    source_url: str


class FoundPassage(NamedTuple):
    pmid: str
    hit: Hit
    quotation: Quotation


class PassageSource(Protocol):
    async def find(self, query: PaperQuery, limit: int) -> list[FoundPassage]:
        """Return passages in the sections of the query, the best first, of articles that have a PMID."""
        ...
