"""Memories sent per second, durable and through the whole server, compared with durable inserts into bare SQLite.

SQLite commits one row at a time. Sixty-four senders send at once, like the callers of a server; the rate of a single
sender is printed as well.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.result import Result, judge_ratio
from sanya import app
from sanya.kernel.calls.call import Answered, Call

SENDERS = 64
MEMORIES = 3200
GOAL = 0.5
_TEXT = "Alice: the delivery to Rayong number {} left the harbour at nine and is expected on Friday."


def run(memories: int = MEMORIES) -> Result:
    with TemporaryDirectory() as home:
        together, alone = asyncio.run(_measure_suite(Path(home), memories))
    with TemporaryDirectory() as home:
        bare = _measure_sqlite(Path(home) / "bare.db", memories)
    print(f"sent per second: {SENDERS} senders {together:,.0f}, one alone {alone:,.0f}; bare inserts {bare:,.0f}")
    return judge_ratio("memory_send", together, bare, (">=", GOAL))


async def _measure_suite(home: Path, memories: int) -> tuple[float, float]:
    numbers = count()
    async with app.open(home) as opened:

        async def send(times: int) -> None:
            for _ in range(times):
                text = _TEXT.format(next(numbers))
                outcome = await opened.kernel.call(Call("send_memory", {"content": text}))
                assert isinstance(outcome, Answered), outcome

        await send(5)
        started = perf_counter()
        await asyncio.gather(*(send(memories // SENDERS) for _ in range(SENDERS)))
        together = memories / (perf_counter() - started)
        started = perf_counter()
        await send(memories // 8)
        return together, memories // 8 / (perf_counter() - started)


def _measure_sqlite(path: Path, rows: int) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL)")
        started = perf_counter()
        for number in range(rows):
            connection.execute("INSERT INTO memories VALUES (?, ?)", (f"mem_{number:016x}", _TEXT.format(number)))
        return rows / (perf_counter() - started)
    finally:
        connection.close()


if __name__ == "__main__":
    print(json.dumps(run(*map(int, sys.argv[1:])), indent=2))
