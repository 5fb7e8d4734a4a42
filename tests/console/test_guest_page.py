"""The page that a suite of another package gets: its lists, its tools as forms, its resources as cards."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from sanya import app
from tests.console.console_page import open_console_page
from tests.console.console_server import serve_console
from tests.console.test_manage_pages import save

pytestmark = pytest.mark.asyncio(loop_scope="session")

EXAMPLE = Path(__file__).parents[2] / "examples/glossary"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example package beside ours, as pip leaves it."""
    metadata = tmp_path / "site" / "sanya_glossary-1.2.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: sanya-glossary\nVersion: 1.2\n", "utf-8")
    (metadata / "entry_points.txt").write_text("[sanya.suites]\nglossary = sanya_glossary:suite\n", "utf-8")
    monkeypatch.syspath_prepend(metadata.parent)
    monkeypatch.syspath_prepend(EXAMPLE)
    return tmp_path / "home"


async def test_a_guest_suite_is_used_from_its_page(browser: Browser, installed: Path) -> None:
    async with app.open(installed, port=0, grpc="off", log_level="error") as home, serve_console(home) as address:
        await home.call("glossary.add", {"term": "INR", "meaning": "international normalised ratio"})
        async with open_console_page(browser, address, theme="dark", width=390) as visitor:
            page = visitor.page
            await visitor.open("home")
            card = page.locator(".suite", has_text="Glossary")
            await expect(card).to_contain_text("1 term")
            await card.get_by_role("link", name="Open Glossary").click()
            await expect(page.locator("main .lead")).to_contain_text("from the package sanya-glossary 1.2")
            adding = page.get_by_role("region", name="Add")
            await adding.get_by_label("term").fill("RMF")
            await adding.get_by_label("meaning").fill("retirement mutual fund")
            await adding.get_by_role("button", name="Run").click()
            await page.get_by_role("dialog").get_by_role("button", name="Yes, run it").click()
            table = page.get_by_role("region", name="List terms")
            await expect(table.locator("tbody tr")).to_have_count(2)
            saved = (await save(page, "CSV", "Save as: glossary.list_terms")).decode("utf-8-sig")
            assert list(csv.reader(io.StringIO(saved))) == [["term"], ["INR"], ["RMF"]]
            assert await visitor.find_violations() == []
            assert await visitor.measure_overflow() == 0
            await table.get_by_role("link", name="RMF").click()
            await expect(page.locator("main .facts")).to_contain_text("retirement mutual fund")
            await page.get_by_role("link", name="Glossary").first.click()
            await page.locator(".resource-form input").fill("INR")
            await page.get_by_role("button", name="Open", exact=True).click()
            await expect(page.locator("main .facts")).to_contain_text("international normalised ratio")
            assert page.url.endswith("#/suites/glossary/resource?uri=glossary%3A%2F%2Fterms%2FINR")
            await page.keyboard.press("Control+k")
            await page.get_by_role("combobox", name="Go to or search").fill("glossary")
            await expect(page.get_by_role("option", name="Glossary", exact=True)).to_be_visible()
            assert visitor.browser_errors == [] and visitor.external_requests == []
