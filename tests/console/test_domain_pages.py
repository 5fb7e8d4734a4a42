"""Search, herbs, memory, funds and tasks pages in a real browser, on the starter data."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.console.console_page import ConsolePage, open_console_page
from tests.console.test_widgets import HOSTILE

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEVERITIES = ("contraindicated", "major", "moderate", "minor")
BACKGROUND = "cell => getComputedStyle(cell).backgroundColor"
PLACES = (
    "search?q=turmeric%20bloating",
    "herbs/herb/curcuma-longa",
    "herbs/safety?herbs=%E0%B8%82%E0%B8%A1%E0%B8%B4%E0%B9%89%E0%B8%99%E0%B8%8A%E0%B8%B1%E0%B8%99%7Cnonsense&drugs=warfarin",
    "memory?q=pilot%20plant%20Rayong",
    "funds",
    "tasks?week=2025-06-02",
    "tasks/list",
)


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(browser: Browser, address: str, told: None) -> AsyncIterator[ConsolePage]:
    async with open_console_page(browser, address) as visitor:
        yield visitor
        assert visitor.browser_errors == []
        assert visitor.external_requests == []


async def test_a_search_highlights_matches_explains_scores_and_keeps_its_query(visitor: ConsolePage) -> None:
    await visitor.open("search")
    page = visitor.page
    await page.get_by_role("searchbox").fill("ขมิ้นชัน ท้องอืด")
    await page.get_by_role("search").get_by_role("button", name="Search").first.click()
    first = page.locator(".result").first
    await expect(first.locator("mark").first).to_contain_text("ขมิ้น")
    said = await first.locator(".stacked-bar").get_attribute("aria-label") or ""
    total, *parts = [float(number) for number in re.findall(r"\d+\.\d\d", said)]
    assert total == pytest.approx(sum(parts), abs=0.02)
    await page.get_by_role("button", name="Papers").click()
    await expect(page.get_by_role("heading", name="Herbs")).to_have_count(0)
    # No sample paper is about turmeric, and papers that do not fit are not shown.
    await page.get_by_role("searchbox").fill("weekly injection for weight loss")
    await page.get_by_role("search").get_by_role("button", name="Search").first.click()
    await page.get_by_text("Filters and weights").click()
    await page.get_by_role("combobox", name="Journal").fill("sanya")
    await page.get_by_role("option", name="Sanya Samples").click()
    await page.get_by_label("From year").fill("2024")
    await page.locator("details .buttons button").click()
    await visitor.settle()
    assert "q=" in page.url and "in=papers" in page.url and "journal=Sanya" in page.url and "from=2024" in page.url
    await page.reload()
    await visitor.settle()
    assert await page.locator(".result").count() > 0
    await page.locator(".result h3 a").first.click()
    await expect(page.locator("main .lead")).to_contain_text("Sanya Samples")
    assert "#/papers/" in page.url
    await page.go_back()
    await expect(page.locator(".result").first).to_be_visible()


async def test_the_graph_is_walked_by_pointer_and_by_keys(visitor: ConsolePage) -> None:
    await visitor.open("herbs/herb/curcuma-longa")
    page = visitor.page
    drawn = page.locator(".node")
    before = await drawn.count()
    assert before > 30
    await page.locator('.node[data-id="drug:warfarin"]').click()
    await expect(page.locator(".node-card h2")).to_have_text("warfarin")
    await expect(drawn.nth(before)).to_be_attached()
    await page.get_by_role("button", name=re.compile("^interacts with drug")).click()
    await expect(page.locator("line.e-interacts_with")).to_have_count(0)
    await page.get_by_role("button", name=re.compile("^interacts with drug")).click()
    neighbour = page.locator(".neighbours button").first
    name = (await neighbour.inner_text()).strip()
    await neighbour.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".node-card h2")).to_have_text(name)
    await visitor.settle()
    await page.get_by_role("link", name="Centre on this node").click()
    await expect(page.locator(".node.centre text")).to_contain_text(name[:10])


async def test_a_card_shows_warnings_first(visitor: ConsolePage) -> None:
    await visitor.open("herbs/herb/curcuma-longa")
    warned = visitor.page.locator(".warned")
    await expect(warned.locator(".warning").first).to_contain_text("contraindicated")
    await warned.locator(".warning > details > summary").first.click()
    statement = warned.locator(".statements > li").first
    await expect(statement.locator(".badge.good")).to_have_text("reviewed")
    await expect(statement).to_contain_text("Sources")
    await expect(visitor.page.locator(".node-card")).to_contain_text("Curcuma longa")


async def test_the_safety_check_shows_known_and_unknown_interactions(visitor: ConsolePage) -> None:
    await visitor.open("herbs/safety")
    page = visitor.page
    herbs = page.get_by_role("combobox", name="Herbs")
    await herbs.fill("ขมิ้นช")
    await expect(page.get_by_role("option", name="ขมิ้นชัน", exact=True)).to_be_visible()
    await herbs.press("ArrowDown")
    await herbs.press("Enter")
    await herbs.fill("nonsense")
    await herbs.press("Enter")
    drugs = page.get_by_role("combobox", name="Drugs taken")
    await drugs.fill("warfarin")  # and not chosen: what stands in a field is meant
    await page.get_by_role("button", name="Check", exact=True).click()
    await expect(page.locator(".unresolved")).to_contain_text("nonsense")
    await expect(page.locator(".warning").first).to_contain_text("warfarin")
    await expect(page.locator(".coverage")).to_contain_text("warnings recorded")
    await expect(page.locator(".notice.loud")).to_be_visible()
    await visitor.open("herbs/safety?herbs=curcuma-longa&drugs=paracetamol%7Cwarfarin&conditions=pregnancy")
    await expect(page.locator(".warning").filter(has_text="pregnancy").first).to_be_visible()
    severities = await page.locator(".warning > .row .badge:first-of-type").all_inner_texts()
    assert severities == sorted(severities, key=SEVERITIES.index)
    assert len(severities) >= 2


async def test_the_safety_matrix_names_the_verdict_on_every_pair(visitor: ConsolePage) -> None:
    await visitor.open("herbs/safety?herbs=cannabis-sativa%7Cnonsense&drugs=Coumadin%7Cmetformin&conditions=pregnancy")
    page = visitor.page
    rows = page.locator(".matrix tbody tr")
    await expect(page.locator(".matrix thead th")).to_have_text(["warfarinCoumadin", "metformin", "pregnancy"])
    await expect(rows.nth(0).get_by_role("rowheader")).to_have_text("cannabis")
    silent = "no warning recorded – not known to be safe"
    await expect(rows.nth(0).locator("td")).to_have_text(["contraindicated", silent, "contraindicated"])
    await expect(rows.nth(1).locator("td")).to_have_text(["not checked"] * 3)
    red = await rows.nth(0).locator("td").first.evaluate(BACKGROUND)
    grey = await rows.nth(0).locator("td").nth(1).evaluate(BACKGROUND)
    assert red != grey
    order = await page.locator(".unresolved, .matrix, .warnings, .notice.loud").evaluate_all(
        "found => found.map(part => part.classList[part.classList.length - 1])"
    )
    assert order == ["unresolved", "matrix", "warnings", "loud"]


async def test_a_safety_warning_says_what_may_happen_what_to_do_and_where_it_is_written(visitor: ConsolePage) -> None:
    await visitor.open("herbs/safety?herbs=cannabis-sativa&drugs=warfarin")
    first = visitor.page.locator(".warning").first
    await expect(first.locator("dt")).to_contain_text(["What may happen", "What to do", "Kind of evidence"])
    await expect(first.locator(".row .badge").first).to_have_text("contraindicated")
    await expect(first.locator(".references").first).to_contain_text("no address")
    await expect(first.locator(".references a").first).to_have_attribute("href", re.compile("^https://"))


async def test_a_candidate_of_a_misspelt_drug_fills_the_safety_form(visitor: ConsolePage) -> None:
    await visitor.open("herbs/safety?herbs=cannabis-sativa&drugs=warfrin")
    page = visitor.page
    await expect(page.get_by_role("heading", name="Shown because a name was not understood")).to_be_visible()
    await page.locator(".unresolved").get_by_role("button", name="warfarin").click()
    await expect(page.locator(".unresolved")).to_have_count(0)
    await expect(page.locator(".matrix td.verdict")).to_have_text(["contraindicated"])
    assert "warfrin" not in page.url


async def test_an_herb_edge_has_the_highest_strength_of_its_statements(visitor: ConsolePage) -> None:
    def put_weak_statements_first(answer: Any) -> Any:
        weak = [{**edge, "strength": "low"} for edge in answer["data"]["edges"] if edge["strength"]]
        return {**answer, "data": {**answer["data"], "edges": [*weak, *answer["data"]["edges"]]}}

    await visitor.change_answers("**/tools/tool.query_kg", put_weak_statements_first)
    await visitor.open("herbs/herb/cannabis-sativa")
    await expect(visitor.page.locator("line.e-interacts_with.s-high").first).to_be_attached()


async def test_the_memory_page_opens_with_what_was_remembered_last(visitor: ConsolePage) -> None:
    await visitor.open("memory")
    newest = visitor.page.locator(".newest li")
    await expect(newest.filter(has_text="caused by the flood in Rayong")).to_have_count(1)
    await newest.get_by_role("link", name="starts on 7 April").click()
    await expect(visitor.page.locator("h1")).to_have_text("The pilot plant in Rayong starts on 7 April 2026.")


async def test_a_correction_is_previewed_applied_and_undone(visitor: ConsolePage) -> None:
    await visitor.open("memory?q=pilot%20plant%20Rayong")
    page = visitor.page
    pair = page.locator(".pair").first
    await expect(pair).to_contain_text("3 March 2026")
    await expect(pair).to_contain_text("7 April 2026")
    entry = page.locator(".timeline > li", has_text="caused by the flood")
    rating = entry.locator(".rating b")
    before = await rating.inner_text()
    await entry.get_by_role("button", name="Correct").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Reason").fill("The minutes say otherwise")
    await expect(dialog.get_by_role("button", name="Apply")).to_be_disabled()
    await dialog.get_by_role("button", name="Preview").click()
    effect = dialog.locator(".effect")
    await expect(effect).to_contain_text("This would change")
    await expect(effect.locator(".rating b").first).to_have_text(before)
    after = await effect.locator(".rating b").nth(1).inner_text()
    assert after != before
    await expect(rating).to_have_text(before)
    await dialog.get_by_role("button", name="Apply").click()
    await expect(dialog).to_contain_text("Done.")
    await expect(rating).to_have_text(after)
    await dialog.get_by_role("button", name="Undo").click()
    await expect(dialog).to_have_count(0)
    await expect(rating).to_have_text(before)


async def test_a_memory_is_added_with_its_source(visitor: ConsolePage) -> None:
    await visitor.open("memory")
    page = visitor.page
    await page.get_by_role("button", name="Add a memory").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Fact or observation").fill("The turbine of hall seven was painted blue in May 2024.")
    await dialog.get_by_label("Document or URL").fill("log-5")
    await dialog.get_by_label("Reliability of the source").select_option("A")
    await dialog.get_by_role("button", name="Save", exact=True).click()
    await expect(dialog).to_contain_text("with the rating A3")
    await dialog.get_by_role("button", name="Close").click()
    await visitor.open("memory?q=turbine%20hall%20seven")
    entry = page.locator(".timeline > li", has_text="painted blue")
    await expect(entry).to_contain_text("completely reliable")
    await expect(entry).to_contain_text("log-5")


async def test_the_four_widgets_are_shown_unchanged_with_live_data(visitor: ConsolePage) -> None:
    await visitor.open("funds")
    page = visitor.page
    widgets = {
        name: page.frame_locator(f'iframe[title="{name}"]') for name in ("NAV", "Fund details", "Funds", "Comparison")
    }
    await expect(widgets["NAV"].locator("figure svg")).to_be_visible()
    await expect(widgets["Fund details"].locator("h1")).to_have_text("ABAPAC-RMF")
    await expect(widgets["Comparison"].locator("h1")).to_have_text("Compare")
    await widgets["Funds"].get_by_role("button", name="Details of B-ASIARMF").click()
    await expect(widgets["Funds"].locator("h1")).to_have_text("B-ASIARMF")
    fund = page.get_by_role("combobox", name="Fund", exact=True)
    await fund.fill("es-gold")
    await page.get_by_role("option", name="ES-GOLDRMF-UH").click()
    await expect(widgets["Fund details"].locator("h1")).to_have_text("ES-GOLDRMF-UH")
    await page.get_by_role("button", name="Dark").click()
    await page.get_by_role("button", name="ไทย").click()
    thai = page.frame_locator('iframe[title="กองทุนเดียว"]')
    await expect(thai.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(thai.locator("html")).to_have_attribute("lang", "th")


async def test_enter_takes_the_suggestion_in_the_compare_box(visitor: ConsolePage) -> None:
    await visitor.open("funds?compare=ABAPAC-RMF|B-ASIARMF")
    page = visitor.page
    box = page.get_by_role("combobox", name="Funds to compare")
    await box.fill("es-gold")
    await expect(page.get_by_role("option", name="ES-GOLDRMF-UH")).to_be_visible()
    await box.press("Enter")
    await expect(page.get_by_role("button", name="Remove: ES-GOLDRMF-UH")).to_be_visible()


async def test_a_week_is_reviewed_and_a_task_is_found_with_its_history(visitor: ConsolePage) -> None:
    await visitor.open("tasks?week=2025-06-02")
    page = visitor.page
    await expect(page.locator(".tiles > div", has_text="Completed")).to_contain_text("2")
    await expect(page.locator("main svg[role=img]")).to_contain_text("ร้านกาแฟ")
    await page.get_by_role("button", name="Next week").click()
    await expect(page.locator("main")).to_contain_text("9 Jun 2025 – 15 Jun 2025")
    assert "week=2025-06-09" in page.url
    await page.get_by_role("button", name="All tasks").click()
    await page.get_by_label("Search").fill("รายงาน")
    await expect(page.locator(".task-rows > li")).to_have_count(1)
    await expect(page.locator(".task-rows mark")).to_have_text("รายงาน")
    await page.locator(".task-rows button").click()
    await expect(page.get_by_role("dialog")).to_contain_text("changed status Doing → Done")
    await expect(page.get_by_role("dialog")).to_contain_text("changed due 4 Jun 2025, 10:00 → 6 Jun 2025, 10:00")


@pytest.mark.parametrize("place", PLACES)
async def test_a_widget_fits_a_phone_and_passes_the_accessibility_checker(
    browser: Browser, address: str, told: None, place: str
) -> None:
    for theme, language, width in (("light", "en", 1280), ("dark", "th", 390)):
        async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
            await visitor.open(place)
            for summary in (await visitor.page.locator("main summary").all())[:3]:
                await summary.click()
            assert await visitor.find_violations("main") == []
            assert await visitor.measure_overflow() == 0
            assert visitor.browser_errors == []


@pytest.mark.parametrize("place", PLACES)
async def test_hostile_answers_render_as_text_and_empty_answers_say_so(
    browser: Browser, address: str, told: None, place: str
) -> None:
    async with open_console_page(browser, address) as visitor:
        for change in (hostile, hollow):
            await visitor.page.unroute_all()
            for pattern in ("**/tools/*", "**/console/api/resource*", "**/console/api/complete*"):
                await visitor.change_answers(pattern, change)
            await (visitor.open(place) if change is hostile else visitor.page.reload())
            await visitor.settle()
            assert visitor.browser_errors == []
            assert await visitor.page.evaluate("typeof hacked") == "undefined"
            assert await visitor.page.locator("main img, main script").count() == 0
            text = await visitor.page.locator("main").inner_text()
            assert "NaN" not in text and "undefined" not in text and "[object" not in text


async def test_the_menu_shows_only_pages_the_caller_may_read(browser: Browser, address: str, told: None) -> None:
    async with open_console_page(browser, address) as visitor:
        scopes = ["tasks:read", "memory:read"]
        await visitor.change_answers(
            "**/console/api/session", lambda session: {**session, "scopes": scopes, "open": False}
        )
        await visitor.open("memory?q=pilot%20plant%20Rayong")
        pages = await visitor.page.get_by_role("navigation").get_by_role("link").all_inner_texts()
        assert {"Memory", "Tasks"} <= set(pages)
        assert not {"Herbs", "Funds"} & set(pages)
        assert await visitor.page.get_by_role("button", name="Correct").count() == 0
        assert await visitor.page.get_by_role("button", name="Add a memory").count() == 0
        await visitor.open("search?q=turmeric")
        assert await visitor.page.locator(".result").count() == 0


KEPT = (
    "type",
    "status",
    "action",
    "strength",
    "review",
    "nature",
    "object_type",
    "matched_lang",
    "reason",
    "from",
    "to",
)
KEPT_ENDS = ("_at", "_id", "id", "hash", "_lang", "_status", "week_start", "week_end", "period_end", "priority", "uri")


def hostile(answer: Any, name: str = "", turn: list[int] | None = None) -> Any:
    """Replace every free text in an answer by the next of a hundred attack strings."""
    turn = [0] if turn is None else turn
    match answer:
        case dict():
            return {key: hostile(value, key, turn) for key, value in answer.items()}
        case list():
            return [hostile(item, name, turn) for item in answer]
        case str() if name not in KEPT and not name.endswith(KEPT_ENDS):
            turn[0] += 1
            return HOSTILE[turn[0] % len(HOSTILE)]
        case _:
            return answer


def hollow(answer: Any) -> Any:
    """Empty every list of an answer and keep its shape."""
    match answer:
        case dict():
            return {key: hollow(value) for key, value in answer.items()}
        case list():
            return []
        case _:
            return answer
