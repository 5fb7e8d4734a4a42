"""The embedded engine: one SQLite file in WAL mode, one writer, several readers, any number of processes.

Small reads run in place on the event loop, because a hop to a thread costs more than they do. Everything else runs on
threads and is interrupted when its caller goes away.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, TypeVar

from sanya.engines.sqlite_connection import Mode, connect
from sanya.engines.sqlite_faults import fault_of, is_busy
from sanya.kernel.database import Row, Transaction, Value
from sanya.kernel.faults import StoreUnavailable

T = TypeVar("T")

IN_PLACE_ROWS = 100
_READERS = 4
_IN_PLACE_WAIT_MS = 5
_READER_WAIT_MS = 5000
# The writer waits in slices, so that a caller who gives up is let go at the next one.
_WRITER_SLICE_MS = 50
_WRITER_WAIT_S = 10.0
_INTERRUPT_EVERY_S = 0.01


class SqliteDatabase:
    dialect: Literal["sqlite", "postgresql"] = "sqlite"

    def __init__(self, path: Path, read_mode: Mode = "read") -> None:
        self.path = path
        self._read_mode = read_mode
        self._readers = _Readers(path, read_mode)
        self._writer = _Writer(path)
        self._in_place: sqlite3.Connection | None = None

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        try:
            if touches is not None and touches <= IN_PLACE_ROWS:
                try:
                    return self._here().execute(sql, params).fetchall()
                except sqlite3.OperationalError as error:
                    if not is_busy(error):
                        raise
            return await self._readers.fetch(sql, params)
        except sqlite3.Error as error:
            raise self._worded(error) from error

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        if self._read_mode == "attached":
            raise StoreUnavailable(f"the database {self.path} is attached to be read; it is never written")
        try:
            async with self._writer.transaction() as transaction:
                yield transaction
        except sqlite3.Error as error:
            raise self._worded(error) from error

    async def close(self) -> None:
        await self._writer.close()
        await self._readers.close()
        if self._in_place is not None:
            self._in_place.close()

    def _here(self) -> sqlite3.Connection:
        if self._in_place is None:
            self._in_place = connect(self.path, self._read_mode, wait_ms=_IN_PLACE_WAIT_MS)
        return self._in_place

    def _worded(self, error: sqlite3.Error) -> Exception:
        return fault_of(error, str(self.path)) or error


class _Readers:
    """A few connections, opened when they are first needed, each used by one fetch at a time."""

    def __init__(self, path: Path, mode: Mode) -> None:
        self._path = path
        self._mode: Mode = mode
        self._threads = ThreadPoolExecutor(_READERS, thread_name_prefix="sanya-read")
        self._turns = asyncio.Semaphore(_READERS)
        self._idle: list[sqlite3.Connection] = []

    async def fetch(self, sql: str, params: Sequence[Value]) -> list[Row]:
        async with self._turns:
            connection = self._idle.pop() if self._idle else await self._open()
            try:
                return await _interruptible(
                    self._threads, connection, lambda: connection.execute(sql, params).fetchall()
                )
            finally:
                self._idle.append(connection)

    async def _open(self) -> sqlite3.Connection:
        return connect(self._path, self._mode, wait_ms=_READER_WAIT_MS)

    async def close(self) -> None:
        self._threads.shutdown()
        for connection in self._idle:
            connection.close()


class _Writer:
    """The one connection that writes, on a thread of its own. Transactions take turns in the order they came."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sanya-write")
        self._turn = asyncio.Lock()
        self._connection: sqlite3.Connection | None = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        async with self._turn:
            connection = await self._opened()
            await self._begin(connection)
            transaction = _SqliteTransaction(connection, self._thread)
            try:
                yield transaction
                await _to_its_end(self._thread, lambda: connection.execute("COMMIT"))
            except BaseException:
                await _to_its_end(self._thread, lambda: _roll_back(connection))
                raise
            finally:
                transaction.is_open = False

    async def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = await _to_its_end(
                self._thread, lambda: connect(self._path, "write", wait_ms=_WRITER_SLICE_MS)
            )
        return self._connection

    async def _begin(self, connection: sqlite3.Connection) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _WRITER_WAIT_S
        while True:
            try:
                await _to_its_end(self._thread, lambda: connection.execute("BEGIN IMMEDIATE"))
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or loop.time() > deadline:
                    raise

    async def close(self) -> None:
        async with self._turn:
            if self._connection is not None:
                await _to_its_end(self._thread, self._connection.close)
                self._connection = None
            self._thread.shutdown()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._thread = thread
        self.is_open = True

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await self._run(lambda: self._connection.execute(sql, params).fetchall())

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        return await self._run(lambda: max(self._connection.execute(sql, params).rowcount, 0))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        await self._run(lambda: self._connection.executemany(sql, rows))

    async def _run(self, work: Callable[[], T]) -> T:
        if not self.is_open:
            raise RuntimeError("this transaction has ended; statements belong inside its block")
        return await _interruptible(self._thread, self._connection, work)


def _roll_back(connection: sqlite3.Connection) -> None:
    # A failed or interrupted statement may have rolled back by itself.
    if connection.in_transaction:
        connection.execute("ROLLBACK")


async def _interruptible(threads: ThreadPoolExecutor, connection: sqlite3.Connection, work: Callable[[], T]) -> T:
    """Runs on a thread. Cancellation stops the statement and waits until the connection is free again."""
    future = asyncio.get_running_loop().run_in_executor(threads, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        # Once is not enough: an interrupt that comes before the statement has begun is lost.
        while not future.done():
            connection.interrupt()
            await _settled(future, _INTERRUPT_EVERY_S)
        raise


async def _to_its_end(thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """Runs on a thread and waits for the end even when cancelled: a commit is never left in doubt."""
    future = asyncio.get_running_loop().run_in_executor(thread, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            await _settled(future, None)
        raise


async def _settled(future: asyncio.Future[T], timeout_s: float | None) -> None:
    """Waits for the future, deaf to further cancellation, and takes note of its error so that nobody else must."""
    try:
        await asyncio.wait([future], timeout=timeout_s)
    except asyncio.CancelledError:
        return
    if future.done():
        future.exception()
