"""A harness for papers on each engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sanya.kernel.database import Database
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.terms import Reader
from sanya.text.segmentation import default_segmenter
from tests.retrieval.conftest import WordVectors
from tests.suites.papers.harness import PapersHarness, open_harness


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(default_segmenter(), Lexicon({}, {}))


@pytest.fixture
def embedders() -> dict[str, WordVectors]:
    return {ENGLISH: WordVectors("english", 32, {}), MULTILINGUAL: WordVectors("both", 48, {"ไข้หวัด": "cold"})}


@pytest.fixture
async def harness(
    database: Database, home: Path, reader: Reader, embedders: dict[str, WordVectors]
) -> AsyncIterator[PapersHarness]:
    """Without papers, on each engine; the first question puts the samples in."""
    async with open_harness(database, home, reader, embedders) as opened:
        yield opened
