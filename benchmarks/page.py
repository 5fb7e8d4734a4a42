"""Writes docs/BENCHMARKS.md and its plot from the latest run of each benchmark."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

import orjson

from benchmarks.figures import FIGURES
from benchmarks.result import Result

DOCS = Path(__file__).parents[1] / "docs"
KEPT = DOCS / "benchmarks.json"
PAGE = DOCS / "BENCHMARKS.md"
PLOT = DOCS / "benchmarks.svg"
ENGINES = DOCS / "search.md"
_ENGINES_BEGIN, _ENGINES_END = "<!-- engines: begin -->", "<!-- engines: end -->"

_ROW = 26
_LABEL = 190
_WIDTH = 760
# The plot covers ratios to the goal from a quarter to four times.
_SPREAD = math.log(4)


class Kept(TypedDict):
    result: Result
    on: str
    machine: str


def read_kept() -> dict[str, Kept]:
    kept: dict[str, Kept] = orjson.loads(KEPT.read_bytes()) if KEPT.exists() else {}
    return {name: kept[name] for name in FIGURES if name in kept}


def keep(results: list[Result]) -> None:
    """Store the latest results and rewrite the page. Other benchmarks keep their result and date."""
    kept = read_kept()
    today, machine = datetime.now(UTC).date().isoformat(), describe_machine()
    kept.update({result["name"]: {"result": result, "on": today, "machine": machine} for result in results})
    KEPT.write_bytes(orjson.dumps(kept, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
    PAGE.write_text(render_page(read_kept()), encoding="utf-8")
    PLOT.write_text(plot(read_kept()), encoding="utf-8")


def keep_engines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Update the table of search engines in docs/search.md. A row replaces the row with the same size and engine."""
    head, between, tail = _split_page(ENGINES.read_text(encoding="utf-8"))
    known = {tuple(row[:2]): row for row in map(_split_cells, between.splitlines()) if len(row) == len(columns)}
    known.update({(row[0], row[1]): [*row] for row in rows})
    body = sorted((row for row in known.values() if row[0][0].isdigit()), key=lambda row: int(row[0].replace(",", "")))
    table = [columns, ["---"] * len(columns), *body]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in table)
    written = f"{head}{_ENGINES_BEGIN}\n{lines}\n\nMeasured on {describe_machine()}.\n{_ENGINES_END}{tail}"
    ENGINES.write_text(written, encoding="utf-8")


def read_engines() -> list[list[str]]:
    """Return the measured rows of the table of search engines, the smallest size first."""
    _, between, _ = _split_page(ENGINES.read_text(encoding="utf-8"))
    rows = [_split_cells(line) for line in between.splitlines() if line.startswith("|")]
    return [row for row in rows if row[0][0].isdigit() and not row[2].startswith("not measured")]


def _split_page(text: str) -> tuple[str, str, str]:
    head, _, rest = text.partition(_ENGINES_BEGIN)
    between, _, tail = rest.partition(_ENGINES_END)
    return head, between, tail


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def describe_machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory:.0f} GB, {system}"


def render_page(kept: Mapping[str, Kept]) -> str:
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`, which runs all of them, or one: `make bench ONLY=cli_help`. Ours and its peer are",
        "measured side by side in one run, so a ratio says more than either figure; the machine is shared and noisy.",
        "Each row is the newest run of its figure. A goal that is missed says so.",
        "",
        "![How far each figure is from its goal](benchmarks.svg)",
        "",
        "| figure | ours | beside | theirs | ratio | goal | holds | measured |",
        "| --- | ---: | --- | ---: | ---: | ---: | --- | --- |",
        *(_format_row(name, entry) for name, entry in kept.items()),
        "",
        f"Machine: {'; '.join(sorted({entry['machine'] for entry in kept.values()}))}.",
        "",
    ]
    return "\n".join(lines)


def _format_row(name: str, entry: Kept) -> str:
    figure, result = FIGURES[name], entry["result"]
    goal = f"{'≥' if result['sign'] == '>=' else '≤'} {result['goal']:g}"
    cells = [
        f"{figure.says} (`{name}`)",
        f"{result['ours']:g}",
        figure.beside,
        f"{result['peer']:g}",
        f"{result['ratio']:.2f}",
        goal,
        "yes" if result["holds"] else "**no**",
        entry["on"],
    ]
    return f"| {' | '.join(cells)} |"


def compute_advantage(result: Result) -> float:
    """Return how many times better than its goal a result is; 1 just meets the goal."""
    times = result["ratio"] / result["goal"] if result["sign"] == ">=" else result["goal"] / max(result["ratio"], 1e-9)
    return max(times, 1e-9)


def plot(kept: Mapping[str, Kept]) -> str:
    height = _ROW * len(kept) + 40
    middle = _LABEL + (_WIDTH - _LABEL - 60) / 2
    bars = "".join(_draw_bar(at, name, entry["result"], middle) for at, (name, entry) in enumerate(kept.items()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">'
        "<title>How far each figure is from its goal: right of the line is better</title>"
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>{bars}'
        f'<line x1="{middle:g}" x2="{middle:g}" y1="8" y2="{height - 28}" stroke="#334" stroke-dasharray="3 3"/>'
        f'<text x="{middle:g}" y="{height - 12}" text-anchor="middle" fill="#334">its goal</text></svg>\n'
    )


def _draw_bar(at: int, name: str, result: Result, middle: float) -> str:
    times = compute_advantage(result)
    reach = max(-1.0, min(1.0, math.log(times) / _SPREAD)) * (_WIDTH - _LABEL - 60) / 2
    left, width = min(middle, middle + reach), max(abs(reach), 1.5)
    top = 10 + at * _ROW
    colour = "#1f8a5b" if result["holds"] else "#b3402e"
    end = (left + width + 6, "start") if reach >= 0 else (left - 6, "end")
    return (
        f'<text x="{_LABEL - 10}" y="{top + 13}" text-anchor="end" fill="#223">{name}</text>'
        f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_ROW - 10}" rx="3" fill="{colour}"/>'
        f'<text x="{end[0]:.1f}" y="{top + 13}" text-anchor="{end[1]}" fill="#445">×{times:.2f}</text>'
    )
