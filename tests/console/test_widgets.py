"""The four fund widgets in a real browser, in both kinds of host."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Frame, Page, expect

from sanya.console.widgets import load_widget
from tests.console.widget_host import WidgetHost

pytestmark = pytest.mark.asyncio(loop_scope="session")

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "rmf-fund-list": ("get_rmf_funds", {"pageSize": 5}),
    "rmf-fund-card": ("get_rmf_fund_detail", {"fundCode": "ABAPAC-RMF"}),
    "rmf-performance-chart": ("get_rmf_fund_nav_history", {"fundCode": "ABAPAC-RMF", "days": 90}),
    "rmf-fund-comparison": ("compare_rmf_funds", {"fundCodes": ["ABAPAC-RMF", "B-ASIARMF", "ES-GOLDRMF-UH"]}),
}
NAMES = tuple(CALLS)
SHOWN = {
    "rmf-fund-list": ("ES-GOLDRMF-UH", "+37.14 %"),
    "rmf-fund-card": ("abrdn Asia Pacific", "98.90 %"),
    "rmf-performance-chart": ("Period return", "90 days"),
    "rmf-fund-comparison": ("Best this year", "+42.61 %"),
}
IN_THAI = {
    "rmf-fund-list": "ความเสี่ยง",
    "rmf-fund-card": "สินทรัพย์ที่ลงทุน",
    "rmf-performance-chart": "ผลตอบแทนทั้งช่วง",
    "rmf-fund-comparison": "เสี่ยงต่ำสุด",
}
HOSTILE = [
    wrapper.format(payload)
    for payload in (
        "<script>hacked=1</script>",
        "<img src=x onerror=hacked=1>",
        "<svg onload=hacked=1>",
        '"><script>hacked=1</script>',
        "'-hacked=1-'",
        "javascript:hacked=1",
        "{{hacked=1}}",
        "${hacked=1}",
        "</script><script>hacked=1</script>",
        "<iframe srcdoc='<script>parent.hacked=1</script>'>",
    )
    for wrapper in (
        "{}",
        "กองทุน {}",
        "{0}{0}",
        "A&B {}",
        "\u202e{}",
        " {} ",
        "]]>{}",
        "<!--{}",
        "%3C{}",
        "{}\\",
    )
]


async def shown(host: WidgetHost, name: str, **context: Any) -> Frame:
    tool, arguments = CALLS[name]
    frame = await host.as_app(load_widget(name).html, arguments, await host.call_tool(tool, **arguments), **context)
    await frame.locator("section").wait_for()
    return frame


@pytest.mark.parametrize("name", NAMES)
async def test_a_widget_is_one_small_file_without_external_urls(name: str) -> None:
    html = load_widget(name).html
    assert len(html.encode("utf-8")) < 150 * 1024
    addresses = set(re.findall(r"https?://[^\s\"'`<>)]+", html))
    assert addresses <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/1998/Math/MathML",
    }
    assert "connect-src" not in html and "default-src 'none'" in html


@pytest.mark.parametrize("name", NAMES)
async def test_a_widget_is_rendered_in_both_languages_and_both_themes(host: WidgetHost, name: str) -> None:
    frame = await shown(host, name)
    for words in SHOWN[name]:
        await expect(frame.locator("body")).to_contain_text(words)
    await expect(frame.locator(".demo")).to_have_text("Sample data, not market data")
    light = await frame.evaluate("getComputedStyle(document.body).backgroundColor")
    await host.page.evaluate(
        "send({method: 'ui/notifications/host-context-changed', params: {theme: 'dark', locale: 'th-TH'}})"
    )
    await expect(frame.locator("body")).to_contain_text(IN_THAI[name])
    await expect(frame.locator("html")).to_have_attribute("lang", "th")
    await expect(frame.locator("body")).not_to_have_css("background-color", light)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
async def test_pages_pass_the_accessibility_checker(host: WidgetHost, name: str, theme: str) -> None:
    frame = await shown(host, name, theme=theme)
    for summary in await frame.locator("summary").all():
        await summary.click()
    await frame.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    found = await frame.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [
        (violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in found["violations"]
    ] == []


async def test_a_list_shows_details_more_funds_and_a_comparison(host: WidgetHost) -> None:
    frame = await shown(host, "rmf-fund-list")
    assert await frame.locator(".row").count() == 5
    await frame.get_by_role("button", name="Show more").click()
    await expect(frame.locator(".row")).to_have_count(10)
    assert ("tool:get_rmf_funds", {"pageSize": 5, "page": 2}) in host.messages
    compare = frame.get_by_role("button", name=re.compile("^Compare"))
    await expect(compare).to_be_disabled()
    for box in (await frame.get_by_role("checkbox").all())[:2]:
        await box.check()
    await compare.click()
    await expect(frame.locator("h1")).to_have_text("Compare")
    assert len(dict(host.messages)["tool:compare_rmf_funds"]["fundCodes"]) == 2
    await frame.get_by_role("button", name="Back").click()
    await frame.get_by_role("button", name="Details of B-ASIARMF").click()
    await expect(frame.locator("h1")).to_have_text("B-ASIARMF")
    assert ("tool:get_rmf_fund_detail", {"fundCode": "B-ASIARMF"}) in host.messages


async def test_searches_and_rankings_load_more_results(host: WidgetHost) -> None:
    for tool, arguments in (
        ("search_rmf_funds", {"search": "rmf", "limit": 3}),
        ("get_rmf_fund_performance", {"period": "1y", "limit": 3}),
    ):
        frame = await host.as_app(load_widget("rmf-fund-list").html, arguments, await host.call_tool(tool, **arguments))
        await expect(frame.locator(".row")).to_have_count(3)
        await frame.get_by_role("button", name="Show more").click()
        await expect(frame.locator(".row").nth(5)).to_be_visible()
        asked = dict(host.messages)[f"tool:{tool}"]
        assert asked["limit"] == 23


async def test_a_chart_changes_its_range_and_is_walked_by_keys(host: WidgetHost) -> None:
    frame = await shown(host, "rmf-performance-chart")
    await frame.get_by_role("button", name="30 days").click()
    await expect(frame.get_by_role("button", name="30 days")).to_have_attribute("aria-pressed", "true")
    assert ("tool:get_rmf_fund_nav_history", {"fundCode": "ABAPAC-RMF", "days": 30}) in host.messages
    chart = frame.locator("figure svg")
    told = frame.locator("figcaption")
    last = await told.text_content() or ""
    await chart.focus()
    await host.page.keyboard.press("ArrowLeft")
    await expect(told).not_to_have_text(last)
    await host.page.keyboard.press("End")
    await expect(told).to_have_text(last)


async def test_a_document_is_opened_by_the_host_and_only_on_the_web(host: WidgetHost) -> None:
    result = await host.call_tool("get_rmf_fund_detail", fundCode="ABAPAC-RMF")
    fund = result["structuredContent"]["fund"]
    fund |= {"factsheet_url": "https://example.org/sheet.pdf", "annual_report_url": "javascript:hacked=1"}
    frame = await host.as_app(load_widget("rmf-fund-card").html, {}, result)
    await frame.get_by_role("button", name="Fact sheet").click()
    await expect(frame.get_by_role("button", name="Annual report")).to_have_count(0)
    await host.wait_for_message("ui/open-link", {"url": "https://example.org/sheet.pdf"})


@pytest.mark.parametrize("name", NAMES)
async def test_a_component_is_rendered_from_the_hosts_data(host: WidgetHost, name: str) -> None:
    tool, arguments = CALLS[name]
    page: Page = await host.as_component(
        load_widget(name).html, arguments, await host.call_tool(tool, **arguments), theme="dark", locale="th-TH"
    )
    await expect(page.locator("body")).to_contain_text(IN_THAI[name])
    assert await page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert "height" in dict(host.messages)


async def test_a_component_calls_tools_through_its_host(host: WidgetHost) -> None:
    tool, arguments = CALLS["rmf-fund-list"]
    page = await host.as_component(
        load_widget("rmf-fund-list").html, arguments, await host.call_tool(tool, **arguments)
    )
    await page.get_by_role("button", name="Details of ABAPAC-RMF").click()
    await expect(page.locator("h1")).to_have_text("ABAPAC-RMF")
    assert ("tool:get_rmf_fund_detail", {"fundCode": "ABAPAC-RMF"}) in host.messages


async def test_a_waiting_widget_shows_a_waiting_state(host: WidgetHost) -> None:
    frame = await host.as_app(load_widget("rmf-fund-list").html, {}, None)
    await expect(frame.get_by_role("status")).to_contain_text("Loading")
    await host.page.evaluate("send({method: 'ui/notifications/tool-cancelled', params: {}})")
    await expect(frame.get_by_role("alert")).to_contain_text("cancelled")


async def test_an_empty_search_suggests_next_steps(host: WidgetHost) -> None:
    arguments = {"search": "no such fund"}
    result = await host.call_tool("search_rmf_funds", **arguments)
    frame = await host.as_app(load_widget("rmf-fund-list").html, arguments, result)
    await expect(frame.locator(".empty")).to_contain_text("Use fewer filters")


async def test_an_error_is_shown_with_its_hint(host: WidgetHost) -> None:
    arguments = {"fundCode": "ABAPAC-RMX"}
    result = await host.call_tool("get_rmf_fund_detail", **arguments)
    frame = await host.as_app(load_widget("rmf-fund-card").html, arguments, result)
    await expect(frame.get_by_role("alert")).to_contain_text("does not exist")
    await expect(frame.get_by_role("alert")).to_contain_text("ABAPAC-RMF")


async def test_a_failed_connection_can_be_retried(host: WidgetHost) -> None:
    frame = await shown(host, "rmf-fund-list")
    host.is_offline = True
    await frame.get_by_role("button", name="Details of ABAPAC-RMF").click()
    await expect(frame.get_by_role("alert")).to_contain_text("cannot be reached")
    host.is_offline = False
    await frame.get_by_role("button", name="Try again").click()
    await expect(frame.locator("h1")).to_have_text("ABAPAC-RMF")


def _emptied(value: Any) -> Any:
    """Replace every figure and text by null, except names."""
    if isinstance(value, dict):
        return {
            key: item if key in ("symbol", "fund_name", "risk_level", "fundCode") else _emptied(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_emptied(item) for item in value]
    return None


@pytest.mark.parametrize("name", [name for name in NAMES if name != "rmf-performance-chart"])
async def test_no_widget_breaks_when_every_figure_is_missing(host: WidgetHost, name: str) -> None:
    tool, arguments = CALLS[name]
    result = await host.call_tool(tool, **arguments)
    result["structuredContent"] = _emptied(result["structuredContent"])
    frame = await host.as_app(load_widget(name).html, arguments, result)
    await expect(frame.locator("section")).to_contain_text("ABAPAC-RMF")
    assert "NaN" not in await frame.locator("body").inner_text()
    assert "null" not in await frame.locator("body").inner_text()


async def test_a_chart_without_points_says_so(host: WidgetHost) -> None:
    result = await host.call_tool("get_rmf_fund_nav_history", fundCode="ABAPAC-RMF", days=30)
    empty = dict.fromkeys(result["structuredContent"]) | {"fundCode": "X", "fundName": "Y", "navHistory": []}
    result["structuredContent"] = empty
    frame = await host.as_app(load_widget("rmf-performance-chart").html, {}, result)
    await expect(frame.locator("section")).to_contain_text("No NAV in this period")


async def test_a_hundred_hostile_names_render_as_text(host: WidgetHost) -> None:
    assert len(set(HOSTILE)) == 100
    result = await host.call_tool("get_rmf_funds", pageSize=1)
    (fund,) = result["structuredContent"]["funds"]
    result["structuredContent"]["funds"] = [
        {
            **fund,
            "symbol": f"{at} {text}",
            "fund_name": text,
            "amc": text,
            "nulls": {"perf_ytd": text},
            "perf_ytd": None,
        }
        for at, text in enumerate(HOSTILE)
    ]
    frame = await host.as_app(load_widget("rmf-fund-list").html, {}, result)
    await expect(frame.locator(".row")).to_have_count(100)
    assert await frame.evaluate("typeof hacked") == "undefined"
    assert await host.page.evaluate("typeof hacked") == "undefined"
    names = await frame.locator(".row .name > span").all_text_contents()
    assert names == HOSTILE
    assert await frame.locator(".row script, .row iframe, .row img").count() == 0


async def test_the_widgets_policy_blocks_the_network(host: WidgetHost) -> None:
    tool, arguments = CALLS["rmf-fund-list"]
    page = await host.as_component(
        load_widget("rmf-fund-list").html, arguments, await host.call_tool(tool, **arguments)
    )
    tried = await page.evaluate(
        """async () => {
          const blocked = [];
          const all = new Promise((done) =>
            document.addEventListener("securitypolicyviolation", (event) => {
              blocked.push(event.effectiveDirective);
              if (blocked.length === 3) done();
            }));
          await fetch("http://127.0.0.1:9/leak").catch(() => undefined);
          new Image().src = "http://127.0.0.1:9/leak.png";
          const script = document.createElement("script");
          script.textContent = "window.hacked = 1";
          document.body.append(script);
          await all;
          return {blocked, hacked: typeof window.hacked};
        }"""
    )
    assert set(tried["blocked"]) >= {"connect-src", "img-src", "script-src-elem"}
    assert tried["hacked"] == "undefined"


FIVE = ["ABAPAC-RMF", "B-ASIARMF", "ES-GOLDRMF-UH", "DEMO-BONDRMF", "RSD-USRMF(A)"]


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("count", [3, 4, 5])
async def test_a_comparison_fits_a_phone(host: WidgetHost, width: int, count: int) -> None:
    await host.page.set_viewport_size({"width": width, "height": 1000})
    arguments = {"fundCodes": FIVE[:count]}
    result = await host.call_tool("compare_rmf_funds", **arguments)
    frame = await host.as_app(load_widget("rmf-fund-comparison").html, arguments, result)
    await frame.locator("section").wait_for()
    measured = await frame.evaluate(
        "['html', '.wide', '.compared'].map((part) => document.querySelector(part).scrollWidth)"
    )
    assert all(part <= width for part in measured), measured


async def test_a_comparison_has_a_joint_chart_over_a_period(host: WidgetHost) -> None:
    frame = await shown(host, "rmf-fund-comparison")
    await expect(frame.locator("svg path.stroke")).to_have_count(3)
    chart = frame.locator("figure.joint svg")
    await chart.focus()
    await chart.press("Home")
    await expect(frame.locator("figure.joint figcaption")).to_contain_text("100.00")
    await frame.get_by_role("button", name="90 days").click()
    await expect(frame.get_by_role("button", name="90 days")).to_have_attribute("aria-pressed", "true")
    assert dict(host.messages)["tool:compare_rmf_funds"]["days"] == 90


# A page in a host without downloads would follow the link instead.
AWAIT_FILE = """() => {
  HTMLAnchorElement.prototype.click = () => {};
  window.saved = new Promise((resolve) => {
    URL.createObjectURL = (blob) => {
      resolve(blob);
      return "#saved";
    };
  });
}"""


async def test_a_comparison_is_exported_as_csv_json_png_and_svg(host: WidgetHost) -> None:
    frame = await shown(host, "rmf-fund-comparison")
    await frame.evaluate(AWAIT_FILE)
    await frame.get_by_role("button", name="Save CSV").click()
    lines = (await frame.evaluate("() => window.saved.then((blob) => blob.text())")).splitlines()
    assert lines[0].endswith("Figure,ABAPAC-RMF,B-ASIARMF,ES-GOLDRMF-UH")
    assert "perf_1y,6.65,13.62,42.61" in lines
    assert any(line.startswith("2025-11-07,") for line in lines)
    await frame.evaluate(AWAIT_FILE)
    await frame.get_by_role("button", name="Save PNG").click()
    kind, size = await frame.evaluate("() => window.saved.then((blob) => [blob.type, blob.size])")
    assert kind == "image/png"
    assert size > 1000
    saved = {}
    for way in ("JSON", "SVG"):
        await frame.evaluate(AWAIT_FILE)
        await frame.get_by_role("button", name=f"Save {way}").click()
        saved[way] = await frame.evaluate("() => window.saved.then((blob) => blob.text())")
    assert [fund["symbol"] for fund in json.loads(saved["JSON"])["funds"]] == [
        "ABAPAC-RMF",
        "B-ASIARMF",
        "ES-GOLDRMF-UH",
    ]
    assert saved["SVG"].startswith("<svg") and "<path" in saved["SVG"] and "class=" not in saved["SVG"]


@pytest.mark.parametrize("name", ["rmf-fund-list", "rmf-fund-card"])
async def test_figures_of_a_widget_without_a_chart_are_saved(host: WidgetHost, name: str) -> None:
    frame = await shown(host, name)
    await frame.evaluate(AWAIT_FILE)
    await frame.get_by_role("button", name="Save CSV").click()
    lines = (await frame.evaluate("() => window.saved.then((blob) => blob.text())")).splitlines()
    assert {"rmf-fund-list": "symbol,fund_name", "rmf-fund-card": "period,performance,benchmark"}[name] in lines[0]
    assert len(lines) > 5
