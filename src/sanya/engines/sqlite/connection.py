"""Opening SQLite files, always with the same settings."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Literal

from sanya.engines.sqlite.faults import is_busy
from sanya.kernel.database import Value
from sanya.kernel.folding import fold

Mode = Literal["read", "write", "attached"]
"""`read` and `write` are for our own file; `attached` is for somebody else's, which we never change."""

_OPEN_AS = {"read": "rw", "write": "rwc", "attached": "ro"}

_CACHED_STATEMENTS = 512
# A reader has the file mapped into memory, so it copies only what has not reached the file yet.
_CACHE_KIB = {"read": 4 * 1024, "write": 16 * 1024, "attached": 16 * 1024}
_MAPPED_BYTES = 1024 * 1024 * 1024
_WAL_LIMIT_BYTES = 64 * 1024 * 1024
_WAL_WAIT_S = 5.0
_WAL_RETRY_S = 0.01


def _fold(text: Value) -> str | None:
    """The SQL function `fold`: text, or its bytes, as it is compared without regard to case."""
    if text is None:
        return None
    return fold(_readable(text) if isinstance(text, bytes) else str(text))


def _readable(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def connect(path: Path, mode: Mode, *, wait_ms: int) -> sqlite3.Connection:
    """A connection in autocommit mode; transactions are begun and ended by hand. `wait_ms` is how long a statement
    waits for a lock."""
    uri = f"{path.absolute().as_uri()}?mode={_OPEN_AS[mode]}"
    connection = sqlite3.connect(
        uri,
        uri=True,
        timeout=wait_ms / 1000,
        isolation_level=None,
        cached_statements=_CACHED_STATEMENTS,
        # A connection moves between threads, but is used by one at a time.
        check_same_thread=False,
    )
    try:
        _prepare(connection, mode)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, mode: Mode) -> None:
    connection.create_function("fold", 1, _fold, deterministic=True)
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB[mode]}")
    connection.execute("PRAGMA temp_store = MEMORY")
    if mode == "attached":
        # Other programs store text that is not UTF-8; one such row must not hide all the others.
        connection.text_factory = _readable
    if mode != "write":
        connection.execute("PRAGMA query_only = ON")
    if mode == "read":
        # A page that is not in the cache is read without a copy, which saves a third of a random read. Not for a file
        # of somebody else's: who cuts off a mapped file kills its readers.
        connection.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
    if mode == "write":
        _prepare_writer(connection)


def _prepare_writer(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL, not NORMAL: an acknowledged write survives a power cut, not only the end of the process. The price is one
    # fsync a commit, and commits are grouped.
    connection.execute("PRAGMA synchronous = FULL")
    # What is deleted is overwritten: who asks a suite to forget expects the bytes to be gone.
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")


def enter_wal_mode(path: Path) -> None:
    """Makes the file one that is read while it is written. The mode stays with the file."""
    connection = sqlite3.connect(path, timeout=_WAL_WAIT_S, isolation_level=None)
    try:
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            _switch_to_wal(connection)
    finally:
        connection.close()


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    # SQLite does not wait for this lock by itself, so two processes that start at once would collide.
    deadline = time.monotonic() + _WAL_WAIT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(_WAL_RETRY_S)
