"""Home, tools, ledger, evaluation and jobs pages in a real browser; language, theme and policy of every page."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from sanya import app
from sanya.app import App
from tests.console.console_page import ConsolePage, open_console_page
from tests.console.console_server import serve_console
from tests.console.test_widgets import HOSTILE

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST_FIRST_BYTES = 76 * 1024
DOCUMENT = """Turmeric (Curcuma longa) contains curcumin. Turmeric is used for flatulence.
Turmeric must not be used in bile duct obstruction. Turmeric interacts with warfarin.
"""
QUESTION = {
    "set": "custom",
    "params": {"questions": [{"text": "กินขมิ้นชันกับ warfarin ได้ไหม", "relevant": ["curcuma-longa"]}]},
}


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def evaluated(opened: App) -> str:
    """Run an evaluation and return its id."""
    return str((await opened.call("tool.eval.run", QUESTION))["run_id"])


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def called(opened: App) -> str:
    """Return the id of a call in the ledger."""
    await opened.call("get_projects", {"limit": 2})
    await opened.ledger.flush()
    (link,) = await opened.ledger_store.page(1, tool="get_projects")
    return link.entry.id


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(browser: Browser, address: str) -> AsyncIterator[ConsolePage]:
    async with open_console_page(browser, address) as visitor:
        yield visitor
        assert visitor.browser_errors == []
        assert visitor.external_requests == []


@pytest.mark.parametrize(("theme", "language", "width"), [("light", "en", 1280), ("dark", "th", 390)])
async def test_every_page_is_readable_by_all_and_fits_its_window(
    browser: Browser, address: str, evaluated: str, called: str, theme: str, language: str, width: int
) -> None:
    places = ("home", "tools", "tools/tool.ingest.run", "ledger", f"ledger/{called}", "evaluation", "jobs", "nowhere")
    async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
        for place in places:
            await visitor.open(place)
            assert (await visitor.find_violations(), place) == ([], place)
            assert (await visitor.measure_overflow(), place) == (0, place)
            assert await visitor.page.evaluate("document.documentElement.lang") == language
        assert visitor.browser_errors == [] and visitor.external_requests == []


async def test_the_first_page_is_small_and_shows_the_holdings(visitor: ConsolePage) -> None:
    sizes: list[int] = []

    async def weigh(response: Any) -> None:
        if response.url.endswith(".js"):
            sizes.append(len(await response.body()))

    visitor.page.on("response", weigh)
    await visitor.open("home")
    main = visitor.page.locator("main")
    for words in ("Retirement funds", "All systems work", "connect claude-desktop --home"):
        await expect(main).to_contain_text(words)
    await expect(main).to_contain_text(re.compile(r"\d,\d{3} entities"))
    assert 0 < sum(sizes) < MOST_FIRST_BYTES
    await main.get_by_role("button", name="VS Code").click()
    await main.get_by_role("button", name="This running server").click()
    await expect(main.locator("pre").last).to_contain_text(f"{visitor.address}/mcp/portable")


async def test_language_and_theme_are_switched_and_remembered(visitor: ConsolePage) -> None:
    await visitor.open("home")
    page = visitor.page
    light = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    await page.get_by_role("button", name="Dark").click()
    await page.get_by_role("button", name="ไทย").click()
    await expect(page.locator("h1")).to_have_text("ยินดีต้อนรับสู่สัญญา")
    assert await page.evaluate("localStorage.getItem('sanya.theme')") == "dark"
    assert await page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light


async def test_the_keyboard_reaches_everything_and_a_dialog_traps_focus(visitor: ConsolePage) -> None:
    await visitor.open("tools/corpus.checkpoint.create")
    page = visitor.page
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()
    await page.get_by_role("button", name="Run").focus()
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("corpus.checkpoint.create")
    for _ in range(8):
        await page.keyboard.press("Tab")
        assert await page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_role("button", name="Run")).to_be_focused()


async def test_a_tool_is_found_filled_in_run_and_exported(visitor: ConsolePage) -> None:
    await visitor.open("tools")
    page = visitor.page
    await page.get_by_label("Find a tool").fill("list funds")
    await page.get_by_role("link", name="get_rmf_funds").click()
    await page.get_by_label("pageSize").fill("3")
    await page.get_by_label("sortOrder").select_option("desc")
    await page.get_by_role("group", name="View").first.get_by_role("button", name="JSON").click()
    typed = page.get_by_role("textbox", name="JSON")
    await expect(typed).to_have_value(re.compile('"pageSize": 3'))
    await typed.fill('{"pageSize": 2')
    await expect(page.get_by_role("button", name="Run")).to_be_disabled()
    await typed.fill('{"pageSize": 2}')
    await page.get_by_role("button", name="Form").click()
    await expect(page.get_by_label("pageSize")).to_have_value("2")
    await page.get_by_role("button", name="Run").click()
    answer = page.locator(".card", has=page.get_by_role("heading", name="Answer", exact=True))
    await answer.get_by_role("button", name="Table").click()
    await expect(answer.locator("tbody tr")).to_have_count(2)
    await answer.get_by_text("Stamp").click()
    seed = await answer.locator(".facts dd").nth(2).text_content() or ""
    digits = await answer.locator(".facts dd").first.text_content() or ""
    assert int(seed) == int(digits[:16], 16), "64 bits, exact"
    await page.get_by_role("button", name="MCP JSON").click()
    await expect(page.locator("pre").last).to_contain_text('"method": "tools/call"')
    await page.get_by_role("button", name="Clear").click()
    await page.get_by_label("pageSize").fill("2")
    await page.get_by_role("button", name="curl", exact=True).click()
    await expect(page.locator("pre").last).to_contain_text("""-d '{"args":{"pageSize":2}}'""")


async def test_a_refusal_shows_the_suites_message(browser: Browser, address: str) -> None:
    async with open_console_page(browser, address) as visitor:
        await visitor.open("tools/get_rmf_fund_detail")
        await visitor.page.get_by_label("fundCode").fill("ABAPAC-RMX")
        await visitor.page.get_by_role("button", name="Run").click()
        await expect(visitor.page.get_by_role("alert")).to_contain_text("does not exist")
        await expect(visitor.page.get_by_role("alert")).to_contain_text("ABAPAC-RMF")


async def test_the_ledger_is_filtered_verified_and_replayed(visitor: ConsolePage, called: str) -> None:
    await visitor.open("ledger")
    page = visitor.page
    await page.get_by_role("button", name="Verify the chain").click()
    await expect(page.get_by_text("The chain is valid")).to_be_visible()
    await page.get_by_role("combobox", name="Tool").fill("get_projects")
    await expect(page.locator("tbody tr")).to_have_count(1)
    assert "tool=get_projects" in page.url
    await page.get_by_role("link", name="get_projects").click()
    await expect(page.locator(".json").first).to_contain_text("limit")
    await page.get_by_role("button", name="Replay").click()
    await expect(page.get_by_text("The answer is the same")).to_be_visible()
    await expect(page.get_by_role("region", name="Compared")).to_contain_text("Data revision")


async def test_an_evaluation_is_followed_stopped_and_read(visitor: ConsolePage, evaluated: str) -> None:
    saved: dict[str, bytes] = {}
    await visitor.open("evaluation")
    page = visitor.page
    await page.get_by_role("button", name="Smoke set").click()
    await expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", re.compile(r"[1-9]"))
    await page.get_by_role("button", name="Stop").click()
    await expect(page.get_by_role("alert")).to_contain_text("Stopped")
    await page.get_by_role("link", name="Open the report").first.click()
    report = page.frame_locator("iframe")
    await expect(report.locator("h1")).to_be_visible()
    assert await page.locator("iframe").get_attribute("sandbox") == "allow-same-origin"
    assert await report.locator("body").evaluate("one => getComputedStyle(one).fontFamily") != "serif"
    await page.get_by_text("Save tables and charts of this report").click()
    sections = page.locator(".report-saves li")
    for place, button in (
        ("By language", "CSV"),
        ("How soon search finds it", "SVG"),
        ("How soon search finds it", "PNG"),
    ):
        async with page.expect_download() as waiting:
            await sections.filter(has_text=place).get_by_role("button", name=button).click()
        saved[button] = Path(await (await waiting.value).path()).read_bytes()
    (row,) = csv.DictReader(io.StringIO(saved["CSV"].decode("utf-8-sig")))
    assert (row["Language"], row["n"]) == ("Thai", "1")
    assert b'viewBox="0 0 420' in saved["SVG"] and b"class=" not in saved["SVG"]
    assert re.search(rb'<polyline[^>]*stroke="rgb', saved["SVG"]), "the colours of the report's style are written in"
    assert saved["PNG"].startswith(b"\x89PNG")
    visitor.browser_errors[:] = [error for error in visitor.browser_errors if "sandboxed" not in error]


async def test_documents_are_previewed_ingested_and_rolled_back(visitor: ConsolePage, opened: App) -> None:
    inbox = opened.settings.home / "inbox"
    inbox.mkdir(exist_ok=True)
    (inbox / "turmeric.txt").write_text(DOCUMENT, "utf-8")
    count = "SELECT COUNT(*) FROM herb_nodes"
    before = await opened.database.fetch(count)
    await visitor.open("jobs")
    page = visitor.page
    await page.get_by_label("Documents").fill("turmeric.txt")
    await page.get_by_role("button", name="Preview changes").click()
    changes = page.get_by_role("region", name="Changes")
    await expect(changes).to_contain_text("turmeric – contains → curcumin")
    await expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "100")
    await expect(page.get_by_role("region", name="Log")).to_contain_text("started")
    assert await opened.database.fetch(count) == before, "a dry run writes nothing"
    await page.get_by_role("button", name="Write these changes").click()
    await page.get_by_role("button", name="Yes").click()
    roll_back = page.get_by_role("button", name="Roll back")
    await roll_back.click()
    assert await opened.database.fetch(count) > before
    await page.get_by_role("button", name="Yes").click()
    await expect(page.get_by_text("rolled back").first).to_be_visible()
    assert await opened.database.fetch(count) == before
    await visitor.open("jobs")
    await expect(page.locator("tbody tr")).to_have_count(2)


async def test_hostile_text_is_rendered_as_text(visitor: ConsolePage, called: str) -> None:
    texts = HOSTILE[:50]

    def in_answer(content: Any) -> Any:
        content["data"] = {"items": [{"title": text, text: text} for text in texts], "note": texts}
        return content

    def in_ledger(content: Any) -> Any:
        if "calls" in content:
            content["calls"] = [
                {
                    **content["calls"][0],
                    "id": f"{at}{text}",
                    "tool": text,
                    "caller": text,
                    "surface": text,
                    "fault": text,
                }
                for at, text in enumerate(texts)
            ]
        return content

    def in_row(content: Any) -> Any:
        hostile = {name: texts[0] for name, value in content.items() if isinstance(value, str)}
        return {**content, **hostile, "id": content["id"], "not_replayable": texts[1]}

    await visitor.change_answers("**/tools/get_tasks", in_answer)
    await visitor.change_answers("**/console/api/ledger*", in_ledger)
    await visitor.change_answers("**/console/api/call*", in_row)
    page = visitor.page
    await visitor.open("tools/get_tasks")
    await page.get_by_role("button", name="Run").click()
    answer = page.locator(".card", has=page.get_by_role("heading", name="Answer", exact=True))
    for view in ("Raw", "Table"):
        await answer.get_by_role("button", name=view).click()
        await expect(answer).to_contain_text(texts[0])
    for place in ("ledger", f"ledger/{called}", "home"):
        await visitor.open(place)
        await expect(page.locator("main")).to_contain_text("<script>hacked=1</script>")
    assert await page.evaluate("typeof window.hacked") == "undefined"


async def test_the_policy_blocks_foreign_scripts_and_requests(browser: Browser, address: str) -> None:
    async with open_console_page(browser, address) as visitor:
        await visitor.open("home")
        tried = await visitor.page.evaluate(
            """async () => {
                const script = document.createElement("script");
                script.textContent = "window.hacked = 1";
                document.body.append(script);
                const image = new Image();
                image.src = "http://127.0.0.1:9/x.png";
                const out = await fetch("http://127.0.0.1:9/").then(() => "out", () => "held");
                return [out, typeof window.hacked];
            }"""
        )
        assert tried == ["held", "undefined"]
        assert any("Content Security Policy" in trouble for trouble in visitor.browser_errors)


async def test_signing_in_with_a_key_shows_what_its_scopes_allow(browser: Browser, tmp_path: Path) -> None:
    async with app.open(tmp_path, port=0, grpc="off", log_level="error") as home:
        key = await home.keys.create("reader", ["tasks:read"])
        async with serve_console(home) as address, open_console_page(browser, address) as visitor:
            page = visitor.page
            await page.goto(address)
            await page.get_by_label("Key").fill("sanya_wrong")
            await page.get_by_role("button", name="Sign in").click()
            await expect(page.get_by_role("alert")).to_contain_text("unknown or revoked")
            assert await visitor.find_violations() == []
            await page.get_by_label("Key").fill(key)
            await page.get_by_role("button", name="Sign in").click()
            await expect(page.locator(".suite")).to_have_count(1)
            await expect(page.get_by_role("navigation").get_by_role("link", name="Jobs")).to_have_count(0)
            await page.goto(f"{address}/#/tools/get_tasks")
            await page.get_by_role("button", name="Run").click()
            await expect(page.get_by_text("In the ledger")).to_be_visible()
            await expect(page.locator(".tool-list li")).to_have_count(5)
            await expect(page.locator("pre").first).to_contain_text("Bearer $SANYA_KEY")
            await page.goto(f"{address}/#/ledger")
            await expect(page.get_by_text("Your calls")).to_be_visible()
            await expect(page.get_by_role("button", name="Verify the chain")).to_have_count(0)
            await page.goto(f"{address}/#/jobs")
            await expect(page.locator("main")).to_contain_text("herbs:read")
            await page.get_by_role("button", name="Sign out").click()
            await expect(page.get_by_role("button", name="Sign in")).to_be_visible()
            assert key not in await page.evaluate("JSON.stringify([sessionStorage, localStorage, document.cookie])")
