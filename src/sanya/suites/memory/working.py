"""Working memory: the latest memories of each namespace, at hand before the search has taken them up.

The store is the truth, so losing or evicting what is held here loses nothing. One engine is in this process, another is
Redis, which several processes share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sanya.suites.memory.records import Memory
from sanya.suites.memory.store import MemoryStore

HELD = 256
"""How many memories of a namespace are held."""


@dataclass(frozen=True, slots=True)
class Held:
    id: str
    arrival: int
    content: str


class WorkingMemory(Protocol):
    async def hold(self, namespace: str, memories: Sequence[Held]) -> None:
        """Takes memories in; the oldest give way."""
        ...

    async def held(self, namespace: str) -> list[Held]:
        """The newest first."""
        ...

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        """Lets memories go that were retired or forgotten."""
        ...


def held_of(memory: Memory) -> Held:
    return Held(memory.id, memory.arrival, memory.content)


class EmbeddedWorkingMemory:
    """Held in this process. What others have stored meanwhile is read from the database, by arrival."""

    def __init__(self, store: MemoryStore, size: int = HELD) -> None:
        self._store = store
        self._size = size
        self._by_namespace: dict[str, dict[str, Held]] = {}
        self._seen: dict[str, int] = {}

    async def hold(self, namespace: str, memories: Sequence[Held]) -> None:
        """Nothing to do: `held` reads on from the last arrival that it saw, which also keeps the order."""

    async def held(self, namespace: str) -> list[Held]:
        known = self._by_namespace.setdefault(namespace, {})
        for memory in await self._store.reader.latest(namespace, self._seen.get(namespace, 0), self._size):
            known[memory.id] = held_of(memory)
            self._seen[namespace] = max(memory.arrival, self._seen.get(namespace, 0))
        newest = sorted(known.values(), key=lambda one: -one.arrival)[: self._size]
        self._by_namespace[namespace] = {one.id: one for one in newest}
        return newest

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        for one in ids:
            self._by_namespace.get(namespace, {}).pop(one, None)
