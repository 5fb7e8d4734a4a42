"""Opens the SQLite file of a home, creating it where there is none."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sanya.engines.home import prepare_home
from sanya.engines.snapshot import Engine
from sanya.engines.sqlite.connection import enter_wal_mode
from sanya.engines.sqlite.database import SqliteDatabase
from sanya.engines.sqlite.faults import to_fault


@asynccontextmanager
async def open_home_file(home: Path) -> AsyncIterator[Engine]:
    """Open the database file with whatever schema it has."""
    path = prepare_home(home)
    try:
        await asyncio.to_thread(enter_wal_mode, path)
    except sqlite3.Error as error:
        raise to_fault(error, str(path)) or error from error
    database = SqliteDatabase(path)
    try:
        yield database
    finally:
        await database.close()
