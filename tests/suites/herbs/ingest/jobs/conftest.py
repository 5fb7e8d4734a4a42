"""A room with a small graph, on each engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sanya.kernel.database import Database
from tests.suites.herbs.ingest.jobs.ingest_room import Room, open_room, plant_small


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where documents may be read from."""
    (tmp_path / "documents").mkdir()
    return tmp_path / "documents"


@pytest.fixture
async def room(database: Database, folder: Path) -> AsyncIterator[Room]:
    await plant_small(database)
    async with open_room(database, folder) as opened:
        yield opened
