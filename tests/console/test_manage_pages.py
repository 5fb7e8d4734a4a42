"""Import, keys, settings, operations, papers, and the box that goes anywhere, in a real browser."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from sanya.app import App
from tests.console.console_page import ConsolePage, open_console_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLACES = (
    "papers", "papers/watched", "papers/9900000001", "import", "import/tasks", "keys", "settings", "operations",
    "memory/graph", "funds/ABAPAC-RMF", "tasks/task/sample-tax-report",
)  # fmt: skip
TODO = b"Call the bank due:2027-01-05\nWater the plants\n"


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(browser: Browser, address: str) -> AsyncIterator[ConsolePage]:
    async with open_console_page(browser, address) as visitor:
        yield visitor
        assert visitor.browser_errors == []
        assert visitor.external_requests == []


async def save(page: Page, name: str, group: str) -> bytes:
    """Press a button that saves a file, and return its content."""
    async with page.expect_download() as waiting:
        await page.get_by_role("group", name=group).first.get_by_role("button", name=name).click()
    return Path(await (await waiting.value).path()).read_bytes()


@pytest.mark.parametrize(("theme", "language", "width"), [("light", "en", 1440), ("dark", "th", 390)])
async def test_every_new_page_is_readable_by_all_and_fits_its_window(
    browser: Browser, address: str, told: None, theme: str, language: str, width: int
) -> None:
    async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
        for place in PLACES:
            await visitor.open(place)
            assert (await visitor.find_violations("main"), place) == ([], place)
            assert (await visitor.measure_overflow(), place) == (0, place)
            text = await visitor.page.locator("main").inner_text()
            assert not re.search(r"`|NaN|undefined|\[object", text), place
        assert visitor.browser_errors == [] and visitor.external_requests == []


async def test_one_box_goes_anywhere_by_keyboard(visitor: ConsolePage) -> None:
    page = visitor.page
    await visitor.open("home")
    await page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Go to or search")
    await expect(box).to_be_focused()
    assert await visitor.find_violations("dialog") == []
    await box.fill("ledger")
    await page.keyboard.press("Enter")
    await expect(page.locator("h1")).to_have_text("Ledger")
    await page.locator("h1").focus()
    await page.keyboard.press("/")
    await page.get_by_role("combobox", name="Go to or search").fill("ABAPAC")
    found = page.get_by_role("option", name="ABAPAC-RMF")
    await expect(found).to_be_visible()
    for _ in range(12):
        if await found.get_attribute("aria-selected") == "true":
            break
        await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator("h1")).to_have_text("ABAPAC-RMF")
    assert page.url.endswith("#/funds/ABAPAC-RMF")
    await page.get_by_role("button", name="Save this view").click()
    await expect(page.get_by_role("navigation", name="Saved views")).to_contain_text("ABAPAC-RMF")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("option", name="ABAPAC-RMF").first).to_be_visible()  # recent
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_charts_and_tables_are_saved_as_files(visitor: ConsolePage) -> None:
    page = visitor.page
    await visitor.open("funds/ABAPAC-RMF")
    await expect(page.locator(".chart svg").first).to_be_visible()
    group = "Save as: ABAPAC-RMF-nav"
    drawing = (await save(page, "SVG", group)).decode()
    assert drawing.startswith("<svg") and "<path" in drawing and "class=" not in drawing
    assert (await save(page, "PNG", group)).startswith(b"\x89PNG")
    rows = list(csv.reader(io.StringIO((await save(page, "CSV", group)).decode("utf-8-sig"))))
    assert rows[0] == ["at", "Baht"] and len(rows) > 10
    await page.locator(".chart svg").first.focus()
    await page.keyboard.press("Home")
    await expect(page.locator(".chart-at").first).to_have_text(rows[1][0])
    await visitor.open("ledger?reads=all")
    calls = json.loads(await save(page, "JSON", "Save as: ledger"))
    assert {"at", "tool", "status", "caller"} <= set(calls[0])


async def test_tasks_are_imported_from_the_browser(visitor: ConsolePage, opened: App, tmp_path: Path) -> None:
    file = tmp_path / "todo.txt"
    file.write_bytes(TODO)
    page = visitor.page
    await visitor.open("import/tasks")
    await page.get_by_label("Choose files").set_input_files(file)
    await expect(page.get_by_role("heading", name="What would change")).to_be_visible()
    await expect(page.locator(".count-tiles")).to_contain_text("2 new")
    assert await visitor.find_violations("main") == []
    await page.get_by_role("button", name="Discard").click()
    await expect(page.get_by_role("heading", name="What would change")).to_have_count(0)
    assert (await opened.call("get_tasks", {"search": "Call the bank"}))["items"] == []


async def test_a_paper_is_opened_cited_and_saved(visitor: ConsolePage, opened: App) -> None:
    found = await opened.call("rag.search", {"query": "weight loss", "top_k": 1})
    pmid = found["documents"][0]["pmid"]
    page = visitor.page
    await page.goto(f"{visitor.address}/papers/{pmid}")
    await expect(page.locator(".abstract").first).to_be_visible()
    assert page.url.endswith(f"/#/papers/{pmid}"), "an address without a hash leads to the page"
    await page.get_by_role("button", name="BibTeX").click()
    await expect(page.locator(".code")).to_contain_text("@article{")
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name=f"pmid-{pmid}.bib").click()
    assert (await waiting.value).suggested_filename == f"pmid-{pmid}.bib"
    await expect(page.get_by_role("heading", name="Versions")).to_be_visible()


async def test_a_setting_is_checked_and_an_unknown_value_says_what_it_takes(visitor: ConsolePage, opened: App) -> None:
    page = visitor.page
    await visitor.open("settings?q=time_zone")
    await page.get_by_role("button", name="Change: time_zone").click()
    field = page.get_by_label("Value: time_zone")
    await field.fill("Mars/Olympus")
    async with page.expect_response("**/settings") as refused:
        await page.get_by_role("button", name="Check", exact=True).click()
    assert (await refused.value).status == 400
    await expect(page.get_by_role("alert")).to_contain_text("IANA")
    visitor.browser_errors.clear()  # the browser tells every status of 400
    await field.fill("Asia/Bangkok")
    await page.get_by_role("button", name="Check", exact=True).click()
    await expect(page.get_by_text("This value is accepted.")).to_be_visible()
    assert not (opened.settings.home / "sanya.toml").exists()
    await visitor.open("settings?q=allowed_hosts")
    await expect(page.locator(".settings")).to_contain_text("sanya settings set allowed_hosts")


async def test_explanations_are_in_thai_on_thai_pages(browser: Browser, address: str) -> None:
    async with open_console_page(browser, address, language="th") as visitor:
        main = visitor.page.locator("main")
        await visitor.open("settings?q=สัปดาห์")
        await expect(main).to_contain_text("เขตเวลาของสัปดาห์")
        await expect(main).not_to_contain_text("Time zone for weeks")
        await visitor.open("home")
        await expect(main).to_contain_text("ปิด Claude Desktop แล้วเปิดใหม่")
        await visitor.open("herbs/herb/curcuma-longa")
        await main.locator(".warning > details > summary").first.click()
        statement = main.locator(".statements > li").first
        await expect(statement).to_contain_text(re.compile("เกณฑ์: (จัด|ตาม|ผู้)"))
        await expect(statement).not_to_contain_text("rule:")
        await expect(main.locator(".statements").first).not_to_contain_text("ya-khamin-chan")
        await visitor.open("search?q=ขมิ้นชัน&in=herbs")
        sources = main.locator(".result > small")
        await expect(sources.filter(has_text="97 NLEM herbal items").first).to_be_visible()
        await expect(sources.locator("code")).to_have_count(0)
        await visitor.open("herbs/herb/curcuma-longa")
        await expect(main.locator(".facts").last).to_contain_text("เหง้า")
        await visitor.open("tools/tool.query_kg")
        await expect(main).to_contain_text("เส้นทางในกราฟสมุนไพร")
        await expect(main).not_to_contain_text("Follows the herb graph")


async def test_the_safety_sheet_prints_on_one_page(visitor: ConsolePage) -> None:
    await visitor.open(
        "herbs/safety?herbs=ขมิ้นชัน%7Cกระเทียม%7Cginkgo-biloba&drugs=warfarin%7Caspirin&conditions=pregnancy"
    )
    await expect(visitor.page.locator(".matrix tbody tr")).to_have_count(3)
    await expect(visitor.page.locator(".matrix tbody th").first).to_have_text("turmericขมิ้นชัน")
    pdf = await visitor.page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    # No cell of the matrix stays unexplained, also where there are more warnings than rows.
    warned = await visitor.page.locator(".sheet-matrix tr:has(.verdict)").evaluate_all(
        "rows => rows.flatMap(row => [...row.querySelectorAll('.minor, .moderate, .major, .contraindicated')].map("
        "cell => [row.querySelector('th span').textContent, "
        "row.closest('table').rows[0].cells[cell.cellIndex].querySelector('span').textContent]))"
    )
    explained = await visitor.page.locator(".sheet-warnings td:first-child").all_text_contents()
    assert len(warned) > 2
    for herb, object in warned:
        assert any(row.startswith(f"{herb} +") and object in row for row in explained), (herb, object, explained)


async def test_the_ledger_hides_what_the_console_itself_read(visitor: ConsolePage) -> None:
    page = visitor.page
    await visitor.open("tasks")
    await visitor.open("ledger")
    await expect(page.locator("main .card").last).to_be_visible()
    # Tests before this one may have written through the console; what it wrote is shown.
    own_reads = page.locator("tbody tr").filter(has_text="get_tasks").filter(has_text="console")
    await expect(own_reads).to_have_count(0)
    await page.get_by_label("Show this console's own reads").check()
    await expect(own_reads.first).to_be_visible()
    assert "reads=all" in page.url


async def test_an_unknown_page_lists_those_that_exist(visitor: ConsolePage) -> None:
    page = visitor.page
    await visitor.open("paper/1")
    await expect(page.locator("main")).to_contain_text("Did you mean Papers?")
    assert await page.locator("main").get_by_role("link").count() > 10


async def test_hostile_data_stays_text_on_the_new_pages(browser: Browser, address: str, told: None) -> None:
    hostile = '"><img src=x onerror="hacked=1"><script>hacked=1</script>'

    def spoil(answer: Any) -> Any:
        if isinstance(answer, dict):
            return {name: value if name in KEPT else spoil(value) for name, value in answer.items()}
        if isinstance(answer, list):
            return [spoil(item) for item in answer]
        return hostile if isinstance(answer, str) else answer

    async with open_console_page(browser, address) as visitor:
        for pattern in ("**/tools/*", "**/console/api/*", "**/console/api/*/*"):
            await visitor.change_answers(pattern, spoil)
        for place in PLACES:
            await visitor.open(place)
            assert await visitor.page.evaluate("typeof hacked") == "undefined", place
            assert await visitor.page.locator("main img, main script").count() == 0, place
        # Spoiled ids are refused or not found, which the browser tells; nothing else may go wrong.
        assert [error for error in visitor.browser_errors if not error.startswith("Failed to load resource")] == []


KEPT = frozenset({"caller", "scopes", "type", "status", "code", "state", "next_cursor", "priority", "action", "pmcid"})
