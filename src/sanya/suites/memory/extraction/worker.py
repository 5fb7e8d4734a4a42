"""The extraction worker: lets a model read memories after the rules, one by one, in the background.

No question waits for it. If the model fails, the result of the rules stands, the outcome is stored, and the memory is
tried again a few times.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.suite import Fault, RateLimited, UpstreamFailed
from sanya.suite.runtime import format_timestamp
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
"""As many characters of a memory as the rules parse."""
_BATCH_SIZE = 16
_PAUSE_S = 1.0
_MAX_PAUSE_S = 300.0


class ExtractionWorker:
    def __init__(
        self, store: MemoryStore, extractor: Extractor, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._now = now
        self._queue = ExtractionQueue(store.database)

    async def run(self) -> None:
        """Extract until cancelled. After each failure of the endpoint the pause doubles."""
        pause = _PAUSE_S
        while True:
            due = await self._queue.list_due(self._now(), _BATCH_SIZE)
            for memory in due:
                if not await self.extract(memory):
                    pause = min(2 * pause, _MAX_PAUSE_S)
                    break
                pause = _PAUSE_S
            if not due or pause > _PAUSE_S:
                await asyncio.sleep(pause)

    async def extract_waiting(self) -> int:
        """Try everything that is due once, and return the number of memories."""
        done = 0
        while due := await self._queue.list_due(self._now(), _BATCH_SIZE):
            for memory in due:
                await self.extract(memory)
            done += len(due)
        return done

    async def extract(self, memory: Memory) -> bool:
        """Let the model read one memory. Return False if the endpoint failed."""
        leased = await self._queue.lease(memory, self._extractor.model, self._now())
        if leased is None:
            return True
        if leased.attempts > MAX_ATTEMPTS or is_marked_instruction(memory) or memory.contests:
            # A text that reads like an instruction, or that is contested, is not sent to a model.
            given_up = leased.attempts > MAX_ATTEMPTS
            await self._queue.record_result(leased, ExtractionResult("given_up" if given_up else "skipped"))
            return True
        try:
            items = parse_items(await self._ask_model(leased))
        except Fault as fault:
            log.warning("Memory %s was not read by the model: %s", memory.id, fault.message)
            await self._queue.record_result(leased, _make_result(leased, fault, self._now()))
            return False
        except UnusableAnswer as problem:
            log.warning("Memory %s was not read by the model: %s", memory.id, problem)
            await self._queue.record_result(leased, make_failure(leased, self._now()))
            return False
        await self._store_findings(leased, items)
        return True

    async def _ask_model(self, leased: LeasedMemory) -> str:
        """Send the stored text, from which secrets were redacted."""
        memory = leased.memory
        seed = int.from_bytes(sha256(f"{memory.id}\n{leased.attempts}".encode()).digest()[:7])
        return await self._extractor.extract(memory.content[:MAX_SENT_CHARS], memory.created_at[:10], seed)

    async def _store_findings(self, leased: LeasedMemory, items: ModelItems) -> None:
        parsed, grounded = await asyncio.to_thread(_ground_items, leased.memory, items)
        dropped = len(items) - len(grounded) - grounded.known
        if not len(grounded):
            await self._queue.record_result(leased, ExtractionResult("read", dropped=dropped))
            return
        await self._add_to_graph(leased, parsed, grounded, dropped)

    async def _add_to_graph(
        self, leased: LeasedMemory, parsed: ParsedText, grounded: GroundedItems, dropped: int
    ) -> None:
        from sanya.suites.memory.graph.context import GraphContext  # here: the parser was loaded in a thread
        from sanya.suites.memory.graph.model_findings import add_model_findings

        async with self._store.write_transaction() as writer:
            reader = self._store.make_reader(writer)
            memory = await reader.find_memory(leased.memory.namespace, leased.memory.id)
            if memory is None or memory.content != leased.memory.content or memory.retired_at or memory.contests:
                # The memory was corrected or forgotten meanwhile: the answer is about a text that no longer exists.
                await record_result(writer.transaction, leased, ExtractionResult("again", attempts=0, next_at=""))
                return
            if await record_result(writer.transaction, leased, ExtractionResult("read")):
                context = GraphContext(memory, parsed, reader, writer, format_timestamp(self._now()))
                kept = await add_model_findings(context, grounded, self._extractor.model)
                await writer.transaction.execute(
                    "UPDATE memory_readings SET kept = ?, dropped = ? WHERE memory_id = ?", (kept, dropped, memory.id)
                )


def _make_result(leased: LeasedMemory, fault: Fault, now: datetime) -> ExtractionResult:
    """Return what is stored of a fault. It costs no try where nothing was asked, or the endpoint said when to ask
    again."""
    is_free = isinstance(fault, RateLimited) or (isinstance(fault, UpstreamFailed) and not fault.was_asked)
    if is_free and fault.retry_after_ms is not None:
        return make_postponement(leased, now, fault.retry_after_ms)
    return make_failure(leased, now)


def _ground_items(memory: Memory, items: ModelItems) -> tuple[ParsedText, GroundedItems]:
    """Ground items in a thread. The first call also loads the parser."""
    from sanya.suites.memory.extraction.grounding import Grounding
    from sanya.suites.memory.graph.builder import parse_memories

    (parsed,) = parse_memories([memory])
    return parsed, Grounding(memory.content, date.fromisoformat(memory.created_at[:10]), parsed).ground_items(items)
