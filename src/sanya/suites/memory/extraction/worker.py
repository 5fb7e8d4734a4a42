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
from sanya.suites.memory.extraction.model_output import Extractor, ModelItems, UnusableAnswer, parse_items
from sanya.suites.memory.extraction.queue import (
    MAX_ATTEMPTS,
    ExtractionQueue,
    ExtractionResult,
    LeasedMemory,
    make_failure,
    make_postponement,
    record_result,
)
from sanya.suites.memory.ratings.rerating import is_marked_instruction
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

if TYPE_CHECKING:
    from sanya.suites.memory.extraction.grounding import GroundedItems
    from sanya.suites.memory.parsing.parser import ParsedText

log = logging.getLogger(__name__)

MAX_SENT_CHARS = 16_384
"""Characters of a memory, as many as the rules read."""
_BATCH = 16
_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 300.0


class ExtractionWorker:
    def __init__(
        self, store: MemoryStore, extractor: Extractor, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._now = now
        self._readings = ExtractionQueue(store.database)

    async def run(self) -> None:
        """The worker. An endpoint that fails is left alone for longer each time."""
        pause = _PAUSE_S
        while True:
            waiting = await self._readings.list_due(self._now(), _BATCH)
            for memory in waiting:
                if not await self.extract(memory):
                    pause = min(2 * pause, _LONGEST_PAUSE_S)
                    break
                pause = _PAUSE_S
            if not waiting or pause > _PAUSE_S:
                await asyncio.sleep(pause)

    async def extract_waiting(self) -> int:
        """Takes up all that is waiting now, once; returns how many were taken up."""
        done = 0
        while waiting := await self._readings.list_due(self._now(), _BATCH):
            for memory in waiting:
                await self.extract(memory)
            done += len(waiting)
        return done

    async def extract(self, memory: Memory) -> bool:
        """False where the endpoint failed."""
        taken = await self._readings.lease(memory, self._extractor.model, self._now())
        if taken is None:
            return True
        if taken.attempts > MAX_ATTEMPTS or is_marked_instruction(memory) or memory.contests:
            # What reads like an instruction, and what is doubted, has no part in the graph that anybody needs to read.
            given_up = taken.attempts > MAX_ATTEMPTS
            await self._readings.record_result(taken, ExtractionResult("given_up" if given_up else "skipped"))
            return True
        try:
            items = parse_items(await self._ask_model(taken))
        except Fault as fault:
            log.warning("memory %s was not read by the model: %s", memory.id, fault.message)
            wait_ms = fault.retry_after_ms
            now = self._now()
            await self._readings.record_result(
                taken, make_failure(taken, now) if wait_ms is None else make_postponement(taken, now, wait_ms)
            )
            return False
        except UnusableAnswer as problem:
            log.warning("memory %s was not read by the model: %s", memory.id, problem)
            await self._readings.record_result(taken, make_failure(taken, self._now()))
            return False
        await self._store_findings(taken, items)
        return True

    async def _ask_model(self, taken: LeasedMemory) -> str:
        """The text as it is stored, so without the secrets that it came with."""
        memory = taken.memory
        seed = int.from_bytes(sha256(f"{memory.id}\n{taken.attempts}".encode()).digest()[:7])
        return await self._extractor.extract(memory.content[:MAX_SENT_CHARS], memory.created_at[:10], seed)

    async def _store_findings(self, taken: LeasedMemory, items: ModelItems) -> None:
        reading, found = await asyncio.to_thread(_ground_items, taken.memory, items)
        dropped = len(items) - len(found) - found.known
        if not len(found):
            await self._readings.record_result(taken, ExtractionResult("read", dropped=dropped))
            return
        await self._add_to_graph(taken, reading, found, dropped)

    async def _add_to_graph(self, taken: LeasedMemory, reading: ParsedText, found: GroundedItems, dropped: int) -> None:
        from sanya.suites.memory.graph.context import GraphContext
        from sanya.suites.memory.graph.model_findings import (
            add_model_findings,  # here: loaded by the reading, not before
        )

        async with self._store.write_transaction() as writer:
            reader = self._store.make_reader(writer)
            memory = await reader.find_memory(taken.memory.namespace, taken.memory.id)
            if memory is None or memory.content != taken.memory.content or memory.retired_at or memory.contests:
                # It was corrected or forgotten meanwhile: this answer is about a text that is no more.
                await record_result(writer.transaction, taken, ExtractionResult("again", tries=0, next_at=""))
                return
            if await record_result(writer.transaction, taken, ExtractionResult("read")):
                thread = GraphContext(memory, reading, reader, writer, format_timestamp(self._now()))
                kept = await add_model_findings(thread, found, self._extractor.model)
                await writer.transaction.execute(
                    "UPDATE memory_readings SET kept = ?, dropped = ? WHERE memory_id = ?", (kept, dropped, memory.id)
                )


def _ground_items(memory: Memory, items: ModelItems) -> tuple[ParsedText, GroundedItems]:
    """Runs beside the loop, and loads what reading needs."""
    from sanya.suites.memory.extraction.grounding import Grounding
    from sanya.suites.memory.graph.builder import parse_memories

    (reading,) = parse_memories([memory])
    return reading, Grounding(memory.content, date.fromisoformat(memory.created_at[:10]), reading).ground_items(items)
