"""Working memory: the latest memories of each namespace, available before the search index has them.

It is a cache. The store has everything, so losing or evicting an entry loses nothing. One implementation lives in this
process, another one on Redis, which several processes share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sanya.suite.runtime import LruCache
from sanya.suites.memory.episodes import make_word_keys
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

MEMORIES_PER_NAMESPACE = 256
# A namespace takes up to a hundred kilobytes.
MAX_NAMESPACES = 200
_INDEXED_CHARS = 1000


@dataclass(frozen=True, slots=True)
class WorkingMemoryEntry:
    id: str
    arrival: int
    keys: frozenset[str]
    """Its words as `episodes.make_word_keys` makes them."""


class WorkingMemory(Protocol):
    async def hold(self, namespace: str, memories: Sequence[Memory]) -> None:
        """Add memories and evict the oldest ones."""
        ...

    async def list_entries(self, namespace: str) -> list[WorkingMemoryEntry]:
        """Return the entries of a namespace, the newest first."""
        ...

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        """Remove memories that were retired or forgotten."""
        ...


def make_entry(memory: Memory) -> WorkingMemoryEntry:
    return WorkingMemoryEntry(memory.id, memory.arrival, frozenset(make_word_keys(memory.content[:_INDEXED_CHARS])))


class EmbeddedWorkingMemory:
    """Working memory in this process, for the namespaces that were used last.

    Memories that other processes have stored since are read from the database by arrival, and so are evicted ones.
    """

    def __init__(
        self, store: MemoryStore, size: int = MEMORIES_PER_NAMESPACE, namespaces: int = MAX_NAMESPACES
    ) -> None:
        self._store = store
        self._size = size
        self._by_namespace: LruCache[str, tuple[int, list[WorkingMemoryEntry]]] = LruCache(namespaces)

    @property
    def namespace_count(self) -> int:
        return len(self._by_namespace)

    async def hold(self, namespace: str, memories: Sequence[Memory]) -> None:
        """Do nothing: `list_entries` reads from the last arrival that it saw, which also keeps the order."""

    async def list_entries(self, namespace: str) -> list[WorkingMemoryEntry]:
        revision = await self._store.read_revision()
        seen_revision, entries = self._by_namespace.get(namespace) or (-1, [])
        if seen_revision != revision:
            last_arrival = entries[0].arrival if entries else 0
            newer = await self._store.reader.list_latest(namespace, last_arrival, self._size)
            entries = [*map(make_entry, newer), *entries][: self._size]
        self._by_namespace.put(namespace, (revision, entries))
        return entries

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        cached = self._by_namespace.get(namespace)
        if cached is not None:
            revision, entries = cached
            self._by_namespace.put(namespace, (revision, [entry for entry in entries if entry.id not in ids]))
