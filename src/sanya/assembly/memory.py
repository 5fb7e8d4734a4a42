"""Opens the memory suite: its store, its search, working memory in this process or on Redis, and background work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from sanya.assembly.chat import require_endpoint
from sanya.assembly.citations import build_citation_worker
from sanya.assembly.home_resources import HomeResources
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.contracts.suite import Suite, Worker
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.kernel.storage.database import Database
from sanya.suites.memory import suite
from sanya.suites.memory.browsing import MemoryBrowser
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.prompts import NAME
from sanya.suites.memory.ratings.retractions import follow_retractions
from sanya.suites.memory.recall.embedding import MemoryEmbedding
from sanya.suites.memory.recall.indexing import MemoryIndex
from sanya.suites.memory.recall.links import MemoryLinkFinder
from sanya.suites.memory.recall.working_memory import EmbeddedWorkingMemory, WorkingMemory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.tools import MemoryTools
from sanya.suites.memory.writes.corrections import Corrector
from sanya.suites.memory.writes.forgetting import Forgetter
from sanya.suites.memory.writes.sending import Sender

if TYPE_CHECKING:
    from sanya.retrieval.search import LibraryOpener
    from sanya.suites.memory.recall.search import Recall


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """Parts that the tools and the owner's commands share."""

    store: MemoryStore
    index: MemoryIndex
    working: WorkingMemory
    embedding: MemoryEmbedding

    @property
    def forgetting(self) -> Forgetter:
        from sanya.engines.index.erasure import erase_documents  # here: it brings numpy along

        return Forgetter(self.store, self.index, erase_documents, self.working)


def build_memory_parts(database: Database, library: LibraryOpener) -> MemoryParts:
    index = MemoryIndex(library)
    store = MemoryStore(database, index)
    return MemoryParts(store, index, EmbeddedWorkingMemory(store), MemoryEmbedding(store, index))


async def open_memory(resources: HomeResources) -> Suite:
    parts = build_memory_parts(resources.database, resources.library)
    working = _choose_working_memory(resources, parts.working)
    sender = Sender(parts.store)
    consolidator = Consolidator(parts.store, drains=True)
    resources.stack.push_async_callback(consolidator.close)
    resources.stack.push_async_callback(sender.close)
    namespaces = Namespaces(frozenset(resources.settings.memory_shared_by))
    tools = MemoryTools(
        store=parts.store,
        sender=sender,
        recall=cache(lambda: _recall(parts, working)),
        corrector=Corrector(parts.store),
        working=working,
        namespaces=namespaces,
        consolidator=consolidator,
        embedding=parts.embedding,
        links=MemoryLinkFinder(parts.store),
        forgetter=lambda: parts.forgetting,
        browser=MemoryBrowser(parts.store, namespaces, resources.cursors),
    )
    follow = partial(follow_retractions, parts.store)
    workers = (
        build_citation_worker(NAME, follow),
        Worker("memory meanings", parts.embedding.run),
        Worker("memory consolidation", consolidator.run),
        *await _open_extraction(resources, parts.store),
    )
    return replace(suite.build(tools, workers), follow_citations=follow)


async def _open_extraction(resources: HomeResources, store: MemoryStore) -> tuple[Worker, ...]:
    """Return the worker that has a model read each memory after the rules did, where the owner chose a model."""
    if resources.settings.memory_extractor == "rules":
        return ()
    endpoint = require_endpoint(resources.settings)
    from sanya.sources.extraction import open_extractor  # here: an HTTP client takes long to load
    from sanya.suites.memory.extraction.worker import ExtractionWorker

    extractor = await resources.stack.enter_async_context(open_extractor(endpoint, breakers=resources.breakers))
    return (Worker("memory extraction", ExtractionWorker(store, extractor).run, open_world=True),)


def _recall(parts: MemoryParts, working: WorkingMemory) -> Recall:
    from sanya.suites.memory.recall.search import Recall  # here: it brings numpy along

    return Recall(parts.store, parts.embedding, working)


def _choose_working_memory(resources: HomeResources, embedded: WorkingMemory) -> WorkingMemory:
    if resources.redis is None:
        return embedded
    from sanya.engines.redis.working_memory import RedisWorkingMemory

    return RedisWorkingMemory(resources.redis, embedded)


async def forget_with_tombstone(parts: MemoryParts, ledger: Ledger, namespace: str, ids: Sequence[str]) -> list[str]:
    """Erase memories and record their ids in the ledger, without their content. Return the ids that were erased."""
    content = {"ids": list(ids), "namespace": namespace}
    async with record_owner_action(ledger, "memory.forget", NAME, content, redacted=True) as action:
        erased = await parts.forgetting.forget(namespace, ids, format_timestamp(read_clock()))
        if erased:
            action.add(ids=erased)
        else:
            action.discard()
    return erased
