"""A harness that sends texts to a store without search and consolidates them, for tests of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sanya.kernel.storage.database import Database
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.ratings.provenance import NO_ORIGIN, Origin
from sanya.suites.memory.storage.records import Memory, MemoryNode
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts

NAMESPACE = "somebody"
NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
AT = "2026-03-01T09:00:00.000Z"


class GraphHarness:
    def __init__(self, database: Database) -> None:
        self.store = MemoryStore(database)
        self.consolidator = Consolidator(self.store, lambda: NOW)
        self._sent = 0

    def make_draft(self, content: str, origin: Origin = NO_ORIGIN, agent: str | None = None) -> MemoryDraft:
        self._sent += 1
        key = f"memory {self._sent}"
        return MemoryDraft(key=key, namespace=NAMESPACE, content=content, created_at=AT, origin=origin, agent_id=agent)

    async def send(self, *contents: str | MemoryDraft) -> list[str]:
        drafts = [item if isinstance(item, MemoryDraft) else self.make_draft(item) for item in contents]
        return [memory.id for memory in await store_drafts(self.store, drafts)]

    async def consolidate(self, *contents: str | MemoryDraft) -> list[str]:
        """Send and consolidate memories, and return their ids."""
        ids = await self.send(*contents)
        await self.consolidator.consolidate_now()
        return ids

    async def find_memories(self, ids: Sequence[str]) -> list[Memory]:
        found = await self.store.reader.find_memories(NAMESPACE, ids)
        return [found[memory_id] for memory_id in ids]

    async def read_ratings(self, ids: Sequence[str]) -> list[str]:
        return [str(memory.rating) for memory in await self.find_memories(ids)]

    async def read_natures(self, ids: Sequence[str]) -> list[str]:
        return [contradiction.nature for contradiction in await self.store.reader.find_contradictions(NAMESPACE, ids)]

    async def find_people(self) -> dict[str, MemoryNode]:
        return {node.name: node for node in await self.store.reader.list_nodes_of_kind(NAMESPACE, "agent")}
