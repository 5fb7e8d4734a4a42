"""Has a model read memories behind the rules, one by one, in the background alone: nobody's question waits for it.

Whatever goes wrong, the rules' result stands; how it went is on record, and what failed is tried again a few times."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.kernel.clock import format_timestamp
from sanya.kernel.faults import Fault
from sanya.suites.memory.extraction.model_output import Extractor, Items, UnusableAnswer, read_items
from sanya.suites.memory.extraction.queue import MOST_TRIES, Readings, Settled, Taken, failed, postponed, settle
from sanya.suites.memory.ratings.rerating import is_marked
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

if TYPE_CHECKING:
    from sanya.suites.memory.extraction.grounding import Grounded
    from sanya.suites.memory.parsing.parser import Reading

log = logging.getLogger(__name__)

MOST_SENT = 16_384
"""Characters of a memory, as many as the rules read."""
_BATCH = 16
_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 300.0


class Extraction:
    def __init__(
        self, store: MemoryStore, extractor: Extractor, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._now = now
        self._readings = Readings(store.database)

    async def run(self) -> None:
        """The worker. An endpoint that fails is left alone for longer each time."""
        pause = _PAUSE_S
        while True:
            waiting = await self._readings.waiting(self._now(), _BATCH)
            for memory in waiting:
                if not await self.read(memory):
                    pause = min(2 * pause, _LONGEST_PAUSE_S)
                    break
                pause = _PAUSE_S
            if not waiting or pause > _PAUSE_S:
                await asyncio.sleep(pause)

    async def read_waiting(self) -> int:
        """Takes up all that is waiting now, once; returns how many were taken up."""
        done = 0
        while waiting := await self._readings.waiting(self._now(), _BATCH):
            for memory in waiting:
                await self.read(memory)
            done += len(waiting)
        return done

    async def read(self, memory: Memory) -> bool:
        """False where the endpoint failed."""
        taken = await self._readings.take(memory, self._extractor.model, self._now())
        if taken is None:
            return True
        if taken.tries > MOST_TRIES or is_marked(memory) or memory.contests:
            # What reads like an instruction, and what is doubted, has no part in the graph that anybody needs to read.
            given_up = taken.tries > MOST_TRIES
            await self._readings.settle(taken, Settled("given_up" if given_up else "skipped"))
            return True
        try:
            items = read_items(await self._asked(taken))
        except Fault as fault:
            log.warning("memory %s was not read by the model: %s", memory.id, fault.message)
            wait_ms = fault.retry_after_ms
            now = self._now()
            await self._readings.settle(
                taken, failed(taken, now) if wait_ms is None else postponed(taken, now, wait_ms)
            )
            return False
        except UnusableAnswer as problem:
            log.warning("memory %s was not read by the model: %s", memory.id, problem)
            await self._readings.settle(taken, failed(taken, self._now()))
            return False
        await self._keep(taken, items)
        return True

    async def _asked(self, taken: Taken) -> str:
        """The text as it is stored, so without the secrets that it came with."""
        memory = taken.memory
        seed = int.from_bytes(sha256(f"{memory.id}\n{taken.tries}".encode()).digest()[:7])
        return await self._extractor.extract(memory.content[:MOST_SENT], memory.created_at[:10], seed)

    async def _keep(self, taken: Taken, items: Items) -> None:
        reading, found = await asyncio.to_thread(_held, taken.memory, items)
        dropped = len(items) - len(found) - found.known
        if not len(found):
            await self._readings.settle(taken, Settled("read", dropped=dropped))
            return
        await self._weave(taken, reading, found, dropped)

    async def _weave(self, taken: Taken, reading: Reading, found: Grounded, dropped: int) -> None:
        from sanya.suites.memory.graph.context import Thread
        from sanya.suites.memory.graph.model_findings import weave_extracted  # here: loaded by the reading, not before

        async with self._store.writing() as writer:
            reader = self._store.within(writer)
            memory = await reader.memory(taken.memory.namespace, taken.memory.id)
            if memory is None or memory.content != taken.memory.content or memory.retired_at or memory.contests:
                # It was corrected or forgotten meanwhile: this answer is about a text that is no more.
                await settle(writer.transaction, taken, Settled("again", tries=0, next_at=""))
                return
            if await settle(writer.transaction, taken, Settled("read")):
                thread = Thread(memory, reading, reader, writer, format_timestamp(self._now()))
                kept = await weave_extracted(thread, found, self._extractor.model)
                await writer.transaction.execute(
                    "UPDATE memory_readings SET kept = ?, dropped = ? WHERE memory_id = ?", (kept, dropped, memory.id)
                )


def _held(memory: Memory, items: Items) -> tuple[Reading, Grounded]:
    """Runs beside the loop, and loads what reading needs."""
    from sanya.suites.memory.extraction.grounding import Ground
    from sanya.suites.memory.graph.builder import read_all

    (reading,) = read_all([memory])
    return reading, Ground(memory.content, date.fromisoformat(memory.created_at[:10]), reading).hold(items)
