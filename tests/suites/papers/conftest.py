"""Fixtures: the papers suite on each engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sanya.kernel.storage.database import Database
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter
from tests.retrieval.conftest import WordVectors
from tests.suites.papers.harness import PapersHarness, open_harness


@pytest.fixture(scope="session")
def reader() -> TermReader:
    return TermReader(get_default_segmenter(), Lexicon({}, {}))


@pytest.fixture
def embedders() -> dict[str, WordVectors]:
    return {ENGLISH: WordVectors("english", 32, {}), MULTILINGUAL: WordVectors("both", 48, {"ไข้หวัด": "cold"})}


@pytest.fixture
async def harness(
    database: Database, home: Path, reader: TermReader, embedders: dict[str, WordVectors]
) -> AsyncIterator[PapersHarness]:
    """Open the suite without papers on each engine; the first query loads the samples."""
    async with open_harness(database, home, reader, embedders) as opened:
        yield opened
