"""Embedding of new memories: in the background of a server, or by the first question of a process without one.

A memory is found by its words as soon as it is stored. Its vector follows. A question waits for vectors only where no
background work makes them, because embedding many memories takes longer than an answer may.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sanya.suites.memory.recall.indexing import NAMESPACE, MemoryIndex
from sanya.suites.memory.storage.store import MemoryStore

if TYPE_CHECKING:
    from sanya.suite.search import Library

_POLL_INTERVAL_S = 1.0
_GATHERING_S = 0.05
_MAX_EMBEDDED_AT_ONCE = 256
# The worker embeds few at a time, because a question that comes meanwhile waits for the model.
_EMBEDDED_IN_BACKGROUND = 16


class MemoryEmbedding:
    def __init__(self, store: MemoryStore, index: MemoryIndex) -> None:
        self._store = store
        self._index = index
        self._embedded_revision = -1
        """All memories up to this revision have vectors."""
        self._lock = asyncio.Lock()
        self._wake_event = asyncio.Event()
        self._workers = 0

    def wake(self) -> None:
        """Tell the worker that a memory was stored."""
        self._wake_event.set()

    async def run(self) -> None:
        """Embed new memories until cancelled.

        The first memory opens the library, not this loop: loading the models takes seconds.
        """
        self._workers += 1
        try:
            while True:
                self._wake_event.clear()
                revision = await self._store.read_revision()
                if revision > max(0, self._embedded_revision):
                    library = await self._index.open_library()
                    while await library.embed_missing(NAMESPACE, limit=_EMBEDDED_IN_BACKGROUND):
                        pass  # each batch lets a question go first
                    await library.refresh()
                    self._embedded_revision = revision
                try:
                    await asyncio.wait_for(self._wake_event.wait(), _POLL_INTERVAL_S)
                except TimeoutError:
                    continue  # another process may have stored a memory
                await asyncio.sleep(_GATHERING_S)
        finally:
            self._workers -= 1

    async def open_current_library(self) -> Library:
        """Open the library with all memories in it, and without a worker in this process with their vectors."""
        library = await self._index.open_library()
        if not self._workers:
            revision = await self._store.read_revision()
            if revision > self._embedded_revision:
                async with self._lock:  # concurrent questions share one embedding
                    if revision > self._embedded_revision:
                        await self._embed(library)
        # Last, so that new rows enter the index together with their vectors.
        await library.refresh()
        return library

    async def _embed(self, library: Library) -> None:
        revision = await self._store.read_revision()
        await library.embed_missing(NAMESPACE, limit=_MAX_EMBEDDED_AT_ONCE)
        if not await library.count_unembedded(NAMESPACE):
            self._embedded_revision = revision
