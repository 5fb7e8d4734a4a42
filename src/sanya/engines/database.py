"""Opens a database: SQLite in the home, or PostgreSQL by its URL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from sanya.engines.home import DATABASE_NAME
from sanya.engines.snapshot import Engine
from sanya.engines.sqlite.external_file import open_external_file
from sanya.engines.sqlite.home_file import open_home_file
from sanya.engines.upgrading import SchemaMode, prepare_schema
from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import StoreUnavailable

_POSTGRESQL_SCHEMES = ("postgresql://", "postgres://")


def is_postgresql(url: str) -> bool:
    return url.startswith(_POSTGRESQL_SCHEMES)


@asynccontextmanager
async def open_database(
    url: str, home: Path, breakers: Breakers | None = None, *, schema: SchemaMode = "migrate"
) -> AsyncIterator[Engine]:
    """Open the database and bring its schema up to date. An empty `url` means SQLite in `home`."""
    if url and not is_postgresql(url):
        raise StoreUnavailable("database_url must begin with postgresql://, or be empty for SQLite in the home")
    async with connect_postgresql(url, breakers) if url else open_home_file(home) as database:
        await prepare_schema(database, home, schema)
        yield database


def look_into_database(url: str, home: Path) -> AbstractAsyncContextManager[Engine]:
    """Open an existing database with whatever schema it has, for reading."""
    if is_postgresql(url):
        return connect_postgresql(url)
    return open_database(url, home) if url else open_external_file(home / DATABASE_NAME)


@asynccontextmanager
async def connect_postgresql(url: str, breakers: Breakers | None = None) -> AsyncIterator[Engine]:
    try:
        from sanya.engines.postgresql.database import PostgresqlDatabase
    except ImportError as error:
        raise StoreUnavailable(
            "the PostgreSQL driver for database_url is not installed; run: pip install 'sanya[postgres]'"
        ) from error
    database = PostgresqlDatabase(url, breakers or Breakers())
    try:
        await database.open()
        yield database
    finally:
        await database.close()
