"""Other processes that use a database, for tests of what they do to each other.

Run as a program it does one of the jobs below, and prints a line for everything it has made durable.
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
from sanya.kernel.ledger import Ledger
from tests.engines.entries import make_entry

ROOT = Path(__file__).parents[2]


async def start(job: str, url: str, home: Path, *arguments: int) -> Process:
    """Starts a process that does `job`."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.engines.processes",
        job,
        url,
        str(home),
        *map(str, arguments),
        stdout=PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


async def finish(process: Process) -> list[str]:
    """What the process printed, after it ended well."""
    async with asyncio.timeout(60):
        printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode().split()


async def append(url: str, home: Path, first: int, count: int, batch: int) -> None:
    """Appends `count` entries, `batch` at a time; prints how far it came."""
    async with open_database(url, home) as database:
        store = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
        for number in range(first, first + count, batch):
            await store.append([make_entry(one) for one in range(number, number + batch)], [])
            print(number + batch - 1, flush=True)


async def record(url: str, home: Path, first: int) -> None:
    """Records entries through the ledger without end, some flushed and some not; prints the flushed ones."""
    async with open_database(url, home) as database:
        ledger = Ledger(SqlLedgerStore(database, code_hash=lambda: "c" * 64), group_ms=1)
        ledger.start()
        for start_of_seven in itertools.count(first, 7):
            for number in range(start_of_seven, start_of_seven + 7):
                ledger.record(make_entry(number))
            await ledger.flush()
            print(number, flush=True)


async def open_and_close(url: str, home: Path) -> None:
    async with open_database(url, home) as database:
        rows = await database.fetch("SELECT number FROM schema_migrations ORDER BY number")
        print(*(number for (number,) in rows))


JOBS: dict[str, Callable[..., Coroutine[None, None, None]]] = {
    "append": append,
    "record": record,
    "open": open_and_close,
}

if __name__ == "__main__":
    asyncio.run(JOBS[sys.argv[1]](sys.argv[2], Path(sys.argv[3]), *map(int, sys.argv[4:])))
