"""Processes that share a database, for tests of their interaction.

Run as a program this module does one of the jobs below, and prints a line for everything it has made durable.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine
from pathlib import Path

from sanya.engines.database import open_database
from sanya.engines.ledger import SqlLedgerStore
from sanya.kernel.ledger.anchors import Anchorer
from sanya.kernel.ledger.chain import MAIN_CHAIN, Ledger
from tests.engines.entries import make_entry

ROOT = Path(__file__).parents[2]


async def start(job: str, url: str, home: Path, *arguments: int, chain: str = MAIN_CHAIN) -> Process:
    """Start a process that does `job`; `chain` names its own ledger chain, if it has one."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.engines.processes",
        job,
        url,
        str(home),
        *map(str, arguments),
        chain,
        stdout=PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


async def finish(process: Process) -> list[str]:
    """Return what the process printed, after checking its exit code."""
    async with asyncio.timeout(60):
        printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode().split()


async def append(url: str, home: Path, first: int, count: int, batch: int) -> None:
    """Append `count` entries, `batch` at a time, and print the progress."""
    async with open_database(url, home) as database:
        store = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
        for number in range(first, first + count, batch):
            await store.append([make_entry(entry_number) for entry_number in range(number, number + batch)], [])
            print(number + batch - 1, flush=True)


async def record(url: str, home: Path, first: int) -> None:
    """Record entries through the ledger for ever, some flushed and some not, and print the flushed ones."""
    async with open_database(url, home) as database:
        ledger = Ledger(SqlLedgerStore(database, code_hash=lambda: "c" * 64), group_ms=1)
        ledger.start()
        for start_of_seven in itertools.count(first, 7):
            for number in range(start_of_seven, start_of_seven + 7):
                ledger.record(make_entry(number))
            await ledger.flush()
            print(number, flush=True)


async def replica(url: str, home: Path, first: int, count: int, chain: str) -> None:
    """Record entries on a chain of its own, anchor it continuously, and print the durable ones."""
    async with open_database(url, home) as database:
        anchorer = Anchorer(chain, SqlLedgerStore(database, code_hash=lambda: "c" * 64), pause_s=0.001)
        own = SqlLedgerStore(database, code_hash=lambda: "c" * 64, chain=chain)
        ledger = Ledger(own, group_ms=1, on_written=anchorer.notify_written)
        ledger.start()
        anchorer.start()
        for number in range(first, first + count):
            ledger.record(make_entry(number))
            await ledger.flush()
            print(number, flush=True)
        await ledger.close()
        await anchorer.close()


async def open_and_close(url: str, home: Path) -> None:
    async with open_database(url, home) as database:
        rows = await database.fetch("SELECT number FROM schema_migrations ORDER BY number")
        print(*(number for (number,) in rows))


JOBS: dict[str, Callable[..., Coroutine[None, None, None]]] = {
    "append": append,
    "record": record,
    "open": open_and_close,
    "replica": replica,
}

if __name__ == "__main__":
    job, url, home, *numbers, chain = sys.argv[1:]
    of_chain = (chain,) if job == "replica" else ()
    asyncio.run(JOBS[job](url, Path(home), *map(int, numbers), *of_chain))
