"""Turns memories into the graph, in the order in which they came, a few at a time.

Each batch is one transaction: a process that is killed leaves nothing half done, and what is read twice is kept once,
because every id is made from what it stands for. Writers queue, so several processes may do this at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from time import perf_counter

from sanya.suites.memory.cascade import is_marked, rerate
from sanya.suites.memory.reading.reading import Reading, read
from sanya.suites.memory.records import Memory
from sanya.suites.memory.store import MemoryStore
from sanya.suites.memory.weaving.claims import weave_claims
from sanya.suites.memory.weaving.events import weave_events
from sanya.suites.memory.weaving.order import weave_order
from sanya.suites.memory.weaving.people import weave_people
from sanya.suites.memory.weaving.positions import weave_positions
from sanya.suites.memory.weaving.rows import weave_row
from sanya.suites.memory.weaving.rules import weave_rules
from sanya.suites.memory.weaving.thread import Thread
from sanya.suites.memory.weaving.voices import weave_voices

BATCH = 16
_PAUSE_S = 1.0
_LONGEST_REST_S = 0.5
_LITTLE = 48
_DONE = "UPDATE memories SET consolidated_at = ? WHERE id = ? AND consolidated_at IS NULL"


@lru_cache(maxsize=1024)
def cached_reading(content: str, said: date | None) -> Reading:
    """Readings depend on the text and the day alone, so the same ones are not read twice."""
    return read(content, said)


class Consolidator:
    def __init__(self, store: MemoryStore, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now
        self._awake = asyncio.Event()
        self._turn = asyncio.Lock()
        self._settled: dict[str, int] = {}

    def wake(self) -> None:
        """Something was written."""
        self._awake.set()

    async def run(self) -> None:
        """The worker: until it is cancelled, takes what is waiting, then waits for more. It rests as long as it worked,
        so that those who write do not queue behind it."""
        while True:
            self._awake.clear()
            begun = perf_counter()
            if await self.consolidate_some():
                await asyncio.sleep(min(_LONGEST_REST_S, perf_counter() - begun))
                continue
            try:
                await asyncio.wait_for(self._awake.wait(), _PAUSE_S)
            except TimeoutError:
                continue  # another process may have written

    async def consolidate_now(self, namespace: str | None = None, limit: int | None = None) -> int:
        """Takes all that is waiting (of one namespace), or up to `limit`; returns how many memories were done."""
        done = 0
        while limit is None or done < limit:
            size = BATCH if limit is None else min(BATCH, limit - done)
            some = await self.consolidate_some(namespace, size)
            if not some:
                break
            done += some
        return done

    async def catch_up(self, namespace: str) -> None:
        """Takes what is waiting if that is little, so that who asks right after writing finds it in the graph. A long
        queue is left to the worker: nobody's question has to wait for it."""
        revision = await self._store.revision()
        if self._settled.get(namespace) == revision:
            return
        waiting = await self._store.reader.to_consolidate(_LITTLE + 1, namespace)
        if 0 < len(waiting) <= _LITTLE:
            await self.consolidate_now(namespace, len(waiting))
        elif not waiting:
            self._settled[namespace] = revision

    async def consolidate_some(self, namespace: str | None = None, size: int = BATCH) -> int:
        async with self._turn:
            waiting = await self._store.reader.to_consolidate(size, namespace)
            if not waiting:
                return 0
            readings = await asyncio.to_thread(_read_all, waiting)
            # A rule may come of each of them.
            async with self._store.writing(arrivals=2 * len(waiting)) as writer:
                reader = self._store.within(writer)
                at = _iso(self._now())
                for memory, reading in zip(waiting, readings, strict=True):
                    if await writer.transaction.execute(_DONE, (at, memory.id)):
                        thread = Thread(memory, reading, reader, writer, at)
                        await _weave(thread)
                        await rerate(self._store, writer, memory.namespace, thread.touched)
            return len(waiting)


def _read_all(memories: Sequence[Memory]) -> list[Reading]:
    return [cached_reading(one.content, date.fromisoformat(one.created_at[:10])) for one in memories]


async def _weave(thread: Thread) -> None:
    await weave_voices(thread)
    if is_marked(thread.memory):
        # It is kept as data. What it claims, and whom it calls the same, has no part in the graph.
        return
    met = await weave_people(thread)
    await weave_row(thread, met)
    claims = await weave_claims(thread)
    pairs = await weave_events(thread)
    await weave_order(thread, claims, pairs)
    await weave_rules(thread, claims)
    await weave_positions(thread)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
