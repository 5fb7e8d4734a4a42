"""Latency of the six funds tools with 10,000 funds against 403: p95 of a kernel call, of the tool with the worst ratio.

Both data sets cover the same days, so only the number of funds differs. SANYA_BENCH_DAYS sets the days (2,500). The CPU
time of a call is printed as well: one wait for a busy core makes a call of half a millisecond ten times as long.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from statistics import quantiles
from typing import Any

import sanya
from benchmarks.result import Result, judge_ratio
from sanya.app import App
from sanya.suites.funds.fund import fold_code
from sanya.suites.funds.importing.writer import FUND_ROW_COLUMNS

NAME = "funds_calls"
GOAL = 3.0
FEW, MANY = 403, 10_000
DAYS = int(os.environ.get("SANYA_BENCH_DAYS", "2500"))
CALLS = 200

_LAST_DAY = date(2025, 11, 7)
_DETAILS = '{"fund_id":"M1","fees":[{"fee_type":null,"fee_desc":"total","fee_value":1.2,"fee_remark":null}]}'


def run() -> Result:
    (few, few_cpu), (many, many_cpu) = _measure_p95(FEW), _measure_p95(MANY)
    for tool, slow in many.items():
        _say(
            f"{tool}: {few[tool]:.2f} ms with {FEW} funds, {slow:.2f} ms with {MANY:,}; "
            f"of CPU {few_cpu[tool]:.2f} and {many_cpu[tool]:.2f} ms"
        )
    worst = max(many, key=lambda tool: many[tool] / few[tool])
    return judge_ratio(NAME, many[worst], few[worst], ("<=", GOAL))


def _measure_p95(funds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the p95 in milliseconds of each tool, on the clock and of CPU."""
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        asyncio.run(make_home(home))
        started = time.perf_counter()
        fill_home(Path(home) / "sanya.db", funds)
        _say(f"Wrote {funds:,} funds with {DAYS:,} days each in {time.perf_counter() - started:.0f} s")
        return asyncio.run(_measure(home, funds))


async def make_home(home: str) -> None:
    async with sanya.open(home, log_level="warning"):
        pass


def fill_home(path: Path, funds: int) -> None:
    """Insert rows directly into the tables, because writing is not measured."""
    marks = ", ".join("?" for _ in FUND_ROW_COLUMNS)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        connection.execute("BEGIN")
        connection.execute("DELETE FROM nav_points")
        connection.execute("DELETE FROM funds")
        connection.executemany(
            f"INSERT INTO funds ({', '.join(FUND_ROW_COLUMNS)}) VALUES ({marks})", _make_fund_rows(funds)
        )
        connection.executemany("INSERT INTO nav_points (symbol, nav_date, nav) VALUES (?, ?, ?)", _make_points(funds))
        connection.execute("UPDATE revisions SET revision = revision + 1 WHERE suite = 'funds'")
        connection.execute("COMMIT")


def make_symbol(number: int) -> str:
    return f"BENCH-{number:05d}RMF"


def _make_fund_rows(funds: int) -> Iterator[tuple[Any, ...]]:
    chance = random.Random(1)
    for number in range(funds):
        symbol = make_symbol(number)
        returns = [round(chance.gauss(5, 12), 2) for _ in range(15)]
        yield (
            symbol, f"Bench fund number {number}", f"กองทุนที่ {number}", f"MANAGER {number % 25} LIMITED", "EQGEN",
            1 + number % 8, "RMF", None, None, _LAST_DAY.isoformat(), 10.0, 0.01, 0.1, 10.0, 10.0001, *returns, "{}",
            _DETAILS, "2025-11-11T06:00:00.000Z", fold_code(symbol), 0,
        )  # fmt: skip


def _make_points(funds: int) -> Iterator[tuple[str, str, float]]:
    days = [(_LAST_DAY - timedelta(days=number)).isoformat() for number in reversed(range(DAYS))]
    for number in range(funds):
        symbol = make_symbol(number)
        for index, day in enumerate(days):
            yield symbol, day, 10.0 + (index * 7 + number) % 13 / 100


async def _measure(home: str, funds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Measure each tool after one warm-up call that loads the list."""
    async with sanya.open(home, log_level="warning") as app:
        clock, cpu = dict[str, float](), dict[str, float]()
        for tool, arguments in _make_questions(funds).items():
            await app.call(tool, arguments[0])
            times, cpu_times = list[float](), list[float]()
            for argument in arguments:
                started = time.process_time()
                times.append(await time_call(app, tool, argument))
                cpu_times.append((time.process_time() - started) * 1000)
            clock[tool], cpu[tool] = quantiles(times, n=20)[-1], quantiles(cpu_times, n=20)[-1]
    return clock, cpu


def _make_questions(funds: int) -> dict[str, list[dict[str, Any]]]:
    chance = random.Random(2)
    codes = [[make_symbol(number) for number in chance.sample(range(funds), 3)] for _ in range(CALLS)]
    periods = ("ytd", "3m", "6m", "1y", "3y", "5y")
    return {
        "get_rmf_funds": [{"page": 1 + number % 20, "sortBy": ("ytd", "nav")[number % 2]} for number in range(CALLS)],
        "search_rmf_funds": [{"search": f"number {number}", "maxRiskLevel": 7} for number in range(CALLS)],
        "get_rmf_fund_detail": [{"fundCode": code[0]} for code in codes],
        "get_rmf_fund_performance": [{"period": periods[number % 6]} for number in range(CALLS)],
        "get_rmf_fund_nav_history": [{"fundCode": code[0], "days": 90} for code in codes],
        "compare_rmf_funds": [{"fundCodes": code} for code in codes],
    }


async def time_call(app: App, tool: str, arguments: dict[str, Any]) -> float:
    started = time.perf_counter()
    await app.call(tool, arguments)
    return (time.perf_counter() - started) * 1000


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
