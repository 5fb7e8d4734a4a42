"""An ingest harness with a small graph, on each engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sanya.kernel.storage.database import Database
from tests.suites.herbs.ingest.jobs.ingest_harness import IngestHarness, insert_small_graph, open_ingest_harness


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder from which documents may be read."""
    (tmp_path / "documents").mkdir()
    return tmp_path / "documents"


@pytest.fixture
async def harness(database: Database, folder: Path) -> AsyncIterator[IngestHarness]:
    await insert_small_graph(database)
    async with open_ingest_harness(database, folder) as opened:
        yield opened
