"""The way to a database: SQLite in the home, or PostgreSQL by its address."""

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
from sanya.engines.sqlite.external_file import open_attached
from sanya.engines.sqlite.faults import fault_of
from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import StoreUnavailable

_POSTGRESQL_SCHEMES = ("postgresql://", "postgres://")


def is_postgresql(url: str) -> bool:
    return url.startswith(_POSTGRESQL_SCHEMES)


def open_database(url: str, home: Path, breakers: Breakers | None = None) -> AbstractAsyncContextManager[Engine]:
    """Opens the database and brings its schema up to date. An empty `url` means SQLite in `home`."""
    if not url:
        return open_sqlite(home)
    if is_postgresql(url):
        return open_postgresql(url, breakers)
    raise StoreUnavailable("database_url must begin with postgresql://, or be empty for SQLite in the home")


def look_into_database(url: str, home: Path) -> AbstractAsyncContextManager[Engine]:
    """Opens a database that exists and leaves it as it is, its schema included."""
    if is_postgresql(url):
        return connect_postgresql(url)
    return open_database(url, home) if url else open_attached(home / DATABASE_NAME)


@asynccontextmanager
async def open_sqlite(home: Path) -> AsyncIterator[Engine]:
    path = prepare_home(home)
    try:
        await asyncio.to_thread(enter_wal_mode, path)
    except sqlite3.Error as error:
        raise fault_of(error, str(path)) or error from error
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
            "database_url names PostgreSQL, but its driver is not installed; run: pip install 'sanya[postgres]'"
        ) from error
    database = PostgresqlDatabase(url, breakers or Breakers())
    try:
        await database.open()
        yield database
    finally:
        await database.close()
