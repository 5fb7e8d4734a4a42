"""The fixture `harness`: the memory suite on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sanya.kernel.storage.database import Database
from sanya.retrieval.lexicon import load_general_lexicon
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter
from tests.suites.memory.memory_harness import MemoryHarness, open_memory_harness


@pytest.fixture(scope="session")
def reader() -> TermReader:
    return TermReader(get_default_segmenter(), load_general_lexicon())


@pytest.fixture
async def harness(database: Database, tmp_path: Path, reader: TermReader) -> AsyncIterator[MemoryHarness]:
    async with open_memory_harness(database, tmp_path / "index", reader) as opened:
        yield opened
