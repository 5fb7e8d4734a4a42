"""A harness with the memory suite on a kernel of its own: real engines, and a small embedder that plays meaning."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from sanya.assembly.memory import MemoryParts, build_memory_parts
from sanya.engines.index.embedded.index import open_embedded
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Outcome, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.cursors import Cursors
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.suites.memory import suite
from sanya.suites.memory.browsing import MemoryBrowser
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.recall.links import MemoryLinkFinder
from sanya.suites.memory.recall.search import Recall
from sanya.suites.memory.recall.working_memory import WorkingMemory
from sanya.suites.memory.tools import MemoryTools
from sanya.suites.memory.writes.corrections import Corrector
from sanya.suites.memory.writes.sending import Sender
from tests.kernel.conftest import InMemoryLedgerStore as KeptLedger
from tests.retrieval.conftest import WordVectors
from tests.suites.memory.state_hash import hash_namespace

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
SAME_MEANING = {"automobil": "car", "physician": "doctor", "กาแฟ": "coffe"}


@dataclass(repr=False)
class MemoryHarness:
    kernel: Kernel
    parts: MemoryParts
    consolidator: Consolidator
    ledger: KeptLedger

    async def call_tool(self, tool: str, arguments: Any, caller: Caller = OWNER) -> Outcome:
        return await self.kernel.call(Call(tool, arguments, caller=caller))

    async def call(self, tool: str, caller: Caller = OWNER, **arguments: Any) -> dict[str, Any]:
        outcome = await self.call_tool(tool, arguments, caller)
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def expect_refusal(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = await self.call_tool(tool, arguments)
        assert isinstance(outcome, Refused), outcome
        return outcome.error

    async def send(self, content: str, caller: Caller = OWNER, **more: Any) -> str:
        body = await self.call("send_memory", caller, content=content, **more)
        assert body["status"] == "accepted", body
        return str(body["memory_id"])

    async def find(self, query: str, caller: Caller = OWNER, **more: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.call("get_memory", caller, query=query, **more))["memories"]
        return found

    async def correct(self, target: str, action: str, **payload: Any) -> dict[str, Any]:
        return await self.call("correct_memory", target_id=target, action=action, payload=payload)

    async def read_rating(self, memory_id: str) -> str:
        memory = await self.parts.store.reader.find_memory(OWNER.id, memory_id)
        assert memory is not None
        return str(memory.rating)

    async def hash_state(self) -> str:
        return await hash_namespace(self.parts.store.database, OWNER.id)


@asynccontextmanager
async def open_memory_harness(
    database: Database,
    folder: Path,
    reader: TermReader,
    *,
    shared_by: frozenset[str] = frozenset(),
    working: WorkingMemory | None = None,
) -> AsyncIterator[MemoryHarness]:
    embedders: Mapping[str, WordVectors] = {
        ENGLISH: WordVectors("english", 32, SAME_MEANING),
        MULTILINGUAL: WordVectors("both", 48, SAME_MEANING),
    }
    async with open_embedded(database, folder, reader.read_document) as index:
        library = Library(index, reader, embedders)

        async def open_library() -> Library:
            return library

        parts = build_memory_parts(database, open_library)
        held = working or parts.working
        sender = Sender(parts.store)
        consolidator = Consolidator(parts.store, lambda: NOW)
        tools = MemoryTools(
            store=parts.store,
            sender=sender,
            recall=cache(lambda: Recall(parts.store, parts.embedding, held)),
            corrector=Corrector(parts.store),
            working=held,
            namespaces=Namespaces(shared_by),
            consolidator=consolidator,
            embedding=parts.embedding,
            links=MemoryLinkFinder(parts.store),
            forgetter=lambda: parts.forgetting,
            browser=MemoryBrowser(parts.store, Namespaces(shared_by), Cursors(b"secret")),
        )
        kept = KeptLedger()
        ledger = Ledger(kept, group_ms=1)
        kernel = Kernel(
            [suite.build(tools)],
            ledger=ledger,
            limiter=LocalRateLimiter(),
            window=RequestWindow(),
            clock=lambda: NOW,
        )
        ledger.start()
        try:
            yield MemoryHarness(kernel, parts, consolidator, kept)
        finally:
            await sender.close()
            await consolidator.close()
            await ledger.close()
