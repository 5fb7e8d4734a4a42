"""Finds paragraphs of the stored full texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sanya.suite.search import AnyOf, Filter
from sanya.suites.papers.fulltext.article import FullText
from sanya.suites.papers.fulltext.store import NAMESPACE, FullTextStore
from sanya.suites.papers.search.passages import FoundPassage, Quotation

if TYPE_CHECKING:
    from sanya.suite.search import Hit
    from sanya.suites.papers.search.paper_search import PaperQuery, PaperSearchMode

_WINDOWS_PER_PARAGRAPH = 2


class FoundParagraph(NamedTuple):
    """A paragraph with the best hit among its windows."""

    article: FullText
    number: int
    hit: Hit


@dataclass(frozen=True, slots=True)
class PassageSearch:
    texts: FullTextStore

    async def find(self, query: PaperQuery, limit: int) -> list[FoundPassage]:
        """Return passages for a search of papers; `passages.PassageSource` says which."""
        if not await self.texts.count():
            return []
        filters = (AnyOf("section", tuple(query.sections)),)
        found = await self.find_paragraphs(query.text, filters, limit, mode=query.mode, alpha=query.alpha)
        return [_to_passage(paragraph) for paragraph in found if paragraph.article.pmid]

    async def find_paragraphs(
        self,
        text: str,
        filters: Sequence[Filter],
        limit: int,
        *,
        mode: PaperSearchMode = "hybrid",
        alpha: float | None = 0.5,
    ) -> list[FoundParagraph]:
        """Return paragraphs, the best first, each once."""
        from sanya.suite.search import SearchQuery  # lazy: it imports numpy

        library = await self.texts.prepare()
        await library.refresh()
        query = SearchQuery(text, NAMESPACE, mode, alpha, limit * _WINDOWS_PER_PARAGRAPH, tuple(filters))
        articles: dict[str, FullText] = {}
        found: dict[tuple[str, int], FoundParagraph] = {}
        for hit in (await library.search(query)).hits:
            pmcid, number = hit.id.split(":")[0], int(hit.id.split(":")[1])
            if pmcid not in articles:
                article = await self.texts.find(pmcid)
                if article is None:  # removed since the search found it
                    continue
                articles[pmcid] = article
            found.setdefault((pmcid, number), FoundParagraph(articles[pmcid], number, hit))
        return list(found.values())[:limit]


def build_article_url(pmcid: str) -> str:
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"


def _to_passage(found: FoundParagraph) -> FoundPassage:
    article, paragraph = found.article, found.article.paragraphs[found.number - 1]
    quotation = Quotation(
        article.pmcid,
        paragraph.number,
        paragraph.section,
        paragraph.headings,
        paragraph.kind,
        paragraph.text,
        article.licence.name or "",
        build_article_url(article.pmcid),
    )
    return FoundPassage(article.pmid or "", found.hit, quotation)
