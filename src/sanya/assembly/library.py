"""The search over a home's documents, opened when somebody first needs it and shared by all suites.

Dictionaries and models take seconds to load; a call that searches nothing must not wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from sanya.kernel.database import Database
from sanya.settings import Settings

if TYPE_CHECKING:
    from sanya.retrieval.search import Library


class SharedLibrary:
    """Call it for the library: `library = await shared()`. It closes with the home."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._library: Library | None = None

    async def __call__(self) -> Library:
        async with self._opening:
            if self._library is None:
                self._library = await self._stack.enter_async_context(_open(self._settings, self._database))
            return self._library

    async def close(self) -> None:
        await self._stack.aclose()


@asynccontextmanager
async def _open(settings: Settings, database: Database) -> AsyncIterator[Library]:
    from sanya.engines.embedders.cached import CachedEmbedder
    from sanya.engines.embedders.offline import offline_embedders
    from sanya.engines.index.embedded import open_embedded
    from sanya.engines.index.store import IndexStore
    from sanya.retrieval.lexicon import general_lexicon
    from sanya.retrieval.search import Library
    from sanya.retrieval.terms import Reader
    from sanya.text.segmentation import default_segmenter

    reader = await asyncio.to_thread(lambda: Reader(default_segmenter(), general_lexicon()))
    local = offline_embedders()
    store = IndexStore(database)
    try:
        async with open_embedded(database, settings.home / "index", reader.read_document) as index:
            yield Library(index, reader, {space: CachedEmbedder(one, store) for space, one in local.items()})
    finally:
        for one in local.values():
            one.close()
