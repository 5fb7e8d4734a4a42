"""Turns memories into the graph, in the order in which they came, a few at a time.

Each batch is one transaction: a process that is killed leaves nothing half done, and what is read twice is kept once,
because every id is made from what it stands for. Writers queue, so several processes may do this at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

from sanya.kernel.faults import Fault
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

if TYPE_CHECKING:
    from sanya.suites.memory.parsing.parser import ParsedText

log = logging.getLogger(__name__)

BATCH_SIZE = 16
_PAUSE_S = 1.0
_LONGEST_REST_S = 0.5
_LITTLE = 48
_MOST_SETTLED = 10_000
_SKIPPED = "UPDATE memories SET consolidated_at = ? WHERE id = ?"


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
            if await self.consolidate_batch():
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
            size = BATCH_SIZE if limit is None else min(BATCH_SIZE, limit - done)
            some = await self.consolidate_batch(namespace, size)
            if not some:
                break
            done += some
        return done

    async def catch_up(self, namespace: str) -> None:
        """Takes what is waiting if that is little, so that who asks right after writing finds it in the graph. A long
        queue is left to the worker: nobody's question has to wait for it."""
        revision = await self._store.read_revision()
        if self._settled.get(namespace) == revision:
            return
        waiting = await self._store.reader.list_unconsolidated(_LITTLE + 1, namespace)
        if 0 < len(waiting) <= _LITTLE:
            await self.consolidate_now(namespace, len(waiting))
        elif not waiting:
            if len(self._settled) >= _MOST_SETTLED:
                self._settled.clear()
            self._settled[namespace] = revision

    async def consolidate_batch(self, namespace: str | None = None, size: int = BATCH_SIZE) -> int:
        async with self._turn:
            waiting = await self._store.reader.list_unconsolidated(size, namespace)
            if not waiting:
                return 0
            await self._consolidate_or_split(waiting)
            return len(waiting)

    async def _consolidate_or_split(self, memories: Sequence[Memory]) -> None:
        """All in one transaction; if that fails, each alone, so that one text cannot hold up those behind it."""
        try:
            await self._build_graph(memories)
        except (Fault, OSError):
            raise  # the store or its disk does not answer: they wait
        except Exception:  # our own mistake, with one of them; the log has it, and the others are not held up
            if len(memories) > 1:
                for one in memories:
                    await self._consolidate_or_split([one])
                return
            log.exception("memory %s could not be read into the graph", memories[0].id)
            async with self._store.write_transaction() as writer:
                await writer.transaction.execute(_SKIPPED, (_iso(self._now()), memories[0].id))

    async def _build_graph(self, memories: Sequence[Memory]) -> None:
        readings = await asyncio.to_thread(_parse_memories, memories)
        # Imported here because the parser takes longer to load than a server takes to start.
        from sanya.suites.memory.graph.builder import build_graph
        from sanya.suites.memory.graph.derived_rules import MAX_RULES_PER_MEMORY

        async with self._store.write_transaction(arrivals=MAX_RULES_PER_MEMORY * len(memories)) as writer:
            await build_graph(self._store, writer, zip(memories, readings, strict=True), _iso(self._now()))


def _parse_memories(memories: Sequence[Memory]) -> list[ParsedText]:
    """Runs beside the loop, and loads what reading needs: that takes longer than a server takes to start."""
    from sanya.suites.memory.graph.builder import parse_memories

    return parse_memories(memories)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
