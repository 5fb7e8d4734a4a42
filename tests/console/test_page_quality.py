"""Every page at every size, at 200 % zoom, by keyboard, without motion, and against its last accepted picture.

`python -m tests.console.accept_pictures` accepts the pages as they look now.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Browser

from sanya.app import App
from tests.console.accept_pictures import FOLDER, PICTURED, take_small_picture
from tests.console.console_page import open_console_page
from tests.long_form import often

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = (
    "home", "search?q=turmeric", "papers", "herbs/herb/curcuma-longa",
    "herbs/safety?herbs=curcuma-longa&drugs=warfarin", "review", "review/coverage", "memory", "memory/graph", "funds",
    "funds/ABAPAC-RMF", "tasks?week=2025-06-02", "tasks/list", "tools", "tools/tool.query_kg", "ledger?reads=all",
    "evaluation", "jobs", "operations", "import/papers", "keys", "settings", "nowhere", "papers/9900000001",
    "papers/watched", "tasks/task/sample-tax-report", "suites", "suites/tasks",
)  # fmt: skip
WIDTHS = (360, 390, 768, 1440, 2560)
# A window of 1,440 pixels at 200 % zoom has room for 720.
ZOOMED = 720
_MOST_TABS = 60
# Mean difference of grey values, 0 to 255. Between two runs it is up to 0.3; without its cards a page differs by 1.6,
# without its style sheet by 49.
_TOLERANCE = 1.2
_MOVING = "document.getAnimations().filter(animation => animation.playState === 'running').length"
_FOCUS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const own = element.matches("iframe, .palette input") || element.closest(".search-box") !== null;
  return {shown: ring || own, seen: box.width > 0 && box.height > 0, what: element.outerHTML.slice(0, 120)};
}"""


# Tables and drawings whose nearest group of buttons does not offer every kind of file.
_UNSAVED = """() => {
  const buttons = ":scope > .save button, :scope > .drawing-foot button";
  const offers = (element, ways) => {
    for (let box = element.parentElement; box && box.id !== "content"; box = box.parentElement) {
      const names = [...box.querySelectorAll(buttons)].map((button) => button.textContent.trim());
      if (names.length) return ways.every((way) => names.includes(way));
    }
    return false;
  };
  const lacking = (selector, ways) =>
    [...document.querySelectorAll(selector)].filter((found) => !found.closest(".print-only") && !offers(found, ways));
  const drawings = lacking("main svg:is([role=img], [role=slider]):not(.sparkline)", ["PNG", "SVG"]);
  return [...drawings, ...lacking("main table", ["CSV", "JSON"])].map((element) => element.outerHTML.slice(0, 120));
}"""
SAVED = (
    "papers", "review/coverage", "tools/tool.query_kg", "herbs/safety?herbs=curcuma-longa&drugs=warfarin",
    "herbs/herb/curcuma-longa", "memory?q=Rayong", "memory/graph", "funds/ABAPAC-RMF", "tasks?week=2025-06-02",
    "ledger?reads=all", "operations",
)  # fmt: skip


def sample(items: tuple[str, ...], count: int) -> tuple[str, ...]:
    return items[:: max(1, len(items) // count)]


@pytest.mark.parametrize(("theme", "language"), [("light", "th"), ("dark", "en")][: often(1, 2)])
async def test_pages_fit_every_width_and_200_percent_zoom(
    browser: Browser, address: str, told: None, theme: str, language: str
) -> None:
    async with open_console_page(browser, address, theme=theme, language=language, width=WIDTHS[0]) as visitor:
        for place in sample(PAGES, often(6, len(PAGES))):
            await visitor.open(place)
            for width in (*WIDTHS, ZOOMED):
                await visitor.page.set_viewport_size({"width": width, "height": 900})
                assert (await visitor.measure_overflow(), place, width) == (0, place, width)
            await visitor.page.set_viewport_size({"width": WIDTHS[0], "height": 900})
            # Nothing moves for those who asked for less motion.
            moving = await visitor.page.evaluate(
                "document.getAnimations().filter(a => a.playState === 'running').length"
            )
            assert (moving, place) == (0, place)
        assert visitor.browser_errors == []


async def test_the_keyboard_goes_through_every_page_and_shows_where_it_is(
    browser: Browser, address: str, told: None
) -> None:
    async with open_console_page(browser, address, width=1440) as visitor:
        for place in sample(PAGES, often(4, len(PAGES))):
            await visitor.open(place)
            await visitor.page.locator("main").focus()
            reached: list[str] = []
            for _ in range(often(12, _MOST_TABS)):
                await visitor.page.keyboard.press("Tab")
                focus = await visitor.page.evaluate(_FOCUS)
                if focus is None:
                    break
                assert focus["seen"] and focus["shown"], (place, focus["what"])
                reached.append(focus["what"])
            assert len(set(reached)) > 1 or len(reached) <= 1, (place, "the focus is trapped")


async def test_no_finding_of_the_checker_on_any_page(browser: Browser, address: str, told: None) -> None:
    looks = [("light", "en", 1440), ("dark", "th", 390), ("dark", "en", 1440), ("light", "th", 390)]
    for theme, language, width in looks[: often(1, 4)]:
        async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
            for place in sample(PAGES, often(4, len(PAGES))):
                await visitor.open(place)
                assert (await visitor.find_violations("main"), place) == ([], place)


async def test_every_table_and_every_drawing_is_saved(browser: Browser, address: str, told: None) -> None:
    async with open_console_page(browser, address, width=1440) as visitor:
        for place in sample(SAVED, often(3, len(SAVED))):
            await visitor.open(place)
            assert await visitor.page.locator("main :is(table, svg[role])").count() > 0, place
            assert (await visitor.page.evaluate(_UNSAVED), place) == ([], place)


async def test_pages_look_as_they_were_accepted(browser: Browser, address: str, opened: App) -> None:
    for name in PICTURED if often(0, 1) else sample(tuple(PICTURED), 2):
        accepted = Image.open(FOLDER / f"{name}.png").convert("L")
        now = await take_small_picture(browser, address, name)
        assert now.size == accepted.size, name
        difference = sum(abs(a - b) for a, b in zip(now.tobytes(), accepted.tobytes(), strict=True)) / len(
            now.tobytes()
        )
        assert difference <= _TOLERANCE, f"{name} differs by {difference:.1f}; look at it, then accept it"


async def test_the_accepted_pictures_are_few_and_small() -> None:
    files = list(Path(FOLDER).glob("*.png"))
    assert {file.stem for file in files} == set(PICTURED)
    assert sum(file.stat().st_size for file in files) < 120_000
