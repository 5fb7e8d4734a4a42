"""Opens a SQLite file of another program, read-only."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sanya.engines.snapshot import Engine
from sanya.engines.sqlite.connection import connect
from sanya.engines.sqlite.database import SqliteDatabase
from sanya.engines.sqlite.faults import to_fault
from sanya.kernel.faults import StoreUnavailable

_LOCK_WAIT_MS = 1000


@asynccontextmanager
async def open_external_file(path: Path) -> AsyncIterator[Engine]:
    """Open an existing database. Raise StoreUnavailable if it is missing or cannot be read."""
    await asyncio.to_thread(_check_readable, path)
    database = SqliteDatabase(path, "external")
    try:
        yield database
    finally:
        await database.close()


def _check_readable(path: Path) -> None:
    """Read from the file once: SQLite does not read when it opens a file, so a wrong one would fail at the first
    call."""
    if not path.is_file():
        raise StoreUnavailable(f"there is no database at {path}; check the path")
    try:
        connection = connect(path, "external", wait_ms=_LOCK_WAIT_MS)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise to_fault(error, str(path)) or error from error
