"""Embeds new papers and full texts in the background while a server runs."""

from __future__ import annotations

import asyncio

from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.fulltext.store import FullTextStore
from sanya.suites.papers.indexing.paper_index import PaperIndex

_LOOK_EVERY_S = 5.0


async def keep_embedded(corpus: Corpus, index: PaperIndex, texts: FullTextStore) -> None:
    revision = -1
    while True:
        revision = await embed_since(revision, corpus, index, texts)
        await asyncio.sleep(_LOOK_EVERY_S)


async def embed_since(revision: int, corpus: Corpus, index: PaperIndex, texts: FullTextStore) -> int:
    """Embed papers and full texts that came after a revision and return the revision reached.

    A home without real papers and full texts is skipped, so that its library stays closed. The refresh also shows
    vectors that another process has made meanwhile.
    """
    has_texts = await texts.count() > 0
    if not has_texts and not await corpus.has_papers():
        return revision
    if (await corpus.get_current_state()).revision != revision:
        if has_texts:  # an import that was interrupted leaves some without vectors
            await texts.finish()
        await index.embed_missing()
        if await index.count_unembedded():  # another process is embedding them; look again, in case it dies
            await index.refresh()
            return revision
    await index.refresh()
    return (await corpus.get_current_state()).revision
