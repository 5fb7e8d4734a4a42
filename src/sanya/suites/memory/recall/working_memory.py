"""Working memory: the latest memories of each namespace, at hand before the search has taken them up.

The store is the truth, so losing or evicting what is held here loses nothing. One engine is in this process, another is
Redis, which several processes share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sanya.kernel.lru import LruCache
from sanya.suites.memory.episodes import make_word_keys
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

MEMORIES_PER_NAMESPACE = 256
# Of so many callers; each may have a hundred kilobytes here.
MAX_NAMESPACES = 200
"""How many memories of a namespace are held."""
_KEPT_CHARS = 1000


@dataclass(frozen=True, slots=True)
class WorkingMemoryEntry:
    id: str
    arrival: int
    keys: frozenset[str]
    """Its words, in the rough form of `episodes.word_keys`."""


class WorkingMemory(Protocol):
    async def hold(self, namespace: str, memories: Sequence[Memory]) -> None:
        """Takes memories in; the oldest give way."""
        ...

    async def list_entries(self, namespace: str) -> list[WorkingMemoryEntry]:
        """The newest first."""
        ...

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        """Lets memories go that were retired or forgotten."""
        ...


def make_entry(memory: Memory) -> WorkingMemoryEntry:
    return WorkingMemoryEntry(memory.id, memory.arrival, frozenset(make_word_keys(memory.content[:_KEPT_CHARS])))


class EmbeddedWorkingMemory:
    """Held in this process, for those who asked last. What others have stored meanwhile is read from the database, by
    arrival; and so is all that was let go."""

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
        """Nothing to do: `held` reads on from the last arrival that it saw, which also keeps the order."""

    async def list_entries(self, namespace: str) -> list[WorkingMemoryEntry]:
        revision = await self._store.read_revision()
        seen, known = self._by_namespace.get(namespace) or (-1, [])
        if seen != revision:
            last = known[0].arrival if known else 0
            fresh = await self._store.reader.list_latest(namespace, last, self._size)
            known = [*map(make_entry, fresh), *known][: self._size]
        self._by_namespace.put(namespace, (revision, known))
        return known

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        entry = self._by_namespace.get(namespace)
        if entry is not None:
            seen, held = entry
            self._by_namespace.put(namespace, (seen, [memory for memory in held if memory.id not in ids]))
