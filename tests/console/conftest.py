"""One browser and one home shared by all tests of pages, since both are slow to start."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from sanya import app
from sanya.app import App
from sanya.kernel.calls.call import Answered, Call
from tests.console.browser import NoBrowser, launch_browser
from tests.console.console_server import serve_console
from tests.console.widget_host import WidgetHost, open_widget_host

TOLD = (
    ("The pilot plant in Rayong starts on 3 March 2026.", "board-2026-01", "B"),
    ("The pilot plant in Rayong starts on 7 April 2026.", "letter-77", "C"),
    ("The delay of the pilot plant was caused by the flood in Rayong on 12 January 2026.", "news-12", "D"),
)

DISPUTED = (
    "The rent of hall 301 is 12,000 baht.",
    "The rent of hall 301 is 13,000 baht.",
    "Correction: the rent of hall 301 is 14,000 baht, not 12,000 baht.",
)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        try:
            browser = await launch_browser(playwright)
        except NoBrowser as error:
            pytest.skip(str(error))
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def opened(indexed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    folder = shutil.copytree(indexed_home, tmp_path_factory.mktemp("console") / "home")
    async with app.open(folder, port=0, grpc="off", log_level="error", rate_limit_anonymous_per_minute=0) as home_app:
        yield home_app


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def address(opened: App) -> AsyncIterator[str]:
    """URL of the console."""
    async with serve_console(opened) as found:
        yield found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def told(opened: App) -> None:
    """Memories for the memory pages."""
    for content, ref, letter in TOLD:
        await opened.call("send_memory", {"content": content, "source": {"ref": ref}, "confidence_hint": letter})
    await _wait_for_contradiction(opened, TOLD[0][0])


async def _wait_for_contradiction(opened: App, content: str) -> None:
    """Wait until the background has compared a memory with the others: a page shows what it finds when it opens."""
    async with asyncio.timeout(60):
        while True:
            outcome = await opened.kernel.read(Call("memory://contradictions/all/1", {}))
            if isinstance(outcome, Answered) and content in orjson.dumps(outcome.body).decode():
                return
            await asyncio.sleep(0.05)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def disputed(opened: App) -> None:
    """Memories that contradict each other, and a third that settles it."""
    for content in DISPUTED:
        await opened.call("send_memory", {"content": content})
    await _wait_for_contradiction(opened, DISPUTED[0])


@pytest_asyncio.fixture(loop_scope="session")
async def host(browser: Browser, opened: App) -> AsyncIterator[WidgetHost]:
    async with open_widget_host(browser, opened.kernel, viewport={"width": 900, "height": 1000}) as host:
        yield host
        assert host.errors == []
        assert host.external_requests == []
