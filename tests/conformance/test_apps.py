"""The fund widgets in a real MCP Apps host: the Inspector's web app, in a real browser."""

from __future__ import annotations

import asyncio
import socket
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Frame, Page, async_playwright, expect

import sanya
from sanya.surfaces.http.server import serve
from tests.conformance.node_tools import FOLDER, INSPECTOR, build_environment, find_node, is_installed
from tests.console.browser import NoBrowser, launch_browser

pytestmark = pytest.mark.skipif(not is_installed(), reason="`make conformance` installs the Inspector")
TOKEN = "only-for-this-test"
OPENED = {
    "List funds": ({}, "Thai retirement funds (RMF)"),
    "Show a fund": ({"fundCode": "ABAPAC-RMF"}, "abrdn Asia Pacific Equity"),
    "NAV history": ({"fundCode": "ABAPAC-RMF"}, "Period return"),
    "Compare funds": ({"fundCodes": '["ABAPAC-RMF", "B-ASIARMF"]'}, "Best this year"),
}


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [bound.getsockname()[1] for bound in sockets]
    for bound in sockets:
        bound.close()
    return ports


@asynccontextmanager
async def served(home: Path) -> AsyncIterator[str]:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    async with sanya.open(home, port=0, log_level="error", tools="all") as app:
        serving = asyncio.create_task(serve(app, on_ready=ready.set_result, stop=stop))
        try:
            yield await ready
        finally:
            stop.set()
            await serving


@asynccontextmanager
async def inspecting(address: str) -> AsyncIterator[str]:
    """Run the Inspector for this server and yield its URL."""
    port, sandbox = free_ports(2)
    own = {
        "HOST": "127.0.0.1",
        "CLIENT_PORT": str(port),
        "MCP_SANDBOX_PORT": str(sandbox),
        "MCP_INSPECTOR_API_TOKEN": TOKEN,
        "MCP_INSPECTOR_SECRET_STORE": "memory",
        "MCP_AUTO_OPEN_ENABLED": "false",
    }
    arguments = ["--web", "--transport", "http", "--server-url", f"{address}/mcp"]
    process = await asyncio.create_subprocess_exec(
        find_node(), str(INSPECTOR), *arguments, cwd=FOLDER, env=build_environment() | own, stdout=PIPE, stderr=DEVNULL
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            while b"up and running" not in (line := await process.stdout.readline()):
                assert line, "the Inspector ended by itself"
        yield f"http://127.0.0.1:{port}?MCP_INSPECTOR_API_TOKEN={TOKEN}"
    finally:
        process.terminate()
        await process.communicate()


@asynccontextmanager
async def browsing() -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        try:
            browser = await launch_browser(playwright)
        except NoBrowser as error:
            pytest.skip(str(error))
        page = await browser.new_page(viewport={"width": 1500, "height": 1000})
        page.set_default_timeout(60_000)
        yield page
        await browser.close()


async def open_app(page: Page, title: str, fields: dict[str, str]) -> Frame:
    await page.get_by_text(title, exact=True).first.click()
    for name, value in fields.items():
        await page.get_by_label(name).first.focus()
        await page.keyboard.insert_text(value)
    await page.get_by_role("button", name="Open App").click()
    sandbox = page.frame_locator("iframe").first.frame_locator("iframe").first
    await sandbox.locator("section").wait_for()
    return page.frames[-1]


async def test_the_four_pages_work_in_a_real_host(home: Path) -> None:
    async with served(home) as address, inspecting(address) as inspector, browsing() as page:
        await page.goto(inspector)
        await page.locator("label:has(input[role=switch])").first.click()
        await page.get_by_text("Apps", exact=True).first.click()
        for title, (fields, words) in OPENED.items():
            frame = await open_app(page, title, fields)
            await expect(frame.locator("section")).to_contain_text(words)
            await _call_back(frame, title)
            assert await _blocked(frame), f"{title} could reach the network"
            await page.get_by_role("button", name="Back to Input").click()


async def _call_back(frame: Frame, title: str) -> None:
    """Press a button of the widget that makes the host call a tool, and check the result."""
    if title == "NAV history":
        await frame.get_by_role("button", name="90 days").click()
        await expect(frame.get_by_role("button", name="90 days")).to_have_attribute("aria-pressed", "true")
    elif title == "Show a fund":
        await frame.get_by_role("button", name="NAV chart").click()
        await expect(frame.locator("section")).to_contain_text("Period return")
    else:
        await frame.locator("button.name:visible", has_text="ABAPAC-RMF").click()
        await expect(frame.locator("section")).to_contain_text("abrdn Asia Pacific Equity")


async def _blocked(frame: Frame) -> bool:
    """Return True if the content policy blocked a request, rather than a missing server."""
    found = await frame.evaluate(
        """() => new Promise((done) => {
          document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
          fetch("http://127.0.0.1:9/leak").then(() => done("nothing"), () => undefined);
        })"""
    )
    return bool(found == "connect-src")
