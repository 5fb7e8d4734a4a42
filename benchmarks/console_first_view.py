"""Time from opening the console in a fresh browser to a usable home page.

The page is usable once it shows the loaded suites and the browser can handle a click. The goal is one second on
loopback.
"""

from __future__ import annotations

import asyncio
from statistics import median

from playwright.async_api import Browser

from benchmarks.console_browser import open_console
from benchmarks.result import Result, judge_ratio

VISITS = 9
GOAL_MS = 1000.0
# Records the time at which the last element of the home page exists and the browser is free to handle a click.
_WATCH = """
window.usable = new Promise((tell) => {
  const look = new MutationObserver(() => {
    if (!document.querySelector(".suite") || !document.querySelector(".connect")) return;
    look.disconnect();
    requestAnimationFrame(() => setTimeout(() => tell(performance.now())));
  });
  look.observe(document, {childList: true, subtree: true});
});
"""


async def _visit(browser: Browser, address: str) -> float:
    """Return the milliseconds of a visit with an empty browser cache."""
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    await context.add_init_script(_WATCH)
    page = await context.new_page()
    await page.goto(address)
    usable = float(await page.evaluate("window.usable"))
    await context.close()
    return usable


async def _measure() -> float:
    async with open_console() as (browser, address):
        await _visit(browser, address)
        return median([await _visit(browser, address) for _ in range(VISITS)])


def run() -> Result:
    return judge_ratio("console_first_view", asyncio.run(_measure()), GOAL_MS, ("<=", 1.0))
