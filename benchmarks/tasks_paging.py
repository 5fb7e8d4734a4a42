"""Latency of `get_tasks` on page 10,000 of a million tasks, against page 1, both through the whole kernel.

The benchmark reaches the deep page as a client does, by following cursors from the first page.
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
from pathlib import Path
from statistics import median
from typing import Any

import sanya
from benchmarks.result import Result, judge_ratio
from sanya.app import App
from sanya.suites.tasks.search import fold_texts
from sanya.suites.tasks.tables import TASK_COLUMNS

NAME = "get_tasks_paging"
GOAL = 1.5
TASKS = 1_000_000
DEEP_PAGE = 10_000
ROUNDS = 15
CALLS = 40

_TITLES = ("Prepare the release notes", "สรุปรายงานยอดขาย", "Call the supplier", "ต่อใบอนุญาต", "Order beans")
_STATUSES = ("TODO", "DOING", "DONE", "ARCHIVED")


def run() -> Result:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        asyncio.run(_make_home(home))
        started = time.perf_counter()
        _fill(Path(home) / "sanya.db")
        _say(f"Wrote {TASKS:,} tasks in {time.perf_counter() - started:.0f} s")
        first_ms, deep_ms = asyncio.run(_measure(home))
    return judge_ratio(NAME, deep_ms, first_ms, ("<=", GOAL))


async def _make_home(home: str) -> None:
    async with sanya.open(home, log_level="warning"):
        pass


def _fill(path: Path) -> None:
    """Insert rows directly and create the indexes afterwards, because writing is not measured."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        indexes = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'tasks' AND sql IS NOT NULL"
        ).fetchall()
        connection.execute("BEGIN")
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        names = (*TASK_COLUMNS, "folded")
        marks = ", ".join("?" for _ in names)
        connection.executemany(f"INSERT INTO tasks ({', '.join(names)}) VALUES ({marks})", _make_rows())
        for _, sql in indexes:
            connection.execute(sql)
        connection.execute("COMMIT")


def _make_rows() -> Iterator[tuple[Any, ...]]:
    """Make tasks whose order of change differs from their order of insertion, as after years of use."""
    chance = random.Random(1)
    folded = {title: fold_texts(title, "For the partners", None) for title in _TITLES}
    for number in range(TASKS):
        title = _TITLES[number % len(_TITLES)]
        changed = (
            f"2025-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}T{chance.randrange(24):02d}:30:00.000Z"
        )
        project = f"project-{number % 50}" if number % 3 else None
        yield (
            f"task-{number:07d}", title, "For the partners", None, project, _STATUSES[number % 4], "NORMAL", number % 2,
            None, None, "NONE", "2024-12-01T08:00:00.000Z", changed, folded[title],
        )  # fmt: skip


async def _measure(home: str) -> tuple[float, float]:
    """Return the milliseconds per call of the first page and of the deep page, which alternate."""
    async with sanya.open(home, log_level="warning") as app:
        started = time.perf_counter()
        cursor = await _find_cursor(app, DEEP_PAGE)
        _say(f"Followed {DEEP_PAGE:,} pages in {time.perf_counter() - started:.0f} s")
        first, deep = [], []
        for _ in range(ROUNDS):
            first.append(await _time(app, {}))
            deep.append(await _time(app, {"cursor": cursor}))
    return median(first), median(deep)


async def _find_cursor(app: App, page: int) -> str:
    cursor = None
    for _ in range(page - 1):
        cursor = (await app.call("get_tasks", {"cursor": cursor}))["next_cursor"]
    if cursor is None:
        raise RuntimeError(f"Page {page} does not exist")
    return str(cursor)


async def _time(app: App, arguments: dict[str, Any]) -> float:
    started = time.perf_counter()
    for _ in range(CALLS):
        await app.call("get_tasks", arguments)
    return (time.perf_counter() - started) / CALLS * 1000


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
