"""The starter graph on each engine, loaded once; and gardens that begin empty."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.database import Database
from sanya.suites.herbs.graph.starter import load_starter
from tests.suites.herbs.garden import Garden, open_garden


async def _fill(url: str, home: Path) -> None:
    async with open_database(url, home) as database:
        await load_starter(database)


@pytest.fixture(scope="session")
def starter_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the starter graph in it, which no test changes."""
    home = tmp_path_factory.mktemp("herbs")
    asyncio.run(_fill("", home))
    return home


@pytest.fixture(scope="session")
def starter_schema(postgresql_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same in a schema of PostgreSQL."""
    import psycopg

    schema = f"herbs_{os.getpid()}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
        url = f"{postgresql_server}&options=-csearch_path%3D{schema}"
        asyncio.run(_fill(url, tmp_path_factory.mktemp("unused")))
        yield url
        connection.execute(f'DROP SCHEMA "{schema}" CASCADE')


@pytest.fixture(params=["sqlite", "postgresql"])
def starter_place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """The database's address, and the home to open it with."""
    if request.param == "sqlite":
        return "", request.getfixturevalue("starter_home")
    return request.getfixturevalue("starter_schema"), tmp_path


@pytest.fixture
async def starter(starter_place: tuple[str, Path]) -> AsyncIterator[Garden]:
    """The starter graph, to be read."""
    async with open_database(*starter_place) as database, open_garden(database) as garden:
        yield garden


@pytest.fixture
async def one_starter(starter_home: Path) -> AsyncIterator[Garden]:
    """The starter graph on SQLite alone, for what takes many calls."""
    async with open_database("", starter_home) as database, open_garden(database) as garden:
        yield garden


@pytest.fixture
async def garden(database: Database) -> AsyncIterator[Garden]:
    """Empty, on each engine."""
    async with open_garden(database) as opened:
        yield opened
