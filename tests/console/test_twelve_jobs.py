"""The twelve jobs for which people open the console, in both languages and on a phone, with their clicks counted.

`pytest -s tests/console/test_twelve_jobs.py` prints the counts. Every job begins on the first page. What is typed
counts as one step a field. The selectors say nothing about the language, so that the same steps run in both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.console.console_page import open_console_page
from tests.long_form import often

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOOKS = [("light", "th", 390), ("light", "en", 1440), ("dark", "th", 1440)]
MOST_STEPS = 16
DOCUMENT = "Turmeric (Curcuma longa) contains curcumin. Turmeric interacts with warfarin.\n"


@dataclass
class Person:
    """Somebody at the console. Counts clicks and what is typed."""

    page: Page
    address: str
    folder: Path
    clicks: int = 0
    typed: int = 0
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)

    async def click(self, selector: str, *, text: str | None = None) -> None:
        await self.page.locator(selector, has_text=text).first.click()
        self.clicks += 1

    async def type(self, selector: str, text: str, *, key: str | None = None, nth: int = 0) -> None:
        box = self.page.locator(selector).nth(nth)
        await box.fill(text)
        if key is not None:
            await box.press(key)
        self.typed += 1

    async def go(self, page: str) -> None:
        """Open a page from the menu, which is behind a button on a phone."""
        if await self.page.locator("button.menu").is_visible():
            await self.click("button.menu")
        await self.click(f'nav a[href="#/{page}"]')
        await self.page.locator("main h1").wait_for()

    async def see(self, selector: str, *, text: str | None = None) -> None:
        await expect(self.page.locator(selector, has_text=text).first).to_be_visible()

    async def do(self, name: str, job: Callable[[Person], Awaitable[None]]) -> None:
        await self.page.goto(f"{self.address}/#/home")
        await self.page.locator(".suites").wait_for()
        self.clicks = self.typed = 0
        await job(self)
        self.counts[name] = self.clicks, self.typed


async def open_safety_check(person: Person) -> None:
    """Open the check and wait for its four fields: the graph before it has one that takes names too."""
    await person.click(".page-head .choices button:nth-child(2)")
    await person.page.locator("form input[role=combobox]").nth(3).wait_for()


async def check_herb(person: Person) -> None:
    await person.go("herbs")
    await open_safety_check(person)
    await person.type("form input[role=combobox]", "ขมิ้นชัน")
    await person.click("form button.main")
    await person.see(".warning")


async def check_three_herbs_with_two_drugs(person: Person) -> None:
    await person.go("herbs")
    await open_safety_check(person)
    for herb in ("ขมิ้นชัน", "garlic", "ginkgo"):
        await person.type("form input[role=combobox]", herb, key="Enter")
    for drug in ("warfarin", "aspirin"):
        await person.type("form input[role=combobox]", drug, key="Enter", nth=2)
    await person.click("form button.main")
    await expect(person.page.locator(".matrix td.verdict")).to_have_count(6)


async def cite_paper(person: Person) -> None:
    await person.go("papers")
    await person.type("input[type=search]", "weight loss trial")
    await person.click(".search-box button.main")
    await person.click(".result h3 a")
    await person.click(".paper-columns .choices button:nth-child(3)")
    await person.see(".code", text="@article{")


async def walk_graph(person: Person) -> None:
    await person.go("herbs")
    await person.type("form input[role=combobox]", "ขมิ้นชัน", key="Enter")
    await person.click(".neighbours li button")
    await person.see(".centre-link a")


async def add_correct_and_undo_memory(person: Person) -> None:
    await person.go("memory")
    await person.click(".page-head button.main")
    await person.type("dialog textarea", f"The boiler of hall nine was painted green in March 2024 ({id(person)}).")
    await person.click("dialog form button.main")
    await person.see("dialog [aria-live] p")
    await person.click("dialog .card-head button")
    await person.type(".search-box input", "boiler of hall nine", key="Enter")
    await person.click(".timeline > li button")
    await person.type("dialog textarea, dialog form input[type=text]", "The plan says otherwise")
    await person.click("dialog form button[type=submit]")
    await person.see("dialog .effect")
    await person.click("dialog form button.main")
    await person.click("dialog [aria-live] .buttons button")
    await expect(person.page.get_by_role("dialog")).to_have_count(0)


async def compare_four_funds(person: Person) -> None:
    await person.go("funds")
    box = ".chips-field input[role=combobox]"
    await person.type(box, "K-GOLDRMF" if await has_fund(person, "K-GOLDRMF") else "RMF")
    await person.click(".chips-field [role=option]")
    await expect(person.page.locator(".chart-value")).to_have_count(4)


async def has_fund(person: Person, code: str) -> bool:
    answer = await person.page.request.get(
        f"{person.address}/console/api/complete?prompt=explain_fund_risk&argument=fund&value={code}"
    )
    return code in (await answer.json())["values"]


async def review_week(person: Person) -> None:
    await person.go("tasks")
    await person.click(".week button")
    await person.see(".tiles dd")


async def import_document(person: Person) -> None:
    file = person.folder / "turmeric.txt"
    file.write_text(DOCUMENT, encoding="utf-8")
    await person.go("import")
    await person.page.locator("input[type=file]").set_input_files(file)
    person.clicks += 1
    await person.click("main .buttons button.main")
    await person.click("dialog button.main")
    await person.see("main .buttons button.danger")


async def replay_call(person: Person) -> None:
    await person.go("ledger")
    await person.click(".field.check input")
    await person.click("tbody a", text="get_")
    await person.click(".replay button.main")
    await person.see(".replay .badge")


async def verify_ledger(person: Person) -> None:
    await person.go("ledger")
    await person.click(".verification button")
    await person.see(".head-hash code")


async def run_tool(person: Person) -> None:
    await person.go("tools")
    await person.click('.tool-list a[href="#/tools/get_projects"]')
    await person.click("form button.main")
    await person.see(".answer .json, .answer table")


async def connect_client(person: Person) -> None:
    await person.click(".connect .choices button", text="VS Code")
    await person.click(".connect .copy")
    await person.see(".connect pre", text="sanya")


JOBS: dict[str, Callable[[Person], Awaitable[None]]] = {
    "interactions of a herb": check_herb,
    "three herbs with two drugs": check_three_herbs_with_two_drugs,
    "a paper found, opened and cited": cite_paper,
    "the graph walked": walk_graph,
    "a memory added, corrected, undone": add_correct_and_undo_memory,
    "four funds over a year": compare_four_funds,
    "a weekly review": review_week,
    "a document imported from the browser": import_document,
    "a call replayed": replay_call,
    "the ledger verified": verify_ledger,
    "a tool run from its form": run_tool,
    "a client connected": connect_client,
}


@pytest.mark.parametrize(("theme", "language", "width"), LOOKS[: often(1, 3)])
async def test_twelve_jobs_are_done_in_few_steps(
    browser: Browser, address: str, tmp_path: Path, theme: str, language: str, width: int
) -> None:
    async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
        person = Person(visitor.page, address, tmp_path)
        for name, job in JOBS.items():
            await person.do(name, job)
        assert visitor.browser_errors == [] and visitor.external_requests == []
    print(f"\n{language}, {width} px wide:")
    for name, (clicks, typed) in person.counts.items():
        print(f"  {name:40} {clicks:2} clicks, {typed:2} typed")
    assert len(person.counts) == 12
    assert max(clicks + typed for clicks, typed in person.counts.values()) <= MOST_STEPS
