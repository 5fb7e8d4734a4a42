"""Writers that are killed at random times, and what they acknowledged until then."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import orjson

from sanya import App
from sanya.kernel.ledger.verification import verify_ledger
from tests.crashes.ground import Fact, Ground
from tests.crashes.paths import PATHS
from tests.sources.eutils import EUtils

ROOT = Path(__file__).parents[2]
PATIENCE_S = 300.0
_MOST_FACTS = 5
_UNHEARD = 0.2
_FIRST_GAP_S = 0.05
_AT_ONCE = 400


def choose_seed() -> int:
    """Return the seed of this run and print it; SANYA_CRASH_SEED repeats a run."""
    seed = int(os.environ.get("SANYA_CRASH_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"SANYA_CRASH_SEED={seed} repeats this")
    return seed


class Warm:
    """The process that forks writers; see warm.py."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE_S)
        assert line, "the process that makes writers is gone"
        told: dict[str, Any] = orjson.loads(line)
        return told

    async def begin(self, ground: Ground, paths: Sequence[str], first: int) -> int:
        """Start a writer and return its process id."""
        assert self._process.stdin is not None
        order = {"ground": asdict(ground), "paths": list(paths), "first": first}
        self._process.stdin.write(orjson.dumps(order) + b"\n")
        return int((await self.receive())["pid"])


@asynccontextmanager
async def warm() -> AsyncIterator[Warm]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.crashes.warm"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1024 * 1024,
        cwd=ROOT,
        # Threads of a library do not survive a fork.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    try:
        warm = Warm(process)
        assert await warm.receive() == {"word": "ready"}
        yield warm
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await asyncio.wait_for(process.communicate(), PATIENCE_S)


@dataclass(frozen=True)
class Outside:
    """Services outside of the homes."""

    warm: Warm
    eutils: EUtils
    embedder_url: str
    folder: Path

    def ground(self, home: Path, database_url: str) -> Ground:
        return Ground(str(home), database_url, self.eutils.url, self.embedder_url, str(self.folder))


@dataclass
class Killing:
    """All kills on one home. `facts` is everything that was acknowledged, by path."""

    outside: Outside
    ground: Ground
    chance: random.Random
    facts: dict[str, list[Fact]] = field(default_factory=lambda: defaultdict(list))
    kills: int = 0
    _next: int = 1
    _gaps: dict[tuple[str, ...], float] = field(default_factory=dict)

    async def kill(self, paths: Sequence[str]) -> None:
        """Run a writer on these paths and kill it: before its first acknowledgement, between two, or after some."""
        print(f"to be killed: {', '.join(paths)}")
        pid = await self.begin(paths)
        try:
            await self.receive_facts(self._choose_facts(len(paths)))
            await asyncio.sleep(self.chance.uniform(0, self._gaps.get(tuple(paths), _FIRST_GAP_S)))
        finally:
            os.kill(pid, signal.SIGKILL)
        await self.receive_end()

    def _choose_facts(self, paths: int) -> int:
        return 0 if self.chance.random() < _UNHEARD else self.chance.randint(1, _MOST_FACTS * paths)

    async def begin(self, paths: Sequence[str]) -> int:
        pid = await self.outside.warm.begin(self.ground, paths, self._next)
        told = await self.outside.warm.receive()
        assert told == {"word": "opened"}, told
        self._paths, self._since = tuple(paths), perf_counter()
        return pid

    async def receive_facts(self, count: int) -> None:
        for _ in range(count):
            told = await self.outside.warm.receive()
            assert told["word"] == "done", f"the writer ended by itself: {told}"
            self._take(told)
            # The next acknowledgement takes about as long, so the kill falls anywhere in between.
            now = perf_counter()
            self._gaps[self._paths], self._since = 1.5 * (now - self._since), now

    async def receive_facts_after(self, moment: float, paths: Sequence[str]) -> None:
        """Wait until each path has acknowledged something after this time of `time.monotonic`."""
        silent, until = set(paths), perf_counter() + PATIENCE_S
        while silent:
            told = await self.outside.warm.receive()
            assert told["word"] == "done", f"the writer ended by itself: {told}"
            assert perf_counter() < until, f"these do not go on: {silent}"
            self._take(told)
            silent -= {told["path"]} if told["at"] > moment else set()

    async def receive_end(self) -> None:
        while (told := await self.outside.warm.receive())["word"] == "done":
            self._take(told)
        assert told == {"word": "ended", "status": -signal.SIGKILL}, told
        self.kills += 1
        self._next += 1  # nobody repeats a write that the kill interrupted

    def _take(self, told: dict[str, Any]) -> None:
        self.facts[told["path"]].append(told["fact"])
        self._next = max(self._next, told["fact"]["number"] + 1)

    async def check(self, paths: Sequence[str]) -> None:
        """Open the home like the next command does, and compare it with everything that was acknowledged."""
        if not self.ground.database_url:
            check_file(Path(self.ground.home))
        async with self.ground.open_home() as app:
            verdict = await verify_ledger(app.ledger_store)
            assert verdict.problem is None, verdict.problem
            print(f"kill {self.kills}; rows in the ledger: {verdict.rows}")
            for name in paths:
                await _check_calls(app, self.facts[name])
                await PATHS[name].check(app, self.ground, self.facts[name])


def check_file(home: Path) -> None:
    (file,) = home.glob("*.db")
    with closing(sqlite3.connect(file)) as connection:
        connection.create_function("fold", 1, lambda text: text, deterministic=True)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


async def _check_calls(app: App, facts: Sequence[Fact]) -> None:
    """Check that every acknowledged call has its ledger row."""
    ids = [str(fact["call"]) for fact in facts if "call" in fact]
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        rows = await app.database.fetch(f"SELECT count(*) FROM ledger WHERE id IN ({marks})", some)
        assert [tuple(row) for row in rows] == [(len(some),)], "an acknowledged call has no row in the ledger"
