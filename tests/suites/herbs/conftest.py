"""The starter graph on each engine, loaded once, and empty graphs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.storage.database import Database
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.graph.starter import load_starter
from sanya.suites.herbs.graph.store import HerbStore
from tests.built_once import build_once
from tests.suites.herbs.graph_harness import GraphHarness, open_graph_harness


async def _fill(url: str, home: Path) -> None:
    async with open_database(url, home) as database:
        await load_starter(database)


@pytest.fixture(scope="session")
def starter_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the starter graph, which no test changes."""
    return build_once(tmp_path_factory, "herbs", lambda home: asyncio.run(_fill("", home)))


@pytest.fixture(scope="session")
def starter_schema(postgresql_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return a PostgreSQL schema with the starter graph, which no test changes."""
    import psycopg

    schema = f"herbs_{os.getpid()}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
        url = f"{postgresql_server}&options=-csearch_path%3D{schema}"
        asyncio.run(_fill(url, tmp_path_factory.mktemp("unused")))
        yield url
        connection.execute(f'DROP SCHEMA "{schema}" CASCADE')


@pytest.fixture(params=["sqlite", "postgresql"])
def starter_location(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """Return the database URL and the home to open it with."""
    if request.param == "sqlite":
        return "", request.getfixturevalue("starter_home")
    return request.getfixturevalue("starter_schema"), tmp_path


@pytest.fixture(scope="session")
def read_graphs() -> dict[str, HerbGraph]:
    """Hold the starter graph as it was read from each engine: to read it takes longer than most tests."""
    return {}


@asynccontextmanager
async def _open_starter(url: str, home: Path, read_graphs: dict[str, HerbGraph]) -> AsyncIterator[GraphHarness]:
    async with open_database(url, home) as database:
        if url not in read_graphs:
            read_graphs[url] = await HerbStore(database).load_graph()
        async with open_graph_harness(database, read_graphs[url]) as harness:
            yield harness


@pytest.fixture
async def starter(starter_location: tuple[str, Path], read_graphs: dict[str, HerbGraph]) -> AsyncIterator[GraphHarness]:
    """Open the starter graph for reading, on each engine."""
    async with _open_starter(*starter_location, read_graphs) as harness:
        yield harness


@pytest.fixture
async def sqlite_starter(starter_home: Path, read_graphs: dict[str, HerbGraph]) -> AsyncIterator[GraphHarness]:
    """Open the starter graph on SQLite, for tests that make many calls."""
    async with _open_starter("", starter_home, read_graphs) as harness:
        yield harness


@pytest.fixture
async def empty_graph(database: Database) -> AsyncIterator[GraphHarness]:
    """Open an empty graph, on each engine."""
    async with open_graph_harness(database) as opened:
        yield opened
