"""Memory as a home has it: working memory by setting, meanings given in the background."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sanya import app
from sanya.engines.database import open_database
from sanya.retrieval.lexicon import load_general_lexicon
from sanya.retrieval.terms import TermReader
from sanya.settings import BadSetting
from sanya.suites.memory.recall.indexing import NAMESPACE
from sanya.text.segmentation import get_default_segmenter
from tests.suites.memory.memory_harness import open_memory_harness

PATIENCE_S = 30.0


async def test_a_redis_address_that_cannot_be_read_is_told_at_the_start(home: Path) -> None:
    with pytest.raises(BadSetting, match="redis_url"):
        async with app.open(home, redis_url="http://nowhere"):
            pass


async def test_new_memories_get_their_meaning_in_the_background(home: Path, tmp_path: Path) -> None:
    reader = TermReader(get_default_segmenter(), load_general_lexicon())
    async with (
        open_database("", home) as database,
        open_memory_harness(database, tmp_path / "index", reader) as harness,
    ):
        work = asyncio.create_task(harness.parts.embedding.run())
        try:
            for number in range(3):
                await harness.send(f"Note {number} of the turbine.")
            library = await harness.parts.index.open_library()
            async with asyncio.timeout(PATIENCE_S):
                # The worker has no event to wait for.
                while await library.count_unembedded(NAMESPACE) or await library.count(NAMESPACE) < 3:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
