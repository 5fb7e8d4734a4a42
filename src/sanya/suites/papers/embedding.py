"""Brings meaning to papers that were stored by their words alone, in the background while a server runs."""

from __future__ import annotations

import asyncio

from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.shelf import PaperShelf

_LOOK_EVERY_S = 5.0


async def keep_embedded(corpus: Corpus, shelf: PaperShelf) -> None:
    """A home without real papers is left alone: its library need not be opened."""
    seen = -1
    while True:
        state = await corpus.now()
        if state.revision != seen and await corpus.has_papers():
            await shelf.embed_missing()
            seen = (await corpus.now()).revision
        await asyncio.sleep(_LOOK_EVERY_S)
