"""A library on embedded engines, as the server would open it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sanya.engines.database import open_database
from sanya.engines.embedders.cached import CachedEmbedder
from sanya.engines.embedders.offline import offline_embedders
from sanya.engines.index.embedded import open_embedded
from sanya.engines.index.store import IndexStore
from sanya.retrieval.lexicon import general_lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import Reader
from sanya.text.segmentation import default_segmenter


@asynccontextmanager
async def opened_library(home: Path) -> AsyncIterator[Library]:
    reader = Reader(default_segmenter(), general_lexicon())
    local = offline_embedders()
    try:
        async with (
            open_database("", home) as database,
            open_embedded(database, home / "index", reader.read_document) as index,
        ):
            store = IndexStore(database)
            yield Library(index, reader, {space: CachedEmbedder(one, store) for space, one in local.items()})
    finally:
        for one in local.values():
            one.close()
