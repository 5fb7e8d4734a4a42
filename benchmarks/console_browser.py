"""The console of an empty home, served in this process, and a browser that people have."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

from sanya import app
from tests.console.browser import launch_browser
from tests.console.console_server import serve_console


@asynccontextmanager
async def open_console() -> AsyncIterator[tuple[Browser, str]]:
    """Yield the browser and the URL of the console."""
    with tempfile.TemporaryDirectory() as home:
        async with (
            app.open(home, port=0, grpc="off", rate_limit_anonymous_per_minute=0) as opened,
            serve_console(opened) as address,
            async_playwright() as playwright,
        ):
            browser = await launch_browser(playwright, is_whole=True)
            yield browser, address
            await browser.close()
