"""Home with many memories and random vectors, which cost a search as much as real ones and are faster to make.

Questions are embedded by the real model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import numpy as np

from benchmarks.retrieval_corpus import Corpus
from sanya.assembly.memory import MemoryParts, build_memory_parts
from sanya.engines.database import open_database
from sanya.engines.embedders.offline import create_offline_embedders
from sanya.engines.index.embedded.index import open_embedded
from sanya.kernel.calls.call import OWNER
from sanya.retrieval.embedding import Embedder, Matrix, Model
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import load_general_lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.suites.memory.ratings.provenance import Origin
from sanya.suites.memory.recall.indexing import NAMESPACE
from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts
from sanya.text.segmentation import get_default_segmenter

BATCH_SIZE = 500
_TURNS_PER_SESSION = 40


class RandomEmbedder:
    """Draws the vectors of documents from their hashes. A single text is a question and gets its real vector."""

    def __init__(self, real: Embedder) -> None:
        self._real = real

    @property
    def model(self) -> Model:
        return self._real.model

    async def embed(self, texts: Sequence[str]) -> Matrix:
        if len(texts) == 1:
            return await self._real.embed(texts)
        rows = np.array([self._draw_vector(text) for text in texts], dtype=np.float32).reshape(-1, self.model.dim)
        normal: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return normal

    def _draw_vector(self, text: str) -> Matrix:
        seed = int.from_bytes(sha256(text.encode("utf-8")).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.model.dim).astype(np.float32)


@asynccontextmanager
async def open_memory_home(home: Path) -> AsyncIterator[tuple[Library, MemoryParts]]:
    reader = TermReader(get_default_segmenter(), load_general_lexicon())
    real = create_offline_embedders()[ENGLISH]
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        library = Library(index, reader, {ENGLISH: RandomEmbedder(real)})

        async def open_library() -> Library:
            return library

        try:
            yield library, build_memory_parts(database, open_library)
        finally:
            real.close()


def make_conversation(size: int) -> list[str]:
    return [entry.document.text for batch in Corpus(size).make_batches(BATCH_SIZE) for entry in batch]


async def fill_home(library: Library, parts: MemoryParts, texts: Sequence[str]) -> None:
    """Store texts as memories, in sessions like those of a conversation. Existing ones stay."""
    stored = await library.count(NAMESPACE)
    for start in range(stored, len(texts), BATCH_SIZE):
        await store_drafts(
            parts.store,
            [_make_draft(number, texts[number]) for number in range(start, min(start + BATCH_SIZE, len(texts)))],
        )
    await library.refresh()
    await library.embed_missing(NAMESPACE)
    async with parts.store.database.transaction() as transaction:
        # Recall is measured, not consolidation.
        await transaction.execute("UPDATE memories SET consolidated_at = created_at WHERE consolidated_at IS NULL")


def _make_draft(number: int, text: str) -> MemoryDraft:
    return MemoryDraft(
        key=f"benchmark {number}",
        namespace=OWNER.id,
        content=f"Speaker{number % 7}: {text[:300]}",
        created_at="2026-01-01T00:00:00.000Z",
        origin=Origin("conversation", f"session {number // _TURNS_PER_SESSION}"),
    )
