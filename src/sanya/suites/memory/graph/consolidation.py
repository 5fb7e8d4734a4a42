"""Consolidation: parse new memories and add them to the graph, in the order of arrival, a few at a time.

Sending a memory only stores its text, so that it returns quickly. Everything that is read out of the text (entities,
claims, events, contradictions, the ratings that follow from them) is added later, by a background worker of a server.
No question waits for it: a fresh memory is found by its words, and shows what the graph knows of it a moment later.
A process that runs no worker consolidates what it sent by a task of its own. Only a process that sent nothing, such as
a single command, consolidates before it answers (`catch_up`), because nobody else would.

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

from sanya.suite import Fault
from sanya.suite.runtime import format_timestamp
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

if TYPE_CHECKING:
    from sanya.suites.memory.parsing.parser import ParsedText

log = logging.getLogger(__name__)

BATCH_SIZE = 16
_POLL_INTERVAL_S = 1.0
_MAX_REST_S = 0.5
# Memories that arrive together are consolidated together: one transaction instead of one each.
_GATHERING_S = 0.25
_MAX_GATHERINGS = 40
_MAX_CATCH_UP = 48
_MAX_CAUGHT_UP_NAMESPACES = 10_000
_MARK_SKIPPED = "UPDATE memories SET consolidated_at = ? WHERE id = ?"


class Consolidator:
    """Consolidates memories. With `drains`, it does so by a task of its own where no worker runs."""

    def __init__(
        self, store: MemoryStore, now: Callable[[], datetime] = lambda: datetime.now(UTC), *, drains: bool = False
    ) -> None:
        self._store = store
        self._now = now
        self._drains = drains
        self._wake_event = asyncio.Event()
        self._lock = asyncio.Lock()
        self._caught_up: dict[str, int] = {}
        """The last revision at which nothing of a namespace was waiting."""
        self._workers = 0
        self._draining: asyncio.Task[None] | None = None

    @property
    def is_in_background(self) -> bool:
        """True while this process consolidates in the background, so that nobody needs to wait for it."""
        return self._workers > 0 or (self._draining is not None and not self._draining.done())

    def wake(self) -> None:
        """Tell the worker that a memory was stored, or without a worker start a task that consolidates it."""
        self._wake_event.set()
        if self._drains and not self.is_in_background:
            self._draining = asyncio.create_task(self._drain(), name="memory consolidation")

    async def run(self) -> None:
        """Consolidate until cancelled. The worker rests as long as it worked, so that writers get through."""
        self._workers += 1
        try:
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
                await asyncio.sleep(_GATHERING_S)
        finally:
            self._workers -= 1

    async def close(self) -> None:
        """End the task of a process without a worker. What it leaves waits for the next process."""
        if self._draining is not None:
            self._draining.cancel()
            await asyncio.gather(self._draining, return_exceptions=True)

    async def _wait_for_silence(self) -> None:
        """Wait until nothing was sent for a moment, so that senders go first, but not for ever."""
        for _ in range(_MAX_GATHERINGS):
            if not self._wake_event.is_set():
                return
            self._wake_event.clear()
            await asyncio.sleep(_GATHERING_S)

    async def _drain(self) -> None:
        try:
            while True:
                await self._wait_for_silence()
                if not await self.consolidate_batch() and not self._wake_event.is_set():
                    return
        except Fault as fault:  # the database does not respond; the memories keep waiting
            log.warning("Memories were not consolidated: %s", fault.message)

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
        """Consolidate the waiting memories of a namespace if they are few and nobody does so in the background."""
        if self.is_in_background:
            return
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
