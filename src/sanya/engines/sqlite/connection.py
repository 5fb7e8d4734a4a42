"""Opens SQLite files, always with the same settings."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Literal

from sanya.engines.sqlite.faults import is_busy
from sanya.kernel.folding import fold
from sanya.kernel.storage.database import Value

OpenMode = Literal["read", "write", "external"]
"""`read` and `write` are for our own file; `external` is for a file of another program, which we never change."""

_OPEN_AS = {"read": "rw", "write": "rwc", "external": "ro"}

_CACHED_STATEMENTS = 512
# A reader maps the file into memory, so its cache only holds pages that are still in the WAL.
_CACHE_KIB = {"read": 4 * 1024, "write": 16 * 1024, "external": 16 * 1024}
_MAPPED_BYTES = 1024 * 1024 * 1024
_WAL_LIMIT_BYTES = 64 * 1024 * 1024
_WAL_WAIT_S = 5.0
_WAL_RETRY_S = 0.01


def _fold(text: Value) -> str | None:
    """Fold text for comparison without case. This is the SQL function `fold`."""
    if text is None:
        return None
    return fold(_decode_leniently(text) if isinstance(text, bytes) else str(text))


def _decode_leniently(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def connect(path: Path, mode: OpenMode, *, wait_ms: int) -> sqlite3.Connection:
    """Open a connection in autocommit mode; transactions begin and end explicitly. A statement waits up to `wait_ms`
    for a lock."""
    uri = f"{path.absolute().as_uri()}?mode={_OPEN_AS[mode]}"
    connection = sqlite3.connect(
        uri,
        uri=True,
        timeout=wait_ms / 1000,
        isolation_level=None,
        cached_statements=_CACHED_STATEMENTS,
        # A connection may move between threads, but one at a time uses it.
        check_same_thread=False,
    )
    try:
        _prepare(connection, mode)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, mode: OpenMode) -> None:
    connection.create_function("fold", 1, _fold, deterministic=True)
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB[mode]}")
    connection.execute("PRAGMA temp_store = MEMORY")
    if mode == "external":
        # Other programs store text that is not UTF-8. One such row must not make the others unreadable.
        connection.text_factory = _decode_leniently
    if mode != "write":
        connection.execute("PRAGMA query_only = ON")
    if mode == "read":
        # A mapped page is read without a copy, which saves a third of the time of a random read. Not for an external
        # file: a program that truncates a mapped file kills its readers.
        connection.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
    if mode == "write":
        _prepare_writer(connection)


def _prepare_writer(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL, not NORMAL: an acknowledged write survives a power cut, not only a crash of the process. The price is one
    # fsync for each commit.
    connection.execute("PRAGMA synchronous = FULL")
    # Overwrite deleted content: a caller that asks a suite to forget expects the bytes to be gone.
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")


def enter_wal_mode(path: Path) -> None:
    """Switch the file to WAL mode, in which readers and a writer do not block each other. The mode is stored in it."""
    connection = sqlite3.connect(path, timeout=_WAL_WAIT_S, isolation_level=None)
    try:
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            _switch_to_wal(connection)
    finally:
        connection.close()


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    # SQLite does not wait for this lock, so two processes that start at once would collide without the loop.
    deadline = time.monotonic() + _WAL_WAIT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(_WAL_RETRY_S)
