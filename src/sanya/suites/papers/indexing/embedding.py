"""Brings meaning to papers that were stored by their words alone, in the background while a server runs."""

from __future__ import annotations

import asyncio

from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.indexing.paper_index import PaperIndex

_LOOK_EVERY_S = 5.0


async def keep_embedded(corpus: Corpus, shelf: PaperIndex) -> None:
    seen = -1
    while True:
        seen = await embed_since(seen, corpus, shelf)
        await asyncio.sleep(_LOOK_EVERY_S)


async def embed_since(revision: int, corpus: Corpus, shelf: PaperIndex) -> int:
    """Embeds what came after a revision and returns the one reached. A home without real papers is left alone: its
    library need not be opened. Another process may embed as well; what it has done by then is shown here too."""
    if not await corpus.has_papers():
        return revision
    if (await corpus.get_current_state()).revision != revision:
        await shelf.embed_missing()
    await shelf.refresh()
    return (await corpus.get_current_state()).revision
