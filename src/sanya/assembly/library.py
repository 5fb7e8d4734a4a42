"""The search over a home's documents, opened when somebody first needs it and shared by all suites.

Dictionaries and models take seconds to load; a call that searches nothing must not wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib.resources import files
from typing import TYPE_CHECKING

from sanya.assembly.embedders import check_embedder_settings, open_embedders
from sanya.assembly.indexes import check_index_settings, open_index
from sanya.kernel.breaker import Breakers
from sanya.kernel.call import ProgressSink
from sanya.kernel.database import Database
from sanya.kernel.faults import InvalidArgument
from sanya.settings import Settings

if TYPE_CHECKING:
    from sanya.retrieval.search import Library

_WITH_VECTORS = ("herbs", "papers")


class SharedLibrary:
    """Call it for the library: `library = await shared()`. It closes with the home. `opening` is how it is opened
    where the settings shall not say that."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        opening: Callable[[], AbstractAsyncContextManager[Library]] | None = None,
        breakers: Breakers | None = None,
    ) -> None:
        check_index_settings(settings)
        check_embedder_settings(settings)
        self._open = opening or (lambda: _open(settings, database, breakers or Breakers()))
        self._database = database
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._library: Library | None = None

    async def __call__(self) -> Library:
        async with self._opening:
            if self._library is None:
                self._library = await self._stack.enter_async_context(self._open())
            return self._library

    async def embed_anew(self, namespace: str, progress: ProgressSink) -> int:
        """Embeds a namespace by the models of the settings, whatever embedded it before; returns how many documents
        that was. Broken off, the next call goes on."""
        from sanya.engines.index.reembedding import reset_embeddings

        library = await self()
        try:
            await library.declare(namespace)
        except InvalidArgument:  # other models
            await reset_embeddings(self._database, namespace)
            await library.declare(namespace)
            await library.rebuild(namespace)
        return await library.embed_missing(namespace, progress=progress)

    async def close(self) -> None:
        await self._stack.aclose()


@asynccontextmanager
async def _open(settings: Settings, database: Database, breakers: Breakers) -> AsyncIterator[Library]:
    from sanya.engines.embedders.cached import CachedEmbedder
    from sanya.engines.embedders.shipped import ShippedVectors
    from sanya.engines.index.store import IndexStore
    from sanya.retrieval.lexicon import general_lexicon
    from sanya.retrieval.search import Library
    from sanya.retrieval.terms import Reader
    from sanya.text.segmentation import default_segmenter

    reader = await asyncio.to_thread(lambda: Reader(default_segmenter(), general_lexicon()))
    store = IndexStore(database)
    shipped = ShippedVectors(*(files(f"sanya.suites.{suite}") / "starter_vectors.npz" for suite in _WITH_VECTORS))
    async with (
        open_embedders(settings, breakers) as embedders,
        open_index(settings, database, reader, breakers) as index,
    ):
        yield Library(index, reader, {space: CachedEmbedder(one, store, shipped) for space, one in embedders.items()})
