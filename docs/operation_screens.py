"""The console's pages for whoever runs the server, as pictures: home, tools, ledger, evaluation, jobs, the sign-in."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, FilePayload

from docs.console_screens import LOOKS, take_picture
from sanya import app
from tests.console.console_page import ConsolePage, open_console_page
from tests.console.console_server import serve_console

# By role and place rather than by words: the words are in two languages.
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_weekly_review", {}),
    ("get_rmf_fund_detail", {"fundCode": "ABAPAC-RMF"}),
    ("tool.find_contraindications", {"herb_ids": ["curcuma-longa"], "drugs": ["warfarin"]}),
    ("tool.rag_answer", {"question": "กินขมิ้นชันกับ warfarin ได้ไหม"}),
    ("rag.search", {"query": "turmeric dyspepsia"}),
)
_DOCUMENT = """Turmeric (Curcuma longa)

Curcuma longa contains curcumin. Turmeric is used for dyspepsia and flatulence.
Turmeric must not be used in bile duct obstruction. Turmeric interacts with warfarin.
ขมิ้นชันใช้บรรเทาอาการท้องอืด ท้องเฟ้อ ห้ามใช้ในผู้ที่ท่อน้ำดีอุดตัน
Andrographis paniculata is used for the common cold. Ginger may increase the effect of aspirin.
"""
_HOME = "/home/you/.local/share/sanya"
_TASKS = """(A) Call the bank due:2027-01-05
Water the plants +home
x 2026-13-99 Repair the gate
ส่งเอกสารภาษี due:2027-03-31
"""
_KEYS: tuple[tuple[Any, ...], ...] = (
    ("3f9c01d2a7be", "laptop", ["*"], 6000, "2026-09-01T08:00:00Z", "2026-11-18T06:00:00Z", None),
    (
        "81aa4d20c95e",
        "assistant",
        ["herbs:read", "papers:read"],
        600,
        "2026-10-12T08:00:00Z",
        "2026-11-17T21:00:00Z",
        None,
    ),
    ("c07e5512bb90", "old phone", ["tasks:read"], 60, "2026-05-02T08:00:00Z", None, "2026-10-01T08:00:00Z"),
)
_MOST_HEIGHT = 1240
Act = Callable[[ConsolePage], Awaitable[None]]


async def take_operation(browser: Browser, opened: app.App, folder: Path) -> None:
    job, called = await _prepare(opened)
    places: dict[str, tuple[str, Act]] = {
        "console-home": ("home", _connect),
        "console-tools": ("tools/get_rmf_funds", _run),
        "console-ledger": ("ledger", _verify),
        "console-call": (f"ledger/{called}", _replay),
        "console-evaluation": ("evaluation", _look),
        "console-operations": ("operations", _look),
        "console-import": ("import/tasks", _import_tasks),
        "console-keys": ("keys", _look),
        "console-settings": ("settings?q=zone", _look),
        "console-jobs": ("jobs", _look),
        "console-job": (f"jobs/{job}", _look),
    }
    async with serve_console(opened) as address:
        for name, (place, act) in places.items():
            for label, theme, language, width in LOOKS:
                async with open_console_page(browser, address, theme=theme, language=language, width=width) as tab:
                    await tab.change_answers("**/console/api/clients", _at_the_usual_address)
                    await tab.change_answers("**/console/api/inbox", _at_the_usual_place)
                    await tab.change_answers("**/console/api/settings", _at_the_usual_home)
                    await tab.change_answers("**/console/api/backups", _at_the_usual_home)
                    await tab.change_answers("**/console/api/keys", _with_keys)
                    await tab.open(place)
                    await act(tab)
                    (folder / f"{name}-{label}.png").write_bytes(await take_picture(tab, _MOST_HEIGHT))
    await _take_sign_in(browser, folder)


async def _prepare(opened: app.App) -> tuple[str, str]:
    """Something to show: calls, two evaluations on different data, an ingest that was only looked at."""
    await opened.call("tool.eval.run", {"set": "smoke"})
    inbox = opened.settings.home / "inbox"
    inbox.mkdir(exist_ok=True)
    uris = []
    for name in ("turmeric.txt", "handbook.txt"):
        (inbox / name).write_text(_DOCUMENT, "utf-8")
        uris.append((inbox / name).as_uri())
    await opened.call("tool.ingest.run", {"dry_run": False, "batch": [{"uri": uris[1]}], "wait_s": 60})
    await opened.call("tool.eval.run", {"set": "smoke"})
    (inbox / "turmeric.txt").write_text(f"{_DOCUMENT}Garlic interacts with warfarin.\n", "utf-8")
    looked = await opened.call("tool.ingest.run", {"batch": [{"uri": uris[0]}], "wait_s": 60})
    for tool, arguments in _CALLS:
        await opened.call(tool, arguments)
    await opened.ledger.flush()
    (link,) = await opened.ledger_store.page(1, tool="tool.find_contraindications")
    return str(looked["job_id"]), link.entry.id


def _at_the_usual_address(content: dict[str, Any]) -> Any:
    """Pictures are taken on a free port in a folder of their own; readers have the usual port, program and home."""
    usual = json.dumps(content).replace(content["address"], "http://127.0.0.1:8787/mcp/portable")
    usual = re.sub(r"(?<=[\" ])/[^\" ]*/bin/sanya(?=[\" ])", "sanya", usual)
    return json.loads(re.sub(r"(?<=--home )[^\" ]+|(?<=\"--home\", \")[^\"]+", _HOME, usual))


def _at_the_usual_place(content: dict[str, Any]) -> Any:
    return {**content, "folders": ["file:///home/you/.local/share/sanya/inbox"]}


def _at_the_usual_home(content: dict[str, Any]) -> Any:
    usual = {"file": f"{_HOME}/sanya.toml", "folder": f"{_HOME}/backups"}
    return {**content, **{name: path for name, path in usual.items() if name in content}}


def _with_keys(content: dict[str, Any]) -> Any:
    """Keys as a home in use has them; to make some would lock the page."""
    names = ("id", "name", "scopes", "calls_per_minute", "created_at", "last_used_at", "revoked_at")
    keys = [dict(zip(names, row, strict=True)) for row in _KEYS]
    return {**content, "keys": keys, "needed": True}


async def _import_tasks(tab: ConsolePage) -> None:
    tasks = FilePayload(name="todo.txt", mimeType="text/plain", buffer=_TASKS.encode())
    await tab.page.locator("input[type=file]").set_input_files([tasks])
    await tab.page.locator(".count-tiles").wait_for()


async def _connect(tab: ConsolePage) -> None:
    """The way that names no folder of the machine that the pictures were taken on."""
    await tab.page.locator(".connect .choices button").nth(2).click()
    await tab.page.locator(".connect .choices").nth(1).locator("button").nth(1).click()
    await tab.page.evaluate("scrollTo(0, 0)")


async def _look(tab: ConsolePage) -> None:
    await tab.settle()


async def _run(tab: ConsolePage) -> None:
    await tab.page.locator("form button.main").click()
    await tab.page.locator(".answer .choices button").nth(1).click()
    await tab.page.evaluate("scrollTo(0, 0)")


async def _verify(tab: ConsolePage) -> None:
    await tab.page.locator(".verification button").click()
    await tab.page.locator(".head-hash").wait_for()


async def _replay(tab: ConsolePage) -> None:
    await tab.page.locator(".replay button.main").click()
    await tab.page.locator(".replay table").wait_for()


async def _take_sign_in(browser: Browser, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        async with app.open(place, port=0, grpc="off", require_auth=True) as closed, serve_console(closed) as address:
            for label, theme, language, width in LOOKS:
                async with open_console_page(browser, address, theme=theme, language=language, width=width) as tab:
                    await tab.page.goto(address)
                    await tab.page.locator(".sign-in").wait_for()
                    (folder / f"console-sign-in-{label}.png").write_bytes(await take_picture(tab, 900))
