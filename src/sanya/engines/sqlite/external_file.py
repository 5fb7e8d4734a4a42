"""Somebody else's SQLite file, opened to be read and never changed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sanya.engines.snapshot import Engine
from sanya.engines.sqlite.connection import connect
from sanya.engines.sqlite.database import SqliteDatabase
from sanya.engines.sqlite.faults import fault_of
from sanya.kernel.faults import StoreUnavailable

_OPEN_WAIT_MS = 1000


@asynccontextmanager
async def open_attached(path: Path) -> AsyncIterator[Engine]:
    """Opens an existing database. Raises StoreUnavailable where there is none that can be read."""
    await asyncio.to_thread(_look_inside, path)
    database = SqliteDatabase(path, "attached")
    try:
        yield database
    finally:
        await database.close()


def _look_inside(path: Path) -> None:
    """SQLite reads nothing when it opens a file, so a wrong one would be noticed only at the first call."""
    if not path.is_file():
        raise StoreUnavailable(f"there is no database at {path}; check the path")
    try:
        connection = connect(path, "attached", wait_ms=_OPEN_WAIT_MS)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise fault_of(error, str(path)) or error from error
