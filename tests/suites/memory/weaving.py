"""Sends texts straight to a store and consolidates them, for tests of what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sanya.kernel.database import Database
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.ratings.provenance import NO_ORIGIN, Origin
from sanya.suites.memory.storage.records import Memory, MemoryNode
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts

NAMESPACE = "somebody"
NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
AT = "2026-03-01T09:00:00.000Z"


class Loom:
    """A store without search, and what was sent to it in order."""

    def __init__(self, database: Database) -> None:
        self.store = MemoryStore(database)
        self.consolidator = Consolidator(self.store, lambda: NOW)
        self._sent = 0

    def draft(self, content: str, origin: Origin = NO_ORIGIN, agent: str | None = None) -> MemoryDraft:
        self._sent += 1
        key = f"memory {self._sent}"
        return MemoryDraft(key=key, namespace=NAMESPACE, content=content, created_at=AT, origin=origin, agent_id=agent)

    async def send(self, *contents: str | MemoryDraft) -> list[str]:
        drafts = [one if isinstance(one, MemoryDraft) else self.draft(one) for one in contents]
        return [memory.id for memory in await store_drafts(self.store, drafts)]

    async def weave(self, *contents: str | MemoryDraft) -> list[str]:
        """Sends and consolidates; gives the ids."""
        ids = await self.send(*contents)
        await self.consolidator.consolidate_now()
        return ids

    async def memories(self, ids: Sequence[str]) -> list[Memory]:
        found = await self.store.reader.find_memories(NAMESPACE, ids)
        return [found[one] for one in ids]

    async def ratings(self, ids: Sequence[str]) -> list[str]:
        return [str(memory.rating) for memory in await self.memories(ids)]

    async def natures(self, ids: Sequence[str]) -> list[str]:
        return [one.nature for one in await self.store.reader.find_contradictions(NAMESPACE, ids)]

    async def people(self) -> dict[str, MemoryNode]:
        return {node.name: node for node in await self.store.reader.list_nodes_of_kind(NAMESPACE, "agent")}
