"""The list of contradictions in a real browser: what waits, what settled it, and what to do where nothing is shown."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from tests.console.console_page import ConsolePage, open_console_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLACE = "memory/contradictions"
_CORRECTION = "Correction: the rent of hall 301 is 14,000 baht, not 12,000 baht."


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(browser: Browser, address: str, told: None, disputed: None) -> AsyncIterator[ConsolePage]:
    async with open_console_page(browser, address) as opened:
        yield opened
        assert opened.external_requests == []


async def test_contradictions_have_an_address_and_are_seen_without_a_question(visitor: ConsolePage) -> None:
    page = visitor.page
    await visitor.open("memory")
    await page.get_by_role("link", name="Open contradictions to look at").click()
    pair = page.locator(".pairs > li", has_text="7 April 2026")
    await expect(pair).to_contain_text("3 March 2026")
    await expect(pair).to_contain_text("board-2026-01")
    await expect(pair).to_contain_text("letter-77")
    await expect(pair.locator(".rating b")).to_have_count(2)
    await expect(pair.locator(".nature")).to_contain_text("open")
    assert page.url.endswith(f"#/{PLACE}")
    assert visitor.browser_errors == []


async def test_a_settled_contradiction_names_what_replaced_it_by_its_text(visitor: ConsolePage) -> None:
    page = visitor.page
    await visitor.open(PLACE)
    await page.get_by_role("button", name="Settled").click()
    pair = page.locator(".pairs > li", has_text="rent of hall 301")
    await expect(pair.locator(".nature")).to_contain_text("settled: a later memory replaced one side")
    await pair.get_by_role("link", name=_CORRECTION).first.click()
    await expect(page.locator("h1")).to_contain_text("Correction: the rent of hall 301")
    await expect(page.locator(".fate")).to_contain_text("Replaces")
    await page.go_back()
    assert page.url.endswith("?state=settled")


async def test_a_contradiction_is_corrected_and_undone_where_it_is_listed(visitor: ConsolePage) -> None:
    page = visitor.page
    await visitor.open(PLACE)
    side = page.locator(".side-of", has_text="7 April 2026")
    rating = side.locator(".rating b")
    before = await rating.inner_text()
    await side.get_by_role("button", name="Correct").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Reason").fill("The supplier never wrote that")
    await dialog.get_by_role("button", name="Preview").click()
    await dialog.get_by_role("button", name="Apply").click()
    await expect(dialog).to_contain_text("Done.")
    await dialog.get_by_role("button", name="Close").click()
    await expect(rating).not_to_have_text(before)
    history = page.locator(".history li", has_text="7 April 2026")
    await history.get_by_role("button", name="Undo").click()
    await expect(rating).to_have_text(before)


async def test_the_list_is_saved_with_both_statements(visitor: ConsolePage, tmp_path: Path) -> None:
    await visitor.open(f"{PLACE}?state=all")
    async with visitor.page.expect_download() as download:
        await visitor.page.locator(".save").get_by_role("button", name="JSON").click()
    file = tmp_path / "contradictions.json"
    await (await download.value).save_as(file)
    rows: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    row = next(row for row in rows if "7 April 2026" in row["later"])
    assert (row["state"], row["later_sources"], row["earlier_sources"]) == ("open", "letter-77", "board-2026-01")
    assert "3 March 2026" in row["earlier"]
    assert row["later_rating"] and row["earlier_rating"]


async def test_the_box_leads_to_the_list_in_both_languages(browser: Browser, address: str, told: None) -> None:
    for language, words, title in (("en", "contradictions", "Contradictions"), ("th", "ข้อขัดแย้ง", "ข้อขัดแย้ง")):
        async with open_console_page(browser, address, language=language) as visitor:
            await visitor.open("home")
            await visitor.page.keyboard.press("Control+k")
            await visitor.page.locator(".palette input").fill(words)
            await visitor.page.locator('.palette-item[aria-selected="true"]', has_text=words).wait_for()
            await visitor.page.keyboard.press("Enter")
            await expect(visitor.page.locator("h1")).to_have_text(title)


async def test_an_empty_list_and_a_failed_one_say_what_to_do(visitor: ConsolePage) -> None:
    page = visitor.page
    empty = {"state": "open", "open": 0, "settled": 2, "contradictions": [], "summaries": {}, "page": 1, "pages": 1}
    await visitor.change_answers("**/console/api/resource?*", lambda answer: {**answer, "data": empty})
    await visitor.open(PLACE)
    await expect(page.locator(".empty")).to_contain_text("No open contradictions")
    await expect(page.locator(".empty").get_by_role("link", name="2 settled ones")).to_be_visible()
    await page.unroute("**/console/api/resource?*")

    async def drop(route: Route) -> None:
        await route.abort()

    await page.route("**/console/api/resource?*", drop)
    await visitor.open("home")
    await page.goto(f"{visitor.address}/#/{PLACE}")
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.unroute("**/console/api/resource?*")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".pairs > li").first).to_be_visible()
