"""A cache of bitmaps that say which rows pass which filters, extended by the rows that came since.

A row never changes, and a newer snapshot of a partition has the same rows and more. So a bitmap built for one snapshot
holds for all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.embedded.word_index import WordSnapshot
from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import Filter

Filters = tuple[Filter, ...]
PassMask = NDArray[np.bool_]

_CACHED_FILTERS = 64
_CACHED_BYTES = 32 * 1024 * 1024
_MAX_MASK_ROWS = 2_000_000


class FilterCache:
    """Bitmaps by filters, shared by all snapshots of a partition and by all threads."""

    def __init__(self, max_bytes: int = _CACHED_BYTES) -> None:
        self._masks: LruCache[Filters, PassMask] = LruCache(_CACHED_FILTERS, max_weight=max_bytes, weigh=len)
        """An empty mask stands for filters that were seen only once."""

    def get(self, filters: Filters, words: WordSnapshot) -> PassMask | None:
        """Return which rows pass, or None where no mask was built."""
        mask = self._masks.get(filters)
        return None if mask is None or not len(mask) else self._extend(filters, mask, words)

    def get_or_build(self, filters: Filters, words: WordSnapshot) -> PassMask | None:
        """Return which rows pass, and build the mask for filters that were seen before.

        Return None for new filters and for very many rows: testing the rows in question costs less there.
        """
        mask = self._masks.get(filters)
        if mask is None or words.count > _MAX_MASK_ROWS:
            self._put(filters, np.zeros(0, dtype=np.bool_))
            return None
        return self._extend(filters, mask, words)

    def _extend(self, filters: Filters, mask: PassMask, words: WordSnapshot) -> PassMask:
        if len(mask) < words.count:
            extended = np.zeros(words.count, dtype=np.bool_)
            extended[: len(mask)] = mask
            extended[words.find_passing_after(len(mask), filters) - 1] = True
            mask = extended
            self._put(filters, mask)
        return mask[: words.count]

    def _put(self, filters: Filters, mask: PassMask) -> None:
        """Store the mask. Of two threads that built it, for different snapshots, either result is right."""
        self._masks.put(filters, mask)
