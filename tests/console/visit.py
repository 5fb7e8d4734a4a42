"""A visit to the console in a real browser. What the pages' own policy refuses, what fails and what leaves is kept."""

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
class Visit:
    page: Page
    address: str
    troubles: list[str] = field(default_factory=list)
    """What the browser complained of."""
    left: list[str] = field(default_factory=list)
    """Addresses outside the server that a page tried to reach."""

    async def open(self, place: str) -> None:
        """`place` is what stands behind the `#`. The page is there when nothing is on its way any more."""
        await self.page.goto(f"{self.address}/#/{place}")
        await self.page.locator("main h1").wait_for()
        await self.settle()

    async def settle(self) -> None:
        await self.page.wait_for_load_state("networkidle")
        await self.page.locator(".spinner").first.wait_for(state="detached")

    async def change_answers(self, pattern: str, change: Change) -> None:
        """From now on answers come changed."""

        async def altered(route: Route) -> None:
            response = await route.fetch()
            await route.fulfill(response=response, body=json.dumps(change(await response.json())))

        await self.page.route(pattern, altered)

    async def violations(self, part: str = "html") -> list[tuple[str, list[str]]]:
        """What the accessibility checker finds in a part of the page. What is around every page is looked at once."""
        await self.page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
        found = await self.page.evaluate("part => axe.run(part, {iframes: false, resultTypes: ['violations']})", part)
        return [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found["violations"]]

    async def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        wider: int = await self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return max(wider, 0)


@asynccontextmanager
async def visit(
    browser: Browser, address: str, *, theme: str = "light", language: str = "en", width: int = 1280
) -> AsyncIterator[Visit]:
    context = await browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    kept = f"localStorage.setItem('sanya.theme', '{theme}'); localStorage.setItem('sanya.language', '{language}')"
    # Widgets are sandboxed and have no storage.
    await context.add_init_script(f"if (window === top) {{ {kept} }}")
    page = await context.new_page()
    page.set_default_timeout(30_000)
    one = Visit(page, address)
    page.on("pageerror", lambda error: one.troubles.append(str(error)))
    page.on("console", lambda message: one.troubles.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: None if request.url.startswith(address) else one.left.append(request.url))
    try:
        yield one
    finally:
        await context.close()
