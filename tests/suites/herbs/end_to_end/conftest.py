"""Two homes, one on each engine, opened once for all tests, because opening takes seconds."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

import sanya.app
from sanya.app import App


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sqlite_app(indexed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    home = shutil.copytree(indexed_home, tmp_path_factory.mktemp("asked") / "home")
    async with sanya.app.open(home) as opened:
        yield opened


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def postgresql_app(postgresql_server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    import psycopg

    schema = f"asked_{os.getpid()}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
        url = f"{postgresql_server}&options=-csearch_path%3D{schema}"
        async with sanya.app.open(tmp_path_factory.mktemp("asked"), database_url=url) as opened:
            yield opened
        connection.execute(f'DROP SCHEMA "{schema}" CASCADE')


@pytest.fixture(params=["sqlite", "postgresql"])
def app(request: pytest.FixtureRequest) -> App:
    """Return an app with the starter graph, on each engine."""
    opened: App = request.getfixturevalue(f"{request.param}_app")
    return opened
