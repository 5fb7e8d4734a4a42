"""Fetch, search and read full texts through the kernel, on each engine, from a local PubMed Central."""

from __future__ import annotations

import tarfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database
from sanya.retrieval.terms import TermReader
from sanya.sources.entrez import EntrezClient, EntrezIdentity, open_entrez
from sanya.sources.pacing import LocalBudget
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.fulltext.file_import import import_article_file, read_article_files
from sanya.suites.papers.fulltext.store import FullTextStore
from sanya.suites.papers.fulltext.tools import FullTextTools, build_fulltext_tools
from tests.kernel.conftest import InMemoryLedgerStore
from tests.retrieval.conftest import WordVectors
from tests.sources.eutils import EUtils, Trouble, local_eutils
from tests.sources.test_entrez import FastClock
from tests.suites.papers.fulltext.articles import make_article
from tests.suites.papers.harness import PapersHarness, open_harness, record

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class FullTextHarness:
    def __init__(self, papers: PapersHarness, kernel: Kernel, texts: FullTextStore, central: EUtils) -> None:
        self.papers = papers
        self.kernel = kernel
        self.texts = texts
        self.central = central

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(f"papers.fulltext.{tool}", arguments))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def refusal(self, tool: str, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(f"papers.fulltext.{tool}", arguments))
        assert isinstance(outcome, Refused), outcome
        return outcome.error


@pytest.fixture
async def harness(
    database: Database, home: Path, reader: TermReader, embedders: dict[str, WordVectors]
) -> AsyncIterator[FullTextHarness]:
    clock = FastClock().clock
    async with (
        open_harness(database, home, reader, embedders) as papers,
        local_eutils() as central,
        open_entrez(central.url, EntrezIdentity(), LocalBudget(1e6, clock), clock=clock) as entrez,
    ):

        async def open_source() -> EntrezClient:
            return entrez

        texts = FullTextStore(database, papers.index.open_library)
        tools = build_fulltext_tools(FullTextTools(texts, papers.store, open_source))
        ledger = Ledger(InMemoryLedgerStore(), group_ms=1)
        suite = Suite(name="papers", title="Papers", dialect=DIALECT, tools=tools)
        kernel = Kernel([suite], ledger=ledger, limiter=LocalRateLimiter(), window=RequestWindow(), clock=lambda: NOW)
        ledger.start()
        try:
            yield FullTextHarness(papers, kernel, texts, central)
        finally:
            await ledger.close()


async def fetch(harness: FullTextHarness, *doc_ids: str) -> dict[str, str]:
    answer = await harness.call("fetch", doc_ids=list(doc_ids))
    return {article["doc_id"]: article["outcome"] for article in answer["articles"]}


async def test_a_synced_paper_is_fetched_by_its_pmid_and_found_by_paragraph(harness: FullTextHarness) -> None:
    await harness.papers.put(record(101, "Ginger for nausea", "Short.", pmcid="PMC77"))
    harness.central.full_texts["77"] = make_article()
    assert await fetch(harness, "pmid:101") == {"pmid:101": "stored"}
    answer = await harness.call("search", query="sample size")
    best = answer["passages"][0]
    assert (best["doc_id"], best["paragraph"], best["section"]) == ("pmid:101", 3, "methods")
    assert best["licence"] == "CC BY 4.0"
    assert best["text"].startswith("We calculated a sample size")


async def test_sections_and_articles_narrow_the_search(harness: FullTextHarness) -> None:
    harness.central.full_texts |= {"77": make_article(), "78": make_article("78", "102")}
    await fetch(harness, "pmcid:PMC77", "pmcid:PMC78")
    found = await harness.call("search", query="nausea", sections=["results"], doc_id="pmcid:PMC78")
    assert {(passage["pmcid"], passage["section"]) for passage in found["passages"]} == {("PMC78", "results")}


async def test_each_article_is_told_what_came_of_it(harness: FullTextHarness) -> None:
    await harness.papers.put(record(5, "Without a full text", "Short."))
    closed = make_article("79", "103", licence="<license><p>All rights reserved.</p></license>")
    harness.central.full_texts |= {"77": make_article(), "79": closed, "80": make_article("80", "104", body="")}
    outcomes = await fetch(harness, "pmcid:PMC77", "pmcid:PMC79", "pmcid:PMC80", "pmcid:PMC81", "pmid:5")
    assert list(outcomes.values()) == ["stored", "no_licence", "no_text", "not_found", "no_pmcid"]
    assert await fetch(harness, "pmcid:PMC77") == {"pmcid:PMC77": "unchanged"}
    error = await harness.refusal("get", doc_id="pmcid:PMC79")
    assert error["code"] == "NOT_FOUND"


async def test_a_changed_article_replaces_its_paragraphs(harness: FullTextHarness) -> None:
    harness.central.full_texts["77"] = make_article()
    await fetch(harness, "pmcid:PMC77")
    harness.central.full_texts["77"] = make_article(body="<body><p>Rewritten about turmeric.</p></body>")
    assert await fetch(harness, "pmcid:PMC77") == {"pmcid:PMC77": "stored"}
    found = await harness.call("search", query="nausea capsules turmeric")
    assert [passage["text"] for passage in found["passages"]] == ["Rewritten about turmeric."]


async def test_an_article_is_read_part_by_part_without_gap(harness: FullTextHarness) -> None:
    body = "<body>" + "".join(f"<p>Paragraph {number} {'word ' * 60}</p>" for number in range(1, 8)) + "</body>"
    harness.central.full_texts["77"] = make_article(body=body)
    await fetch(harness, "pmcid:PMC77")
    numbers: list[int] = []
    start: int | None = 1
    while start is not None:
        page = await harness.call("get", doc_id="pmid:101", from_paragraph=start, max_characters=700)
        numbers += [paragraph["paragraph"] for paragraph in page["paragraphs"]]
        start = page["next_paragraph"]
    assert numbers == list(range(1, 8))


async def test_an_empty_home_says_how_to_bring_articles(harness: FullTextHarness) -> None:
    answer = await harness.call("search", query="anything")
    assert (answer["passages"], answer["articles"]) == ([], 0)
    assert "papers.fulltext.fetch" in answer["advice"]


async def test_trouble_at_pubmed_central_has_the_contracts_code(harness: FullTextHarness) -> None:
    harness.central.troubles += [Trouble("efetch", "html")] * 6
    error = await harness.refusal("fetch", doc_ids=["pmcid:PMC77"])
    assert error["code"] == "ENTREZ"


async def test_a_package_is_imported_and_what_is_no_article_is_named(harness: FullTextHarness, tmp_path: Path) -> None:
    package = tmp_path / "oa.tar.gz"
    with tarfile.open(package, "w:gz") as archive:
        for name, text in (("a/77.nxml", make_article()), ("a/bad.nxml", "<html/>"), ("a/figure.jpg", "no")):
            data = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, BytesIO(data))
    reports = [
        report for file in read_article_files(package) for report in await import_article_file(harness.texts, file, NOW)
    ]
    await harness.texts.finish()
    assert [(report.name, report.outcome) for report in reports] == [
        ("oa.tar.gz/a/77.nxml", "stored"),
        ("oa.tar.gz/a/bad.nxml", "bad"),
    ]
    assert (await harness.call("search", query="capsules"))["passages"]
