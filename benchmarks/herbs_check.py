"""Safety check of 5 herbs × 10 drugs × 5 conditions beside one of a single pair, p95 in milliseconds.

Both requests are made in turns on the same open home, so that a busy machine slows both.
"""

from __future__ import annotations

import asyncio
import time
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import sanya
from benchmarks.result import Result, judge_ratio
from sanya.app import App

CHECK = "tool.find_contraindications"
ONE_PAIR: dict[str, Any] = {"herb_ids": ["ขิง"], "drugs": ["warfarin"]}
MANY_PAIRS: dict[str, Any] = {
    "herb_ids": ["ขิง", "turmeric", "กระเทียม", "กัญชา", "ฟ้าทะลายโจร"],
    "drugs": [
        *("Coumadin", "metformin", "ยาความดัน", "simvastatin", "Plavix"),
        *("omeprazole", "เพรดนิโซโลน", "diazepam", "Lasix", "amoxicillin"),
    ],
    "conditions": ["pregnant", "โรคไต", "เบาหวาน", "4 year old", "surgery next week"],
}
_WARM_UP, _ROUNDS = 10, 200
_GOAL = 2.0


def run() -> Result:
    many, single = asyncio.run(_measure())
    return judge_ratio("herbs_check", many, single, ("<=", _GOAL))


async def _measure() -> tuple[float, float]:
    times: dict[str, list[float]] = {"many": [], "single": []}
    with TemporaryDirectory() as home:
        async with sanya.open(home) as app:
            for number in range(_WARM_UP + _ROUNDS):
                for name, request in (("many", MANY_PAIRS), ("single", ONE_PAIR)):
                    spent = await _time_call(app, request)
                    if number >= _WARM_UP:
                        times[name].append(spent)
    return tuple(1000 * quantiles(spent, n=20)[-1] for spent in times.values())  # type: ignore[return-value]


async def _time_call(app: App, request: dict[str, Any]) -> float:
    start = time.perf_counter()
    await app.call(CHECK, request)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(run())
