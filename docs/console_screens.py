"""The console's pages as pictures, light and dark, on the data that every home begins with and a few memories."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image
from playwright.async_api import Browser

from sanya import app
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.review.contract import DecisionInput
from sanya.suites.herbs.review.recording import RecordedDesk
from tests.console.console_page import ConsolePage, open_console_page
from tests.console.console_server import serve_console

PICTURES = {
    "console-search": f"search?q={quote('ขมิ้นชัน ท้องอืด bloating')}",
    "console-herbs": "herbs/herb/curcuma-longa",
    "console-safety": f"herbs/safety?herbs={quote('ขมิ้นชัน|กระเทียม')}&drugs=warfarin&conditions={quote('หญิงตั้งครรภ์')}",
    "console-review": "review",
    "console-statement": "review/statement/ix-0014",
    "console-coverage": "review/coverage",
    "console-papers": "papers",
    "console-paper": "papers/9900000001",
    "console-fund": "funds/ABAPAC-RMF",
    "console-memory": f"memory?q={quote('pilot plant Rayong')}",
    "console-contradictions": "memory/contradictions",
    "console-funds": "funds",
    "console-tasks": "tasks?week=2025-06-02",
}
# English by day, Thai by night; and a phone.
LOOKS = (("light", "light", "en", 1280), ("dark", "dark", "th", 1280), ("phone", "light", "th", 390))
_MOST_BYTES = 150 * 1024
_MOST_HEIGHT = 1240
_MEMORIES = (
    ("The board approved the pilot plant in Rayong on 5 December 2025.", "minutes", "board-2025-12", "A"),
    ("The pilot plant in Rayong starts on 3 March 2026.", "minutes", "board-2026-01", "B"),
    ("The pilot plant in Rayong starts on 7 April 2026.", "letter", "supplier-77", "C"),
    ("The delay of the pilot plant was caused by the flood in Rayong on 12 January 2026.", "news", "daily-0113", "D"),
    ("คุณสมชายดูแลโรงงานต้นแบบที่ระยองตั้งแต่ 1 กุมภาพันธ์ 2569", "email", "somchai-0201", "B"),
)
# A few statements of the queue, decided, so that its progress shows something.
_DECISIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sa-0236", {"verdict": "accept", "sources": [{"title": "Poisoning by oleander, textbook of toxicology"}]}),
    ("ix-0350", {"verdict": "correct", "changes": {"severity": "major"}, "reason": "Two of our patients fell."}),
    ("ix-0014", {"verdict": "correct", "changes": {"evidence": "in_vitro"}, "reason": "Piperine alone was studied."}),
)


async def take_console(browser: Browser, opened: app.App, folder: Path) -> None:
    for content, kind, ref, letter in _MEMORIES:
        source = {"type": kind, "ref": ref}
        await opened.call("send_memory", {"content": content, "source": source, "confidence_hint": letter})
    desk = RecordedDesk(HerbStore(opened.database), opened.ledger)
    for statement, decision in _DECISIONS:
        await desk.decide(statement, DecisionInput.model_validate({"reviewer": "ภญ. สมศรี", **decision}))
    await opened.call("tool.hybrid_search", {"query": "x"})  # loads the models, so that pictures show usual times
    await opened.call("rag.search", {"query": "x"})
    async with serve_console(opened) as address:
        for name, place in PICTURES.items():
            for label, theme, language, width in LOOKS:
                async with open_console_page(browser, address, theme=theme, language=language, width=width) as tab:
                    await tab.open(place)
                    (folder / f"{name}-{label}.png").write_bytes(await take_picture(tab, _MOST_HEIGHT))


async def take_picture(tab: ConsolePage, most_height: int) -> bytes:
    """The page from its top, in as many colours as keep it small: pages have few."""
    height: int = await tab.page.evaluate("Math.max(900, document.documentElement.scrollHeight)")
    width: int = await tab.page.evaluate("window.innerWidth")
    # A taller window rather than a picture of the full page: for that, the browser lays widgets out anew.
    await tab.page.set_viewport_size({"width": width, "height": min(height, most_height)})
    await tab.page.wait_for_timeout(1000)  # widgets tell their height when they are drawn
    taken = Image.open(BytesIO(await tab.page.screenshot())).convert("RGB")
    for colours in (256, 128, 64, 32):
        kept = BytesIO()
        taken.quantize(colours, dither=Image.Dither.NONE).save(kept, "PNG", optimize=True)
        if kept.tell() <= _MOST_BYTES:
            break
    return kept.getvalue()
