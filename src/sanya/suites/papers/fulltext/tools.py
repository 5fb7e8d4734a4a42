"""Handlers of the full-text tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from sanya.suite import Context, Example, NotFound, RateLimited, Tool, UpstreamFailed
from sanya.suite.search import Advice, AnyOf, CorpusSize, Equals, Filter, describe_fit, judge_fit
from sanya.suite.text import has_thai
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.fulltext import contract
from sanya.suites.papers.fulltext.article import FullText, Paragraph
from sanya.suites.papers.fulltext.passage_search import PassageSearch, build_article_url
from sanya.suites.papers.fulltext.store import FullTextStore
from sanya.suites.papers.prompts import NAME
from sanya.suites.papers.store import PaperStore

_FIRST_CALL_MS = 120_000  # the first call loads the models
_FETCH_MS = 600_000
_OUTCOMES = {
    "stored": "The full text is stored and searchable.",
    "unchanged": "The stored full text is up to date.",
    "no_pmcid": "PubMed names no PubMed Central id for it, so there is no full text there.",
    "no_licence": "Its licence does not allow to keep the text; read it at PubMed Central.",
    "no_text": "PubMed Central gives no text of it, only its description; read it there.",
    "not_found": "PubMed Central does not have it.",
}
_NO_ARTICLES = (
    "No full text is stored yet. papers.fulltext.fetch brings articles from PubMed Central; "
    "`sanya papers fulltext import FILE` reads files."
)
_MORE_ARTICLES = Advice(
    "Try other words, or let papers.fulltext.fetch bring more articles; rag.search covers the abstracts.",
    "ลองใช้คำอื่น หรือใช้ papers.fulltext.fetch เพื่อดึงบทความเพิ่ม ส่วน rag.search ค้นบทคัดย่อ",
)


class ArticleSource(Protocol):
    """PubMed Central through E-utilities."""

    async def fetch_articles(self, pmcids: Sequence[str]) -> list[FullText]: ...


OpenArticleSource = Callable[[], Awaitable[ArticleSource]]


@dataclass(frozen=True, slots=True)
class FullTextTools:
    texts: FullTextStore
    papers: PaperStore
    open_source: OpenArticleSource

    @property
    def passages(self) -> PassageSearch:
        return PassageSearch(self.texts)

    async def search(self, request: contract.FullTextSearchInput, context: Context) -> contract.FullTextSearchAnswer:
        del context
        count = await self.texts.count()
        if count == 0:
            return contract.FullTextSearchAnswer(passages=[], articles=0, advice=_NO_ARTICLES)
        filters = await self._build_filters(request)
        found = await self.passages.find_paragraphs(request.query, filters, request.limit)
        hits = [paragraph.hit for paragraph in found]
        fit = judge_fit([hit.relevance for hit in hits], by_words_alone=not any(hit.similarity for hit in hits))
        shown = [
            _to_passage(paragraph.article, paragraph.number, paragraph.hit.score, paragraph.hit.relevance)
            for paragraph in (found if fit.level != "none" else ())
        ]
        advice = None
        if fit.level != "good":
            language = "th" if has_thai(request.query) else "en"
            advice = describe_fit(fit, CorpusSize(count, "full texts", "บทความฉบับเต็ม"), _MORE_ARTICLES, language)
        return contract.FullTextSearchAnswer(passages=shown, articles=count, advice=advice)

    async def get(self, request: contract.FullTextGetInput, context: Context) -> contract.FullTextAnswer:
        del context
        article = await self._require(request.doc_id)
        wanted = [
            paragraph
            for paragraph in article.paragraphs
            if paragraph.number >= request.from_paragraph
            and (request.sections is None or paragraph.section in request.sections)
        ]
        shown = list(_take_characters(wanted, request.max_characters))
        rest = wanted[len(shown) :]
        return contract.FullTextAnswer(
            doc_id=_name_article(article),
            pmcid=article.pmcid,
            title=article.title,
            licence=article.licence.name or "",
            licence_url=article.licence.url,
            source_url=build_article_url(article.pmcid),
            total_paragraphs=len(article.paragraphs),
            paragraphs=[_to_paragraph(paragraph) for paragraph in shown],
            next_paragraph=rest[0].number if rest else None,
        )

    async def fetch(self, request: contract.FullTextFetchInput, context: Context) -> contract.FullTextFetchAnswer:
        doc_ids = list(dict.fromkeys(request.doc_ids))
        pmcids = {doc_id: await self._find_pmcid(doc_id) for doc_id in doc_ids}
        wanted = [pmcid for pmcid in pmcids.values() if pmcid]
        source = await self.open_source()
        articles = {article.pmcid: article for article in await source.fetch_articles(wanted)} if wanted else {}
        outcomes: dict[str, str] = {}
        for pmcid, article in articles.items():
            outcomes[pmcid] = await self.texts.put(article, context.now)
        if "stored" in outcomes.values():
            await self.texts.finish(context.progress)
        fetched = [_to_fetched(doc_id, pmcid, outcomes) for doc_id, pmcid in pmcids.items()]
        stored = sum(outcome == "stored" for outcome in outcomes.values())
        return contract.FullTextFetchAnswer(stored=stored, articles=fetched)

    async def _build_filters(self, request: contract.FullTextSearchInput) -> tuple[Filter, ...]:
        filters: list[Filter] = []
        if request.sections:
            filters.append(AnyOf("section", tuple(request.sections)))
        if request.doc_id:
            filters.append(Equals("pmcid", (await self._require(request.doc_id)).pmcid))
        return tuple(filters)

    async def _require(self, doc_id: str) -> FullText:
        article = await self.texts.find(doc_id.removeprefix("pmcid:").removeprefix("pmid:"))
        if article is None:
            raise NotFound(
                f"there is no full text of {doc_id} here; papers.fulltext.fetch brings it if it is open access",
                details={"doc_id": doc_id},
            )
        return article

    async def _find_pmcid(self, doc_id: str) -> str | None:
        if doc_id.startswith("pmcid:"):
            return doc_id.removeprefix("pmcid:")
        doc = await self.papers.get_pubmed_doc(doc_id.removeprefix("pmid:"))
        if doc is None:
            raise NotFound(
                f"there is no paper {doc_id} in this corpus, so its PubMed Central id is unknown; sync it with "
                "pubmed.sync.incremental, or give pmcid:PMC…",
                details={"doc_id": doc_id},
            )
        return doc.record.pmcid


def _name_article(article: FullText) -> str:
    return f"pmid:{article.pmid}" if article.pmid else f"pmcid:{article.pmcid}"


def _take_characters(paragraphs: Sequence[Paragraph], limit: int) -> Iterator[Paragraph]:
    """Yield whole paragraphs up to the limit, and at least one."""
    taken = 0
    for index, paragraph in enumerate(paragraphs):
        taken += len(paragraph.text)
        if index and taken > limit:
            return
        yield paragraph


def _to_passage(article: FullText, number: int, score: float, relevance: float | None) -> contract.ArticlePassage:
    paragraph = article.paragraphs[number - 1]
    return contract.ArticlePassage(
        doc_id=_name_article(article),
        pmcid=article.pmcid,
        title=article.title,
        section=paragraph.section,
        headings=list(paragraph.headings),
        paragraph=number,
        kind=paragraph.kind,
        text=paragraph.text,
        score=score,
        relevance=relevance,
        licence=article.licence.name or "",
        source_url=build_article_url(article.pmcid),
    )


def _to_paragraph(paragraph: Paragraph) -> contract.ArticleParagraph:
    return contract.ArticleParagraph(
        paragraph=paragraph.number,
        section=paragraph.section,
        headings=list(paragraph.headings),
        kind=paragraph.kind,
        text=paragraph.text,
    )


def _to_fetched(doc_id: str, pmcid: str | None, outcomes: dict[str, str]) -> contract.FetchedArticle:
    outcome = outcomes.get(pmcid, "not_found") if pmcid else "no_pmcid"
    return contract.FetchedArticle(doc_id=doc_id, pmcid=pmcid, outcome=outcome, explanation=_OUTCOMES[outcome])


def build_fulltext_tools(tools: FullTextTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT, timeout_ms=_FIRST_CALL_MS)
    return (
        tool(
            name="papers.fulltext.search",
            title="Search full texts",
            description="Searches the stored open-access full texts by paragraph, for quotations with their place. "
            "For abstracts, which far more papers have, use rag.search; it never paraphrases.",
            input=contract.FullTextSearchInput,
            specialist=True,
            left_out_in_short=("passages.*.score",),
            output=contract.FullTextSearchAnswer,
            handler=tools.search,
            faults=(NotFound, UpstreamFailed),
            examples=(Example("In the methods", {"query": "sample size calculation", "sections": ["methods"]}),),
        ),
        tool(
            name="papers.fulltext.get",
            title="Read a full text",
            description="Reads a stored full text, whole or by sections, a part at a time. For one passage use "
            "papers.fulltext.search; it never holds articles whose licence forbids storing.",
            input=contract.FullTextGetInput,
            specialist=True,
            output=contract.FullTextAnswer,
            handler=tools.get,
            faults=(NotFound,),
        ),
        tool(
            name="papers.fulltext.fetch",
            operator=True,
            title="Fetch full texts",
            description="Operators: fetches open-access full texts from PubMed Central and stores them with their "
            "licence. To read a stored one use papers.fulltext.get; it never stores without a licence.",
            input=contract.FullTextFetchInput,
            output=contract.FullTextFetchAnswer,
            handler=tools.fetch,
            effect="write",
            idempotent=True,
            open_world=True,
            timeout_ms=_FETCH_MS,
            faults=(NotFound, UpstreamFailed, RateLimited),
            examples=(Example("By its id", {"doc_ids": ["pmcid:PMC3166277"]}),),
        ),
    )
