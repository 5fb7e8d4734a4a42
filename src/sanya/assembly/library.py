"""Opens the search library of a home with its first use; all suites share it.

Dictionaries and models take seconds to load. A call that does not search must not wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib.resources import files
from time import monotonic
from typing import TYPE_CHECKING

from sanya.assembly.search.embedders import check_embedder_settings, find_words_only, open_embedders
from sanya.assembly.search.indexes import check_index_settings, open_index
from sanya.assembly.search.rerankers import check_reranker_settings, open_chosen_reranker
from sanya.kernel.breaker import Breakers
from sanya.kernel.calls.call import ProgressSink
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Database
from sanya.retrieval.embedding_status import EmbeddingCounts
from sanya.settings import Settings
from sanya.suites.registry import BUILT_IN

if TYPE_CHECKING:
    from sanya.retrieval.embedding_status import EmbeddingStatus
    from sanya.retrieval.search import Library

_OTHERS_S = 1.0
_STATUSES_S = 5.0
_WITH_VECTORS = tuple(name for name, suite in BUILT_IN.items() if suite.has_vectors)


class SharedLibrary:
    """Lazy handle of the library: `library = await shared()` opens it once. It closes with the home.

    `opening` replaces the way the settings would open it.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        opening: Callable[[], AbstractAsyncContextManager[Library]] | None = None,
        breakers: Breakers | None = None,
    ) -> None:
        check_index_settings(settings)
        check_embedder_settings(settings)
        check_reranker_settings(settings)
        self.embedding_counts = EmbeddingCounts()
        self._open = opening or (lambda: _open(settings, database, breakers or Breakers(), self.embedding_counts))
        self._database = database
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._library: Library | None = None
        self._statuses: dict[str, EmbeddingStatus] = {}
        self._statuses_read_at = -_STATUSES_S

    async def __call__(self) -> Library:
        async with self._opening:
            if self._library is None:
                self._library = await self._stack.enter_async_context(self._open())
            return self._library

    async def reembed(self, namespace: str, progress: ProgressSink) -> int:
        """Embed a namespace with the models of the settings. Return the number of documents embedded.

        A server that embeds the same namespace shares the work. An interrupted call is resumed by the next one.
        """
        from sanya.engines.index.reembedding import reset_embeddings

        library = await self()
        library.require_models()
        try:
            await library.declare(namespace)
        except InvalidArgument:  # it was embedded by other models
            await reset_embeddings(self._database, namespace)
            await library.declare(namespace)
            await library.rebuild(namespace)
        done = await library.embed_missing(namespace, progress=progress)
        while await library.count_unembedded(namespace):  # others are embedding the last ones, or died over them
            await asyncio.sleep(_OTHERS_S)
            done += await library.embed_missing(namespace, progress=progress)
        return done

    async def read_embedding_statuses(self) -> dict[str, EmbeddingStatus]:
        """Return how much of each namespace awaits its vectors, without opening the library. Anybody may ask through
        `/health`, so the answer is reused for a while."""
        from sanya.engines.index.embedding_status import read_embedding_statuses

        if monotonic() - self._statuses_read_at >= _STATUSES_S:
            self._statuses = await read_embedding_statuses(self._database)
            self._statuses_read_at = monotonic()
        return self._statuses

    async def close(self) -> None:
        await self._stack.aclose()


@asynccontextmanager
async def _open(
    settings: Settings, database: Database, breakers: Breakers, counts: EmbeddingCounts
) -> AsyncIterator[Library]:
    from sanya.engines.embedders.bundled_vectors import BundledVectors
    from sanya.engines.embedders.cache import CachedEmbedder
    from sanya.engines.index.store import IndexStore
    from sanya.retrieval.lexicon import load_general_lexicon
    from sanya.retrieval.search import Library
    from sanya.retrieval.terms import TermReader
    from sanya.text.segmentation import get_default_segmenter

    reader = await asyncio.to_thread(lambda: TermReader(get_default_segmenter(), load_general_lexicon()))
    store = IndexStore(database)
    shipped = BundledVectors(*(files(f"sanya.suites.{suite}") / "starter_vectors.npz" for suite in _WITH_VECTORS))
    async with (
        open_embedders(settings, breakers) as embedders,
        open_index(settings, database, reader, breakers) as index,
        open_chosen_reranker(settings, breakers) as reranker,
    ):
        yield Library(
            index,
            reader,
            {space: CachedEmbedder(embedder, store, shipped, counts) for space, embedder in embedders.items()},
            find_words_only(settings),
            reranker,
        )
