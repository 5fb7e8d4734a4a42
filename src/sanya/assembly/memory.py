"""The memory suite: its store, the search beside it, working memory here or on Redis, and background work."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from sanya.assembly.chat import chat_endpoint
from sanya.assembly.opened import Opened
from sanya.kernel.call import OWNER
from sanya.kernel.canonical import canonical_json
from sanya.kernel.database import Database
from sanya.kernel.dispatch import iso_time, utc_now
from sanya.kernel.ledger import Ledger, own_entry
from sanya.kernel.suite import Suite, Worker
from sanya.suites.memory import suite
from sanya.suites.memory.consolidation import Consolidator
from sanya.suites.memory.corrections import Corrector
from sanya.suites.memory.forgetting import Forgetting
from sanya.suites.memory.indexing import NAMESPACE, MemoryIndex
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.prompts import NAME
from sanya.suites.memory.sending import Sender
from sanya.suites.memory.store import MemoryStore
from sanya.suites.memory.tools import MemoryTools
from sanya.suites.memory.working import EmbeddedWorkingMemory, WorkingMemory

if TYPE_CHECKING:
    from sanya.retrieval.search import LibraryDoor
    from sanya.suites.memory.recall import Recall

_PAUSE_S = 1.0


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """What the tools and the owner's commands are made from."""

    store: MemoryStore
    index: MemoryIndex
    working: WorkingMemory

    @property
    def forgetting(self) -> Forgetting:
        from sanya.engines.index.erasure import erase_documents  # here: it brings numpy along

        return Forgetting(self.store, self.index, erase_documents, self.working)


def memory_parts(database: Database, library: LibraryDoor) -> MemoryParts:
    index = MemoryIndex(library)
    store = MemoryStore(database, index)
    return MemoryParts(store, index, EmbeddedWorkingMemory(store))


async def open_memory(opened: Opened) -> Suite:
    parts = memory_parts(opened.database, opened.library)
    working = _working_memory(opened, parts.working)
    sender = Sender(parts.store)
    consolidator = Consolidator(parts.store)
    opened.stack.push_async_callback(sender.close)
    tools = MemoryTools(
        store=parts.store,
        sender=sender,
        recall=cache(lambda: _recall(parts, working)),
        corrector=Corrector(parts.store),
        working=working,
        namespaces=Namespaces(frozenset(opened.settings.memory_shared_by)),
        consolidator=consolidator,
    )
    workers = (
        Worker("memory meanings", lambda: embed_steadily(parts)),
        Worker("memory consolidation", consolidator.run),
        *await _extraction(opened, parts.store),
    )
    return suite.build(tools, workers)


async def _extraction(opened: Opened, store: MemoryStore) -> tuple[Worker, ...]:
    """A model that reads behind the rules, where the owner has chosen one."""
    if opened.settings.memory_extractor == "rules":
        return ()
    endpoint = chat_endpoint(opened.settings)
    from sanya.sources.extraction import open_extractor  # here: an HTTP client takes long to load
    from sanya.suites.memory.extraction.extracting import Extraction

    extractor = await opened.stack.enter_async_context(open_extractor(endpoint, breakers=opened.breakers))
    return (Worker("memory extraction", Extraction(store, extractor).run, open_world=True),)


def _recall(parts: MemoryParts, working: WorkingMemory) -> Recall:
    from sanya.suites.memory.recall import Recall  # here: it brings numpy along

    return Recall(parts.store, parts.index, working)


def _working_memory(opened: Opened, embedded: WorkingMemory) -> WorkingMemory:
    if opened.redis is None:
        return embedded
    from sanya.engines.redis_working import RedisWorkingMemory

    return RedisWorkingMemory(opened.redis, embedded)


async def embed_steadily(parts: MemoryParts) -> None:
    """Gives new memories their vectors as they come, so that a question seldom has to wait for that. The library is
    opened by the first memory, not by this."""
    seen = -1
    while True:
        revision = await _revision(parts.store.database)
        if revision != seen and revision > 0:
            library = await parts.index.library()
            await library.embed_missing(NAMESPACE)
            await library.refresh()
            seen = revision
        await asyncio.sleep(_PAUSE_S)


async def _revision(database: Database) -> int:
    rows = await database.fetch("SELECT revision FROM revisions WHERE suite = 'memory'", touches=1)
    return int(str(rows[0][0])) if rows else 0


async def forget_with_tombstone(parts: MemoryParts, ledger: Ledger, namespace: str, ids: Sequence[str]) -> list[str]:
    """Erases memories and leaves a row in the ledger that says which, and nothing of what they said."""
    now = utc_now()
    gone = await parts.forgetting.forget(namespace, ids, iso_time(now))
    if gone:
        sealed = canonical_json({"ids": gone, "namespace": namespace})
        forgotten = own_entry(("memory.forget", NAME), ("cli", OWNER.id), iso_time(now), sealed, redacted=True)
        ledger.record(forgotten, None)
        await ledger.flush()
    return gone
