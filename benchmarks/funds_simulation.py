"""Latency of monthly purchases simulated with 10,000 funds of 2,500 days each: p95 of a kernel call for five funds."""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path
from statistics import quantiles

import sanya
from benchmarks.funds_calls import MANY, fill_home, make_home, make_symbol, time_call
from benchmarks.result import Result, judge_ratio

NAME = "funds_simulation"
GOAL = 1.0
LIMIT_MS = 50.0
CALLS = 200
FUNDS = 5


def run() -> Result:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        asyncio.run(make_home(home))
        fill_home(Path(home) / "sanya.db", MANY)
        return judge_ratio(NAME, asyncio.run(_measure_p95(home)), LIMIT_MS, ("<=", GOAL))


async def _measure_p95(home: str) -> float:
    """Return the p95 in milliseconds, after one warm-up call that loads the list. No set of funds is asked twice."""
    chance = random.Random(3)
    sets = [[make_symbol(number) for number in chance.sample(range(MANY), FUNDS)] for _ in range(CALLS + 1)]
    async with sanya.open(home, log_level="warning") as app:
        requests = [{"fundCodes": codes, "monthlyAmount": 5000} for codes in sets]
        times = [await time_call(app, "simulate_rmf_dca", request) for request in requests]
    return quantiles(times[1:], n=20)[-1]
