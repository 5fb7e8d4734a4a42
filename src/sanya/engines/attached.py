"""Somebody else's SQLite file, opened to be read and never changed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from sanya.engines.sqlite import SqliteDatabase
from sanya.engines.sqlite_connection import connect
from sanya.engines.sqlite_faults import fault_of
from sanya.kernel.database import Database
from sanya.kernel.faults import StoreUnavailable

_OPEN_WAIT_MS = 1000


@asynccontextmanager
async def open_attached(path: Path, tables: Iterable[str] = ()) -> AsyncIterator[Database]:
    """Opens an existing database. Raises StoreUnavailable where there is none, or where one of `tables` is missing."""
    try:
        found = await asyncio.to_thread(_tables_of, path)
    except sqlite3.Error as error:
        raise fault_of(error, str(path)) or error from error
    missing = sorted(set(tables) - found)
    if missing:
        raise StoreUnavailable(
            f"the database {path} has no table {', '.join(missing)}; check that it is the right file"
        )
    database = SqliteDatabase(path, "attached")
    try:
        yield database
    finally:
        await database.close()


def _tables_of(path: Path) -> set[str]:
    if not path.is_file():
        raise StoreUnavailable(f"there is no database at {path}; check the path")
    connection = connect(path, "attached", wait_ms=_OPEN_WAIT_MS)
    try:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    finally:
        connection.close()
    return {name for (name,) in rows}
