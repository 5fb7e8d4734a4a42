"""`python -m tests.console.accept_pictures`: accepts the look of some pages. Look at the pages first.

The pictures are small and grey: enough to notice a lost style sheet, an empty card or a column that moved.
"""

from __future__ import annotations

import asyncio
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, async_playwright

from sanya import app
from tests.console.browser import launch_browser
from tests.console.console_page import open_console_page
from tests.console.console_server import serve_console

FOLDER = Path(__file__).parent / "pictures"
PICTURED = {
    "safety": ("light", "en", 1440, "herbs/safety?herbs=curcuma-longa|allium-sativum&drugs=warfarin|aspirin"),
    "fund": ("light", "en", 1440, "funds/ABAPAC-RMF"),
    "tasks-phone": ("light", "th", 390, "tasks?week=2025-06-02"),
    "watched": ("dark", "en", 1440, "papers/watched"),
    "import": ("dark", "th", 1440, "import/tasks"),
    "keys": ("light", "th", 1440, "keys"),
}
_WIDTH = 240
_HEIGHT = 900


async def take_small_picture(browser: Browser, address: str, name: str) -> Image.Image:
    theme, language, width, place = PICTURED[name]
    async with open_console_page(browser, address, theme=theme, language=language, width=width) as visitor:
        await visitor.open(place)
        taken = Image.open(BytesIO(await visitor.page.screenshot())).convert("L")
    return taken.resize((_WIDTH, round(_HEIGHT * _WIDTH / width)), Image.Resampling.BOX)


async def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        async with (
            app.open(home, port=0, grpc="off", log_level="error") as opened,
            serve_console(opened) as address,
            async_playwright() as playwright,
        ):
            browser = await launch_browser(playwright)
            for name in PICTURED:
                small = await take_small_picture(browser, address, name)
                small.quantize(32).save(FOLDER / f"{name}.png", optimize=True)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
