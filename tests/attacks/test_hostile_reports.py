"""Evaluation reports with hostile questions, ids and facts, in a real browser: nothing runs and nothing is fetched."""

from __future__ import annotations

from playwright.async_api import Browser, Route

from sanya.suites.herbs.evaluation.fact_checking import CheckedSentence
from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.report.page import EvaluationReport, render_report
from tests.attacks.case_counts import count_case
from tests.console.conftest import browser
from tests.console.test_widgets import HOSTILE
from tests.suites.herbs.evaluation.examples import judgement, question

__all__ = ["browser"]  # a fixture
ADDRESS = "http://127.0.0.1:9/evaluations/eval_a"
LINKS = (
    "[x](javascript:hacked=1)",
    "![x](http://127.0.0.1:9/leak.png)",
    '<a href="javascript:hacked=1">x</a>',
    '<a href="data:text/html,<script>hacked=1</script>">x</a>',
    '<svg><a xlink:href="javascript:hacked=1"><text>x</text></a></svg>',
    "<svg><script>hacked=1</script></svg>",
    '<svg><image href="http://127.0.0.1:9/leak.svg" onload="hacked=1"/></svg>',
    "<svg><foreignObject><img src=x onerror=hacked=1></foreignObject></svg>",
    '<math><mtext><img src=x onerror="hacked=1"></mtext></math>',
    '<meta http-equiv="refresh" content="0;url=javascript:hacked=1">',
    '<base href="http://127.0.0.1:9/">',
    '<link rel="stylesheet" href="http://127.0.0.1:9/leak.css">',
    "<style>@import 'http://127.0.0.1:9/leak.css'; body{background:url(http://127.0.0.1:9/leak)}</style>",
    "</style></head><body onload=hacked=1>",
    "</title><script>hacked=1</script>",
    '" onmouseover="hacked=1" autofocus onfocus="hacked=1',
    "<details open ontoggle=hacked=1>",
    "<form action='javascript:hacked=1'><button>x</button></form>",
    "<object data='data:text/html,<script>parent.hacked=1</script>'></object>",
)
TEXTS = (*HOSTILE, *LINKS)


def _render() -> str:
    judged = tuple(
        judgement(
            question(f"{number} {text}", text=text, relevant=frozenset({text}), kind="safety"),
            right=bool(number % 2),
            sure=bool(number % 3),
            hit_ids=(text, "zingiber-officinale"),
            sentences=(CheckedSentence(text, text, number % 2 == 0, True),),
        )
        for number, text in enumerate(TEXTS)
    )
    figures = EvaluationFigures(judged, k=10, least_confidence=0.6, revision=3)
    return render_report(EvaluationReport("custom", LINKS[13], figures, None))


async def test_a_report_of_hostile_texts_runs_and_fetches_nothing(browser: Browser) -> None:
    """Once under the report's own policy, and once without it: escaping alone must hold."""
    html = _render()
    for ignores_policy in (False, True):
        tried: list[str] = []

        async def serve(route: Route, tried: list[str] = tried) -> None:
            if route.request.url == ADDRESS:
                await route.fulfill(body=html, content_type="text/html; charset=utf-8")
            else:
                tried.append(route.request.url)
                await route.abort()

        context = await browser.new_context(bypass_csp=ignores_policy)
        page = await context.new_page()
        await page.route("**/*", serve)
        await page.goto(ADDRESS)
        await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        assert await page.evaluate("typeof hacked") == "undefined"
        assert await page.locator("script, iframe, img, image, object, base, link, form, foreignObject").count() == 0
        assert await page.locator("[onload], [onerror], [onfocus], [ontoggle], [onmouseover]").count() == 0
        links = await page.eval_on_selector_all("a", "links => links.map((link) => link.protocol)")
        assert not {"javascript:", "data:"} & set(links)
        assert [url for url in tried if not url.endswith("/favicon.ico")] == []
        shown = await page.locator("body").inner_text()
        assert any(text in shown for text in TEXTS), "no text was shown"
        await context.close()
        count_case(len(TEXTS))
