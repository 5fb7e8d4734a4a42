"""`python -m docs.screens`: the pictures of our pages that the documents show, taken in a real browser on demo data."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from docs.console_screens import take_console
from docs.operation_screens import take_operation
from sanya import app
from sanya.console.widgets import load_widget
from sanya.kernel.calls.call import Answered, Call
from tests.console.browser import NoBrowser, launch_browser
from tests.console.test_widgets import CALLS
from tests.console.widget_host import open_widget_host

FOLDER = Path(__file__).parent / "screens"
# Light and English, dark and Thai, and a phone.
LOOKS: tuple[tuple[str, str, str, int], ...] = (
    ("light", "light", "en-GB", 900),
    ("dark", "dark", "th-TH", 900),
    ("phone", "light", "th-TH", 390),
)
_MOST_HEIGHT = 1400
_REPORT_HEIGHT = 2000


async def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        async with app.open(home, port=0, grpc="off") as opened, async_playwright() as playwright:
            browser = await launch_browser(playwright)
            for name in CALLS:
                for look in LOOKS:
                    await _take(browser, opened, name, look)
            await _take_report(browser, opened)
            await take_console(browser, opened, FOLDER)
            await take_operation(browser, opened, FOLDER)
            await browser.close()


async def _take(browser: Browser, opened: app.App, name: str, look: tuple[str, str, str, int]) -> None:
    label, theme, locale, width = look
    tool, arguments = CALLS[name]
    size: Any = {"width": width, "height": 1000}
    async with open_widget_host(browser, opened.kernel, viewport=size) as stage:
        result = await stage.call_tool(tool, **arguments)
        frame = await stage.as_app(load_widget(name).html, arguments, result, theme=theme, locale=locale)
        await frame.locator("section").wait_for()
        height = await frame.evaluate("document.documentElement.getBoundingClientRect().height")
        clip: Any = {"x": 0, "y": 0, "width": width, "height": min(height, _MOST_HEIGHT)}
        await stage.page.screenshot(path=FOLDER / f"{name}-{label}.png", clip=clip)


async def _take_report(browser: Browser, opened: app.App) -> None:
    """The report of the curated set, as far down as its plots."""
    body = await opened.call("tool.eval.run", {"set": "curated"})
    outcome = await opened.kernel.read(Call(body["report_uri"], {}))
    assert isinstance(outcome, Answered)
    for label, theme, locale, width in LOOKS:
        size: Any = {"width": width, "height": _REPORT_HEIGHT}
        scheme: Any = theme
        page = await browser.new_page(viewport=size, color_scheme=scheme, locale=locale)
        await page.set_content(outcome.body["text"])
        await page.screenshot(path=FOLDER / f"evaluation-report-{label}.png")
        await page.close()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except NoBrowser as error:
        sys.exit(str(error))
