"""The funds suite on each engine, and the real snapshot of the market if it is available."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sanya.engines.database import open_database
from sanya.kernel.storage.database import Database
from sanya.suites.funds.demo import load_demo
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import import_funds
from tests.suites.funds.market import Market, open_market


@pytest.fixture
async def market(database: Database) -> AsyncIterator[Market]:
    """An empty database on each engine."""
    async with open_market(database) as opened:
        yield opened


@pytest.fixture
async def demo_market(database: Database, market: Market) -> Market:
    await load_demo(database)
    return market


@pytest.fixture(scope="session")
def snapshot() -> Path:
    path = Path(__file__).parents[4] / "shared" / "data" / "funds"
    if not path.is_dir():
        pytest.skip("the snapshot of real funds is not here")
    return path


@pytest.fixture(scope="session")
def files(snapshot: Path) -> dict[str, dict[str, Any]]:
    """The files of the snapshot by symbol, read without the importer."""
    found = [json.loads(path.read_text("utf-8")) for path in sorted((snapshot / "rmf-funds").glob("*.json"))]
    return {file["symbol"]: file for file in found}


@pytest.fixture(scope="session")
def imported_home(snapshot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the snapshot imported; no test changes it."""
    home = tmp_path_factory.mktemp("funds")

    async def fill() -> None:
        async with open_database("", home) as database:
            await import_funds(database, read_funds(snapshot).funds)

    asyncio.run(fill())
    return home


@pytest.fixture
async def real_market(imported_home: Path) -> AsyncIterator[Market]:
    async with open_database("", imported_home) as database, open_market(database) as opened:
        yield opened
