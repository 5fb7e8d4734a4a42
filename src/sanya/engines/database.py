"""Opens a database: SQLite in the home, or PostgreSQL by its URL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from sanya.engines.home import DATABASE_NAME, prepare_home
from sanya.engines.schema import migrate
from sanya.engines.snapshot import Engine
from sanya.engines.sqlite.connection import enter_wal_mode
from sanya.engines.sqlite.database import SqliteDatabase
from sanya.engines.sqlite.external_file import open_external_file
from sanya.engines.sqlite.faults import to_fault
from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import StoreUnavailable

_POSTGRESQL_SCHEMES = ("postgresql://", "postgres://")


def is_postgresql(url: str) -> bool:
    return url.startswith(_POSTGRESQL_SCHEMES)


def open_database(url: str, home: Path, breakers: Breakers | None = None) -> AbstractAsyncContextManager[Engine]:
    """Open the database and migrate its schema. An empty `url` means SQLite in `home`."""
    if not url:
        return open_sqlite(home)
    if is_postgresql(url):
        return open_postgresql(url, breakers)
    raise StoreUnavailable("database_url must begin with postgresql://, or be empty for SQLite in the home")


def look_into_database(url: str, home: Path) -> AbstractAsyncContextManager[Engine]:
    """Open an existing database without migrating its schema."""
    if is_postgresql(url):
        return connect_postgresql(url)
    return open_database(url, home) if url else open_external_file(home / DATABASE_NAME)


@asynccontextmanager
async def open_sqlite(home: Path) -> AsyncIterator[Engine]:
    path = prepare_home(home)
    try:
        await asyncio.to_thread(enter_wal_mode, path)
    except sqlite3.Error as error:
        raise to_fault(error, str(path)) or error from error
    database = SqliteDatabase(path)
    try:
        await migrate(database)
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_postgresql(url: str, breakers: Breakers | None = None) -> AsyncIterator[Engine]:
    async with connect_postgresql(url, breakers) as database:
        await migrate(database)
        yield database


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
