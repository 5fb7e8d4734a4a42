"""Consolidation: parse new memories and add them to the graph, in the order of arrival, a few at a time.

Sending a memory only stores its text, so that it returns quickly. Everything that is read out of the text (entities,
claims, events, contradictions, the ratings that follow from them) is added later, by a background worker of a server,
or by the first question that comes before the worker (`catch_up`).

Consolidation may be repeated and interrupted. A batch is one transaction, so a process that is killed leaves nothing
half done. `consolidated_at` is set in that transaction, so a memory is added once. Even without that, adding it again
would change nothing: parsing is a pure function, every identifier is a hash of what it stands for, and rows that
exist are left as they are. Several processes may consolidate at once, because writers wait for each other and the
later one skips what is done.

A memory that fails is marked as consolidated and logged: one text that the parser cannot handle must not stop the
queue behind it. It is still found by search.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

from sanya.kernel.clock import format_timestamp
from sanya.kernel.faults import Fault
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

if TYPE_CHECKING:
    from sanya.suites.memory.parsing.parser import ParsedText

log = logging.getLogger(__name__)

BATCH_SIZE = 16
_POLL_INTERVAL_S = 1.0
_MAX_REST_S = 0.5
_MAX_CATCH_UP = 48
_MAX_CAUGHT_UP_NAMESPACES = 10_000
_MARK_SKIPPED = "UPDATE memories SET consolidated_at = ? WHERE id = ?"


class Consolidator:
    def __init__(self, store: MemoryStore, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now
        self._wake_event = asyncio.Event()
        self._lock = asyncio.Lock()
        self._caught_up: dict[str, int] = {}
        """The last revision at which nothing of a namespace was waiting."""

    def wake(self) -> None:
        """Tell the worker that a memory was stored."""
        self._wake_event.set()

    async def run(self) -> None:
        """Consolidate until cancelled. The worker rests as long as it worked, so that writers get through."""
        while True:
            self._wake_event.clear()
            started = perf_counter()
            if await self.consolidate_batch():
                await asyncio.sleep(min(_MAX_REST_S, perf_counter() - started))
                continue
            try:
                await asyncio.wait_for(self._wake_event.wait(), _POLL_INTERVAL_S)
            except TimeoutError:
                continue  # another process may have stored a memory

    async def consolidate_now(self, namespace: str | None = None, limit: int | None = None) -> int:
        """Consolidate all waiting memories, or up to `limit`, and return their number."""
        done = 0
        while limit is None or done < limit:
            size = BATCH_SIZE if limit is None else min(BATCH_SIZE, limit - done)
            count = await self.consolidate_batch(namespace, size)
            if not count:
                break
            done += count
        return done

    async def catch_up(self, namespace: str) -> None:
        """Consolidate the waiting memories of a namespace if they are few.

        So a question right after a write finds it in the graph, and no question waits for a long queue.
        """
        revision = await self._store.read_revision()
        if self._caught_up.get(namespace) == revision:
            return
        waiting = await self._store.reader.list_unconsolidated(_MAX_CATCH_UP + 1, namespace)
        if 0 < len(waiting) <= _MAX_CATCH_UP:
            await self.consolidate_now(namespace, len(waiting))
        elif not waiting:
            if len(self._caught_up) >= _MAX_CAUGHT_UP_NAMESPACES:
                self._caught_up.clear()
            self._caught_up[namespace] = revision

    async def consolidate_batch(self, namespace: str | None = None, size: int = BATCH_SIZE) -> int:
        """Consolidate one batch and return the number of memories in it."""
        async with self._lock:
            waiting = await self._store.reader.list_unconsolidated(size, namespace)
            if not waiting:
                return 0
            await self._consolidate_or_split(waiting)
            return len(waiting)

    async def _consolidate_or_split(self, memories: Sequence[Memory]) -> None:
        """Consolidate memories in one transaction, or one by one if that fails, so that one text stops no other."""
        try:
            await self._build_graph(memories)
        except (Fault, OSError):
            raise  # the database or its disk is not available: the memories keep waiting
        except Exception:  # a bug that one text triggers: it is logged, and the other memories are consolidated
            if len(memories) > 1:
                for memory in memories:
                    await self._consolidate_or_split([memory])
                return
            log.exception("Memory %s could not be added to the graph; it is skipped", memories[0].id)
            async with self._store.write_transaction() as writer:
                await writer.transaction.execute(_MARK_SKIPPED, (format_timestamp(self._now()), memories[0].id))

    async def _build_graph(self, memories: Sequence[Memory]) -> None:
        parsed = await asyncio.to_thread(_parse_memories, memories)
        from sanya.suites.memory.graph.builder import build_graph  # here: the parser was loaded in the thread above
        from sanya.suites.memory.graph.derived_rules import MAX_RULES_PER_MEMORY

        async with self._store.write_transaction(arrivals=MAX_RULES_PER_MEMORY * len(memories)) as writer:
            pairs = zip(memories, parsed, strict=True)
            await build_graph(self._store, writer, pairs, format_timestamp(self._now()))


def _parse_memories(memories: Sequence[Memory]) -> list[ParsedText]:
    """Parse in a thread. The first call also loads the parser, which takes longer than a server takes to start."""
    from sanya.suites.memory.graph.builder import parse_memories

    return parse_memories(memories)
