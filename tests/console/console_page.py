"""The console in a real browser. Records policy violations, script errors and requests to other hosts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Browser, Page, Route, expect

Change = Callable[[Any], Any]
# The first search loads its models, on a machine that may be busy.
expect.set_options(timeout=30_000)


@dataclass
class ConsolePage:
    page: Page
    address: str
    browser_errors: list[str] = field(default_factory=list)
    """Script errors and messages on the browser's console."""
    external_requests: list[str] = field(default_factory=list)
    """URLs outside the server that a page tried to reach."""

    async def open(self, place: str) -> None:
        """Open the page at `#/place` and wait until it has loaded."""
        await self.page.goto(f"{self.address}/#/{place}")
        await self.page.locator("main h1").wait_for()
        await self.settle()

    async def settle(self) -> None:
        await self.page.wait_for_load_state("networkidle")
        await self.page.locator(".spinner").first.wait_for(state="detached")

    async def change_answers(self, pattern: str, change: Change) -> None:
        """Change every later response that matches the pattern."""

        async def altered(route: Route) -> None:
            response = await route.fetch()
            await route.fulfill(response=response, body=json.dumps(change(await response.json())))

        await self.page.route(pattern, altered)

    async def find_violations(self, part: str = "html") -> list[tuple[str, list[str]]]:
        """Run the accessibility checker on a part of the page."""
        await self.page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
        found = await self.page.evaluate("part => axe.run(part, {iframes: false, resultTypes: ['violations']})", part)
        return [
            (violation["id"], [node["html"][:200] for node in violation["nodes"]][:3])
            for violation in found["violations"]
        ]

    async def measure_overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        wider: int = await self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return max(wider, 0)


@asynccontextmanager
async def open_console_page(
    browser: Browser, address: str, *, theme: str = "light", language: str = "en", width: int = 1280
) -> AsyncIterator[ConsolePage]:
    context = await browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    kept = f"localStorage.setItem('sanya.theme', '{theme}'); localStorage.setItem('sanya.language', '{language}')"
    # Widgets are sandboxed and have no storage.
    await context.add_init_script(f"if (window === top) {{ {kept} }}")
    page = await context.new_page()
    page.set_default_timeout(30_000)
    console_page = ConsolePage(page, address)
    page.on("pageerror", lambda error: console_page.browser_errors.append(str(error)))
    page.on(
        "console", lambda message: console_page.browser_errors.append(message.text) if message.type == "error" else None
    )
    page.on(
        "request",
        lambda request: None if request.url.startswith(address) else console_page.external_requests.append(request.url),
    )
    try:
        yield console_page
    finally:
        await context.close()
