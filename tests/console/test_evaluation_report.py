"""The evaluation report in a real browser: self-contained, responsive and accessible."""

from __future__ import annotations

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Browser, Route

from sanya.suites.herbs.evaluation.report.page import EvaluationReport, render_report
from tests.suites.herbs.evaluation.examples import kept, mixed

pytestmark = pytest.mark.asyncio(loop_scope="session")
ADDRESS = "http://127.0.0.1:9/evaluations/eval_a"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_report_is_accessible_on_every_screen_size(browser: Browser, scheme: str) -> None:
    before = kept("eval_before", metrics={"R@10": (0.5, 6), "ECE": (0.01, 7), "MRR": (5 / 6, 6)}).run
    html = render_report(EvaluationReport("curated", "eval_a", mixed(), before))
    left: list[str] = []

    async def serve(route: Route) -> None:
        if route.request.url == ADDRESS:
            await route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            left.append(route.request.url)
            await route.abort()

    context = await browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True, viewport={"width": 390, "height": 800}
    )
    page = await context.new_page()
    await page.route("**/*", serve)
    await page.goto(ADDRESS)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    for summary in await page.locator("summary").all():
        await summary.click()
    await page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [
        (violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in found["violations"]
    ] == []
    assert [url for url in left if not url.endswith("/favicon.ico")] == []
    await context.close()


async def test_the_policy_allows_only_the_reports_own_style(browser: Browser) -> None:
    html = render_report(EvaluationReport("smoke", "eval_a", mixed(), None))
    page = await browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    await page.set_content(html.replace("</body>", "<script>document.title = 'run'</script></body>"))
    assert await page.title() != "run"
    assert await page.evaluate("getComputedStyle(document.querySelector('.cards')).display") == "grid"
    assert len(refused) == 1
    await page.close()
