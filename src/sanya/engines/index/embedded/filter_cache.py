"""Which rows pass which filters: worked out once, and from then on only for the rows that came since.

A row never changes, and a newer state of a shelf has the same rows and more: what was found in one holds in all.
"""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.embedded.word_index import WordSnapshot
from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import Filter

Filters = tuple[Filter, ...]
Passes = NDArray[np.bool_]

_REMEMBERED = 64
_REMEMBERED_BYTES = 32 * 1024 * 1024
_WORKED_OUT_ROWS = 2_000_000


class Passing:
    """Shared by all states of a shelf, whichever threads ask."""

    def __init__(self) -> None:
        self._known: LruCache[Filters, Passes] = LruCache(_REMEMBERED, max_weight=_REMEMBERED_BYTES, weigh=len)
        """Empty for filters that were seen only once."""
        self._turn = Lock()

    def known(self, filters: Filters, words: WordSnapshot) -> Passes | None:
        """For each row whether it passes; None where that was never worked out."""
        known = self._known.peek(filters)
        return None if known is None or not len(known) else self._grown(filters, known, words)

    def again(self, filters: Filters, words: WordSnapshot) -> Passes | None:
        """The same, worked out for filters that were seen before. Of such as are new, or of very many rows, it costs
        less to ask about the rows in question."""
        known = self._known.peek(filters)
        if known is None or words.count > _WORKED_OUT_ROWS:
            self._keep(filters, np.zeros(0, dtype=np.bool_))
            return None
        return self._grown(filters, known, words)

    def _grown(self, filters: Filters, known: Passes, words: WordSnapshot) -> Passes:
        if len(known) < words.count:
            grown = np.zeros(words.count, dtype=np.bool_)
            grown[: len(known)] = known
            grown[words.matching_beyond(len(known), filters) - 1] = True
            known = grown
            self._keep(filters, known)
        return known[: words.count]

    def _keep(self, filters: Filters, passes: Passes) -> None:
        """Of two that worked out the same, for different states, the later one's is as good."""
        with self._turn:
            self._known.put(filters, passes)
