"""Safety check of 5 herbs × 10 drugs × 5 conditions beside its single pairs, p95 in milliseconds, inside the process.

What is on record about a pair differs by the factor of thirty, so no pair stands for all: each of the 75 pairs of the
large request is asked alone in turn, and the p95 of those calls is compared. Both kinds of request are made in turns on
the same open home, so that a busy machine slows both.
"""

from __future__ import annotations

import asyncio
import time
from itertools import cycle
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import sanya
from benchmarks.result import Result, judge_ratio
from sanya.app import App

CHECK = "tool.find_contraindications"
MANY_PAIRS: dict[str, Any] = {
    "herb_ids": ["ขิง", "turmeric", "กระเทียม", "กัญชา", "ฟ้าทะลายโจร"],
    "drugs": [
        *("Coumadin", "metformin", "ยาความดัน", "simvastatin", "Plavix"),
        *("omeprazole", "เพรดนิโซโลน", "diazepam", "Lasix", "amoxicillin"),
    ],
    "conditions": ["pregnant", "โรคไต", "เบาหวาน", "4 year old", "surgery next week"],
}
SINGLE_PAIRS: list[dict[str, Any]] = [
    {"herb_ids": [herb], field: [name]}
    for herb in MANY_PAIRS["herb_ids"]
    for field in ("drugs", "conditions")
    for name in MANY_PAIRS[field]
]
# As often as all pairs, once to prepare what is kept from call to call and four times to measure.
WARM_UP, ROUNDS = len(SINGLE_PAIRS), 4 * len(SINGLE_PAIRS)
_GOAL = 2.0


def run() -> Result:
    many, single = asyncio.run(_measure())
    return judge_ratio("herbs_check", many, single, ("<=", _GOAL))


async def _measure() -> tuple[float, float]:
    times: dict[str, list[float]] = {"many": [], "single": []}
    with TemporaryDirectory() as home:
        async with sanya.open(home) as app:
            for number, pair in zip(range(WARM_UP + ROUNDS), cycle(SINGLE_PAIRS), strict=False):
                for name, request in (("many", MANY_PAIRS), ("single", pair)):
                    spent = await _time_call(app, request)
                    if number >= WARM_UP:
                        times[name].append(spent)
    return tuple(1000 * quantiles(spent, n=20)[-1] for spent in times.values())  # type: ignore[return-value]


async def _time_call(app: App, request: dict[str, Any]) -> float:
    start = time.perf_counter()
    await app.call(CHECK, request)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(run())
