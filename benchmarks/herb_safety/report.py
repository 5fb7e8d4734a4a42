"""Benchmark `herb_safety`: all sets of the safety check, development and unseen. Writes docs/herb-safety.json and .svg.

The result is the kind of name or set that lies nearest to its goal, divided by that goal.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

import sanya
from benchmarks.herb_safety.plot import plot_figures
from benchmarks.herb_safety.sets import CASE_FILES, NAME_KINDS, measure_cases, measure_names
from benchmarks.result import Result, judge_ratio
from sanya.app import App

_DOCS = Path(__file__).parents[2] / "docs"
SPLITS = ("development", "unseen")
# Share of names of a kind that are understood: known, or known to mean several things.
NAME_GOALS = {"generic": 0.97, "brand": 0.90, "thai": 0.95, "class": 0.95, "condition": 0.95, "herb": 0.90}
FOUND_GOAL = 0.95


def run() -> Result:
    figures = asyncio.run(_measure())
    (_DOCS / "herb-safety.json").write_bytes(orjson.dumps(figures, option=orjson.OPT_INDENT_2) + b"\n")
    (_DOCS / "herb-safety.svg").write_text(plot_figures(figures), "utf-8")
    shares = [(row["known"] / row["all"], row["goal"]) for row in figures["names"]]
    shares += [(row["found"], FOUND_GOAL) for row in figures["cases"] if row["split"] == "development"]
    share, goal = min(shares, key=lambda item: item[0] / item[1])
    return judge_ratio("herb_safety", share, goal, (">=", 1.0))


async def _measure() -> dict[str, Any]:
    with TemporaryDirectory() as home:
        async with sanya.open(home) as app:
            names = [await _count_names(app, split, kind) for kind in NAME_KINDS for split in SPLITS]
            cases = [await _count_cases(app, split, file_name) for file_name in CASE_FILES for split in SPLITS]
    return {"names": names, "cases": cases}


async def _count_names(app: App, split: str, kind: str) -> dict[str, Any]:
    counts, _ = await measure_names(app, split, kind)
    understood = counts["known"] + counts["ambiguous"]
    return {"kind": kind, "split": split, "all": counts.total(), "known": understood, "goal": NAME_GOALS[kind]}


async def _count_cases(app: App, split: str, file_name: str) -> dict[str, Any]:
    """Count the pairs by outcome. `found` leaves out pairs that no statement is on record for."""
    outcomes, _ = await measure_cases(app, split, file_name)
    counts: Counter[str] = sum(outcomes.values(), Counter())
    measured = counts.total() - counts["not_recorded"]
    return {
        "set": file_name.removesuffix(".jsonl"),
        "split": split,
        "pairs": counts.total(),
        "found": round(counts["right"] / measured, 4),
        "outcomes": dict(sorted(counts.items())),
    }
