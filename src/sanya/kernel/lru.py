"""A bounded cache that evicts the entry that was used least recently."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import ClassVar, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Holds at most `max_entries` entries, which together weigh at most `max_weight`. Threads may share it.

    `weigh` gives the weight of a value at the time it is put; without it only entries are counted. The entry put last
    always stays, even if it alone is heavier than the limit.
    """

    hits: ClassVar[int] = 0
    misses: ClassVar[int] = 0
    """Lookups in all caches of this process. Threads that count at the same time may lose a count."""

    def __init__(
        self,
        max_entries: int | None = None,
        *,
        max_weight: int = 0,
        weigh: Callable[[V], int] | None = None,
    ) -> None:
        self._max_entries = max_entries
        self._max_weight = max_weight
        self._weigh = weigh
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Return the value and mark it as used, or return None."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                LruCache.misses += 1
                return None
            LruCache.hits += 1
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: K, value: V) -> None:
        """Store the value as the most recently used one and evict what no longer fits."""
        weight = 0 if self._weigh is None else self._weigh(value)
        with self._lock:
            _, former_weight = self._entries.pop(key, (None, 0))
            self._entries[key] = value, weight
            self._weight += weight - former_weight
            while len(self._entries) > 1 and self._is_over_limit():
                _, (_, evicted) = self._entries.popitem(last=False)
                self._weight -= evicted

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._weight = 0

    def __len__(self) -> int:
        return len(self._entries)

    def _is_over_limit(self) -> bool:
        over_count = self._max_entries is not None and len(self._entries) > self._max_entries
        return over_count or (self._weigh is not None and self._weight > self._max_weight)
