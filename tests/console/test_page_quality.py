"""Every page in both languages and themes: accessibility, sizes, 200 % zoom, keyboard, motion, and its last picture.

The short form opens every page once, each in another of the twelve looks; `make test-long` opens all of them in all.
`python -m tests.console.accept_pictures` accepts the pages as they look now.
"""

from __future__ import annotations

from itertools import groupby, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image
from playwright.async_api import Browser

from sanya.app import App
from tests.console.accept_pictures import FOLDER, PICTURED, take_small_picture
from tests.console.console_page import ConsolePage, open_console_page
from tests.long_form import often

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = (
    "home", "search?q=turmeric", "papers", "herbs/herb/curcuma-longa",
    "herbs/safety?herbs=curcuma-longa&drugs=warfarin", "review", "review/coverage", "memory", "memory/graph",
    "memory?q=Rayong", "memory/contradictions?state=all", "funds", "funds/ABAPAC-RMF", "tasks?week=2025-06-02",
    "tasks/list", "tools", "tools/tool.query_kg", "ledger?reads=all", "evaluation", "jobs", "operations",
    "import/papers", "keys", "settings", "nowhere", "papers/9900000001", "papers/watched",
    "tasks/task/sample-tax-report", "suites", "suites/tasks", "review/statement/ix-0014", "import/tasks",
    "herbs/safety", "search",
)  # fmt: skip
LANGUAGES, THEMES, WIDTHS = ("en", "th"), ("light", "dark"), (360, 768, 1440)
# A window of 1,440 pixels at 200 % zoom has room for 720; 320 is the narrowest that has to do without scrolling aside.
FITTED_WIDTHS = (320, 390, 720, 2560)
_FEW_TABS, _MOST_TABS = 15, 60
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
    "herbs/herb/curcuma-longa", "memory?q=Rayong", "memory/graph",
    "funds/ABAPAC-RMF", "tasks?week=2025-06-02", "ledger?reads=all", "operations",
)  # fmt: skip


def sample(items: tuple[str, ...], count: int) -> tuple[str, ...]:
    return items[:: max(1, len(items) // count)]


class Look(NamedTuple):
    language: str
    theme: str
    width: int


LOOKS = tuple(Look(*look) for look in product(LANGUAGES, THEMES, WIDTHS))
_NEXT_LOOK = 5
"""Has no divisor with the number of looks in common, so that neighbouring pages differ in all three."""


def list_visits() -> list[tuple[Look, str]]:
    """Return what the short form opens: every page once, and every look at least twice."""
    return [(LOOKS[at * _NEXT_LOOK % len(LOOKS)], place) for at, place in enumerate(PAGES)]


async def find_faults(visitor: ConsolePage, place: str, tabs: int) -> list[Any]:
    """Return what is wrong with the open page in its present size."""
    faults: list[Any] = [*await visitor.find_violations(), *await find_keyboard_faults(visitor, tabs)]
    if wider := await visitor.measure_overflow():
        faults.append(f"too wide by {wider} pixels")
    if moving := await visitor.page.evaluate(_MOVING):
        faults.append(f"{moving} things move")
    return [(place, fault) for fault in faults]


async def find_keyboard_faults(visitor: ConsolePage, tabs: int) -> list[str]:
    """Go on with Tab from the top of the page, and return where the focus is lost, hidden or trapped."""
    await visitor.page.locator("main").focus()
    reached: list[str] = []
    for _ in range(tabs):
        await visitor.page.keyboard.press("Tab")
        focus = await visitor.page.evaluate(_FOCUS)
        if focus is None:
            break
        if not (focus["seen"] and focus["shown"]):
            return [f"the focus cannot be seen on {focus['what']}"]
        reached.append(focus["what"])
    return ["the focus is trapped"] if len(reached) > 1 and len(set(reached)) == 1 else []


@pytest.mark.skipif(often(0, 1) == 1, reason="the long form opens every page in every look")
async def test_every_page_is_usable_in_one_of_the_looks(
    browser: Browser, address: str, told: None, disputed: None
) -> None:
    faults: list[Any] = []
    for look, visits in groupby(sorted(list_visits()), key=lambda visit: visit[0]):
        language, theme, width = look
        async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
            for _, place in visits:
                await visitor.open(place)
                faults += [(look, *fault) for fault in await find_faults(visitor, place, _FEW_TABS)]
            assert visitor.browser_errors == []
    assert faults == []


@pytest.mark.skipif(often(0, 1) == 0, reason="336 visits and more: SANYA_LONG=1")
@pytest.mark.parametrize(("language", "theme"), [*product(LANGUAGES, THEMES)])
async def test_every_page_is_usable_in_every_look(
    browser: Browser, address: str, told: None, disputed: None, language: str, theme: str
) -> None:
    faults: list[Any] = []
    async with open_console_page(browser, address, theme=theme, language=language) as visitor:
        for place in PAGES:
            await visitor.open(place)
            for width in WIDTHS:
                await visitor.page.set_viewport_size({"width": width, "height": 900})
                faults += [(width, *fault) for fault in await find_faults(visitor, place, _MOST_TABS)]
        assert visitor.browser_errors == []
    assert faults == []


async def test_pages_fit_other_widths_and_200_percent_zoom(
    browser: Browser, address: str, told: None, disputed: None
) -> None:
    for language in LANGUAGES[-often(1, 2) :]:
        async with open_console_page(browser, address, language=language, width=FITTED_WIDTHS[0]) as visitor:
            for place in sample(PAGES, often(8, len(PAGES))):
                await visitor.open(place)
                for width in FITTED_WIDTHS:
                    await visitor.page.set_viewport_size({"width": width, "height": 900})
                    assert (await visitor.measure_overflow(), place, width) == (0, place, width)


async def test_every_table_and_every_drawing_is_saved(
    browser: Browser, address: str, told: None, disputed: None
) -> None:
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
