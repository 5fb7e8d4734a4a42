"""The review of herb statements in a real browser: queue, decision, undo, coverage."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.console.console_page import ConsolePage, open_console_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLACES = ("review", "review/statement/ix-0014", "review/coverage", "review/coverage?type=formulation&shade=evidence")


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(browser: Browser, address: str) -> AsyncIterator[ConsolePage]:
    async with open_console_page(browser, address) as visitor:
        yield visitor
        assert visitor.browser_errors == []
        assert visitor.external_requests == []


@pytest.mark.parametrize(
    ("theme", "language", "width"),
    [("light", "en", 1280), ("dark", "th", 1280), ("light", "th", 390), ("dark", "en", 360)],
)
async def test_every_page_is_readable_by_all_and_fits_its_window(
    browser: Browser, address: str, theme: str, language: str, width: int
) -> None:
    async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
        for place in PLACES:
            await visitor.open(place)
            assert (await visitor.find_violations(), place) == ([], place)
            assert (await visitor.measure_overflow(), place) == (0, place)
        assert visitor.browser_errors == [] and visitor.external_requests == []


async def test_the_queue_is_filtered_continued_and_keeps_its_filters_in_the_address(visitor: ConsolePage) -> None:
    await visitor.open("review")
    page = visitor.page
    rows = page.locator(".statement-row")
    await expect(rows).to_have_count(30)
    await expect(rows.first).to_contain_text("contraindicated")
    await page.get_by_role("button", name="Show 30 more").click()
    await expect(rows).to_have_count(60)
    await page.get_by_label("Severity").select_option("minor")
    await expect(page.locator(".statement-row .severity.contraindicated")).to_have_count(0)
    await page.get_by_label("Evidence").select_option("in_vitro")
    await expect(rows.first).to_contain_text("test tube")
    assert "severity=minor" in page.url and "evidence=in_vitro" in page.url
    await page.reload()
    await visitor.settle()
    await expect(rows.first).to_contain_text("test tube")
    await page.get_by_label("State", exact=True).select_option("decided")
    await expect(page.get_by_text("No statement matches.")).to_be_visible()


async def test_a_statement_is_rejected_with_a_reason_and_the_rejection_undone(visitor: ConsolePage) -> None:
    await visitor.open("review/statement/ix-0014")
    page = visitor.page
    await expect(page.get_by_text("Why it is doubtful")).to_be_visible()
    link = page.locator('.source-list a[href="https://pubmed.ncbi.nlm.nih.gov/27776366/"]')
    await expect(link).to_be_visible()
    await page.get_by_role("button", name="Reject").click()
    save = page.get_by_role("button", name="Record the decision")
    await save.click()
    await expect(page.get_by_text("Give your name.")).to_be_visible()
    await expect(page.get_by_text("Give a reason or a source.")).to_be_visible()
    await page.get_by_label("Your name").fill("Somsri P.")
    await page.get_by_label("Reason").fill("The paper studied piperine alone.")
    await save.click()
    await expect(page.get_by_role("status").filter(has_text="Recorded.")).to_be_visible()
    await expect(page.locator(".review-marks")).to_contain_text("rejected")
    await expect(page.get_by_role("link", name="Next open statement")).to_be_visible()
    await page.get_by_role("button", name="Undo this decision").click()
    await expect(page.locator(".review-marks")).to_contain_text("open")
    await expect(page.locator(".review-history")).to_contain_text("undone by Somsri P.")


async def test_an_official_warning_asks_for_a_source_before_it_is_lowered(visitor: ConsolePage) -> None:
    await visitor.open("review/statement/sa-0145")
    page = visitor.page
    await page.get_by_role("button", name="Correct").click()
    await page.get_by_label("Severity").select_option("minor")
    await page.get_by_label("Your name").fill("Somsri P.")
    save = page.get_by_role("button", name="Record the decision")
    await save.click()
    await expect(page.get_by_text("This is an official warning.")).to_be_visible()
    await page.get_by_label("Source", exact=True).fill("A monograph")
    await page.get_by_label("Address of the source").fill("example.org")
    await save.click()
    await expect(page.get_by_text("An address begins with")).to_be_visible()
    await page.get_by_label("Address of the source").fill("https://example.org/monograph")
    await save.click()
    await expect(page.locator(".review-marks")).to_contain_text("corrected")
    await expect(page.locator(".review-marks")).to_contain_text("minor")
    await expect(page.get_by_text("as shipped: contraindicated, official")).to_be_visible()
    await page.get_by_role("button", name="Undo this decision").click()
    await expect(page.locator(".review-marks")).to_contain_text("contraindicated")


async def test_the_queue_and_a_decision_work_with_keys_alone(visitor: ConsolePage) -> None:
    await visitor.open("review")
    page = visitor.page
    await page.locator(".statement-row").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Why it is doubtful")).to_be_visible()
    await page.get_by_role("button", name="Reject").focus()
    await page.keyboard.press("Space")
    await expect(page.get_by_role("button", name="Reject")).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("Tab")
    await expect(page.get_by_label("Reason")).to_be_focused()


async def test_a_cell_of_the_coverage_leads_to_its_statements(visitor: ConsolePage) -> None:
    await visitor.open("review/coverage")
    page = visitor.page
    cell = page.get_by_role("button", name="garlic with anticoagulants")
    count = int(await cell.inner_text())
    await cell.click()
    rows = page.get_by_role("dialog").locator(".statement-row")
    await expect(rows).to_have_count(count)
    await rows.first.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("garlic")
    await page.go_back()
    await page.get_by_role("button", name="all classes").click()
    await expect(page.locator(".heat thead th").nth(100)).to_be_attached()
    before = await page.locator(".heat tbody tr").count()
    await page.get_by_label("without any record").check()
    assert await page.locator(".heat tbody tr").count() > before + 100


async def test_a_key_without_the_scope_sees_no_form(visitor: ConsolePage) -> None:
    def take_away(card: dict[str, object]) -> dict[str, object]:
        return {**card, "may_decide": False}

    await visitor.change_answers("**/console/api/herbs/statement*", take_away)
    await visitor.open("review/statement/ix-0014")
    await expect(visitor.page.get_by_text("Deciding needs the scope herbs:review.")).to_be_visible()
    await expect(visitor.page.get_by_role("button", name="Record the decision")).to_have_count(0)
