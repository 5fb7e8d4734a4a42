"""`rag.search` by sections, over abstracts and full texts, as an owner's home has them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sanya import app as sanya_app
from sanya.app import App
from sanya.suites.papers.fulltext.jats import parse_articles
from sanya.suites.papers.fulltext.store import FullTextStore
from tests.assembly.test_retractions import import_records, make_record
from tests.suites.papers.fulltext.articles import make_article

NOW = datetime(2026, 11, 18, tzinfo=UTC)
BODY = (
    "<body><sec sec-type='methods'><title>Methods</title><p>Patients were randomised.</p>"
    "<sec><title>Sample size</title><p>The sample size of 240 gave a power of 90 percent.</p></sec></sec>"
    "<sec sec-type='results'><title>Results</title><p>The sample slept better under blue lamps.</p></sec></body>"
)
STRUCTURED = (
    '<Abstract><AbstractText Label="METHODS" NlmCategory="METHODS">The sample size was small.</AbstractText>'
    '<AbstractText Label="RESULTS" NlmCategory="RESULTS">Lamps did nothing.</AbstractText></Abstract>'
)


def make_structured_record(pmid: str) -> str:
    record = make_record(pmid, 2024, types=("Journal Article",))
    return record.replace("<Abstract><AbstractText>It worked.</AbstractText></Abstract>", STRUCTURED)


async def fill(app: App, tmp_path: Path) -> FullTextStore:
    await import_records(
        app,
        tmp_path / "papers.xml",
        make_record("101", 2024, types=("Randomized Controlled Trial",)),
        make_structured_record("102"),
    )
    texts = FullTextStore(app.database, app.library)
    for pmcid, pmid in (("77", "101"), ("78", "999")):  # the corpus has no paper 999
        (article,) = parse_articles(make_article(pmcid, pmid, body=BODY))
        assert await texts.put(article, NOW) == "stored"
    await texts.finish()
    return texts


async def search(app: App, query: str, **more: Any) -> list[dict[str, Any]]:
    filters = more.pop("filters", {})
    body = await app.call("rag.search", {"query": query, "search_mode": "bm25", "filters": filters, **more})
    documents: list[dict[str, Any]] = body["documents"]
    return documents


async def test_a_search_by_section_finds_passages_of_full_texts_to_quote(
    home: Path, database_url: str, tmp_path: Path
) -> None:
    async with sanya_app.open(home, database_url=database_url) as app:
        await fill(app, tmp_path)
        found = await search(app, "sample size power", filters={"sections": ["methods"]})
        assert {document["pmid"] for document in found} == {"101", "102"}
        by_pmid = {document["pmid"]: document for document in found}
        quotation = by_pmid["101"]["quotation"]
        assert quotation["text"] == "The sample size of 240 gave a power of 90 percent."
        assert (quotation["paragraph"], quotation["headings"]) == (2, ["Methods", "Sample size"])
        assert (quotation["pmcid"], quotation["licence"]) == ("PMC77", "CC BY 4.0")
        assert by_pmid["101"]["sections_found"] == ["methods"]
        assert by_pmid["102"]["quotation"] is None
        for document in found:
            assert sum(document["score_parts"].values()) == document["score"]
        (chunk,) = await search(
            app, "sample size power", filters={"sections": ["methods"]}, return_chunks=True, top_k=1
        )
        assert (chunk["chunk_id"], chunk["abstract"]) == ("p2", quotation["text"])


async def test_other_filters_hold_for_full_texts_and_without_sections_only_abstracts_are_searched(
    home: Path, tmp_path: Path
) -> None:
    async with sanya_app.open(home) as app:
        await fill(app, tmp_path)
        sections = {"sections": ["methods", "results"]}
        elsewhere = await search(app, "sample size power", filters={**sections, "journals": ["BMJ"]})
        assert elsewhere == []
        lancet = await search(app, "sample size power", filters={**sections, "journals": ["Lancet"]})
        assert [document["pmid"] for document in lancet if document["quotation"]] == ["101"]
        assert await search(app, "sample size power", filters={**sections, "date_from": "2020"}) == []
        assert [document["quotation"] for document in await search(app, "sample size power")] == [None]

        checkpoint = (await app.call("corpus.checkpoint.create", {"name": "Now"}))["checkpoint_id"]
        earlier = await search(app, "sample size power", filters=sections, checkpoint_id=checkpoint)
        assert [(document["pmid"], document["quotation"]) for document in earlier] == [("102", None)]


async def test_an_article_that_loses_its_licence_is_removed(home: Path, tmp_path: Path) -> None:
    async with sanya_app.open(home) as app:
        texts = await fill(app, tmp_path)
        (closed,) = parse_articles(make_article("77", "101", licence="", body=BODY))
        assert await texts.put(closed, NOW) == "no_licence"
        assert await texts.find("PMC77") is None
        found = await search(app, "sample size power", filters={"sections": ["methods"]})
        assert [document["pmid"] for document in found] == ["102"]
