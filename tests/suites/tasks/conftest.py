"""Fixtures: the tasks suite on each engine, and the shared data of a small week."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sanya.kernel.storage.database import Database
from tests.suites.tasks.harness import TasksHarness, open_harness


@pytest.fixture
async def harness(database: Database) -> AsyncIterator[TasksHarness]:
    async with open_harness(database) as opened:
        yield opened


@pytest.fixture
def small_week() -> dict[str, Any]:
    path = Path(__file__).parents[4] / "shared" / "data" / "tasks" / "weekly_review_fixture.json"
    if not path.is_file():
        pytest.skip(f"the shared fixture is not here: {path.name}")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
