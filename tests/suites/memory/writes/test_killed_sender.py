"""`kill -9` at any moment loses no acknowledged memory. `make test-long` does it two hundred times."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from pathlib import Path

from sanya.engines.database import open_database
from sanya.kernel.calls.call import OWNER
from sanya.suites.memory.storage.store import MemoryStore
from tests.long_form import often

KILLS = often(8, 200)
PATIENCE_S = 60.0


async def _acknowledged_until_killed(home: Path, database_url: str, run: int, lines: int) -> list[str]:
    """Ids that the sender printed before it was killed, at once after it had printed so many."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.suites.memory.writes.killed_sender",
        str(home),
        database_url,
        str(run),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    assert process.stdout is not None
    printed: list[str] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            while len(printed) < lines:
                line = await process.stdout.readline()
                assert line, "the sender ended by itself"
                printed.append(line.decode().strip())
    finally:
        process.send_signal(signal.SIGKILL)
        rest = await process.stdout.read()
        await process.wait()
    # The last line may have been cut off by the kill.
    return printed + [line for line in rest.decode().split("\n")[:-1] if line]


async def test_no_acknowledged_memory_is_lost(home: Path, database_url: str) -> None:
    async with open_database(database_url, home):
        pass
    moments = random.Random(7)
    sent: list[str] = []
    for run in range(KILLS):
        sent += await _acknowledged_until_killed(home, database_url, run, moments.randint(1, 40))
        async with open_database(database_url, home) as database:
            reader = MemoryStore(database).reader
            kept = await reader.find_memories(OWNER.id, sent)
            assert len(sent) == len(set(sent)) == len(kept)
