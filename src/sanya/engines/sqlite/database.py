"""The SQLite engine: one file in WAL mode, one writer, several readers, any number of processes.

Small reads run in place on the event loop, because a hop to a thread costs more than they do. Everything else runs on
threads and is interrupted when its caller is cancelled.

SQLite lets one connection write at a time. In this process that is one connection on one thread; transactions queue for
it in the order in which they came. Between processes SQLite's file lock decides, and BEGIN IMMEDIATE takes it before
the first statement, so that a transaction never has to upgrade a read lock, which could fail. Three kinds of batching
keep the single writer fast. A transaction begins together with its first statement, in one hop to the thread. Many
statements (`run_all`) and many rows (`execute_many`, see `batches.py`) take one hop as well. And a commit costs one
fsync however much it contains, so frequent writers collect rows into one transaction, as the ledger does.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from sanya.engines.snapshot import PoolFigures, SqlReader
from sanya.engines.sqlite.batches import write_many
from sanya.engines.sqlite.connection import OpenMode, connect
from sanya.engines.sqlite.connection_thread import ConnectionThread
from sanya.engines.sqlite.faults import is_busy, is_write_by_reader, to_external_fault, to_fault
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.spans import open_span, open_statement_span
from sanya.kernel.storage.database import Row, Statement, Transaction, Value

T = TypeVar("T")

IN_PLACE_ROWS = 100
_MAX_READERS = 4
_IN_PLACE_WAIT_MS = 5
_READER_WAIT_MS = 5000
# The writer waits for the file lock in slices, so that a cancelled caller is released after the current one.
_WRITER_SLICE_MS = 50
_WRITER_WAIT_S = 10.0
_TRANSACTION = {"db.system.name": "sqlite", "db.operation.name": "TRANSACTION"}


class SqliteDatabase:
    dialect: Literal["sqlite", "postgresql"] = "sqlite"

    def __init__(self, path: Path, read_mode: OpenMode = "read") -> None:
        self.path = path
        self._read_mode = read_mode
        self._in_place: sqlite3.Connection | None = None
        self._readers = _Readers(path, read_mode)
        self._writer = _Writer(path)
        self._is_closed = False

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        self._check_open()
        with open_statement_span(self.dialect, sql):
            return await self._fetch(sql, params, touches)

    async def _fetch(self, sql: str, params: Sequence[Value], touches: int | None) -> list[Row]:
        try:
            if touches is not None and touches <= IN_PLACE_ROWS:
                try:
                    return self._get_in_place_connection().execute(sql, params).fetchall()
                except sqlite3.OperationalError as error:
                    if not is_busy(error):
                        raise
            return await self._readers.fetch(sql, params)
        except sqlite3.Error as error:
            if is_write_by_reader(error):
                raise
            raise self._translate_error(error) from error

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        self._check_open()
        if self._read_mode == "external":
            raise StoreUnavailable(f"the database {self.path.name} belongs to another program and is opened read-only")
        try:
            with open_span("transaction", _TRANSACTION):
                async with self._writer.transaction() as transaction:
                    yield transaction
        except sqlite3.Error as error:
            raise self._translate_error(error) from error

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[SqlReader]:
        self._check_open()
        thread = ConnectionThread(
            "sanya-snapshot", partial(connect, self.path, self._read_mode, wait_ms=_READER_WAIT_MS)
        )
        try:
            # A read transaction sees the state of its first read.
            await thread.run(lambda: thread.connection.execute("BEGIN"))
            await thread.run(lambda: thread.connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall())
            yield _SqliteSnapshot(thread)
        except sqlite3.Error as error:
            raise self._translate_error(error) from error
        finally:
            await asyncio.to_thread(thread.close)

    def read_pool(self) -> PoolFigures:
        """Return the figures of the readers and of the one writer."""
        readers, writer = self._readers.read_figures(), self._writer.read_figures()
        return PoolFigures(readers.open + writer.open, readers.limit + writer.limit, readers.waiting + writer.waiting)

    async def close(self) -> None:
        self._is_closed = True
        await self._writer.close()
        self._readers.close()
        if self._in_place is not None:
            self._in_place.close()

    def _get_in_place_connection(self) -> sqlite3.Connection:
        if self._in_place is None:
            self._in_place = connect(self.path, self._read_mode, wait_ms=_IN_PLACE_WAIT_MS)
        return self._in_place

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the database is closed because the server stops; call again after it has started")

    def _translate_error(self, error: sqlite3.Error) -> Exception:
        # Only the file's name: any caller may see a fault, and the path is private to the owner.
        if self._read_mode == "external":
            return to_external_fault(error, self.path.name) or error
        return to_fault(error, self.path.name) or error


class _Readers:
    """A few connections, each on its own thread, created when first needed and used by one fetch at a time."""

    def __init__(self, path: Path, mode: OpenMode) -> None:
        self._connect = partial(connect, path, mode, wait_ms=_READER_WAIT_MS)
        self._slots = asyncio.Semaphore(_MAX_READERS)
        self._idle: list[ConnectionThread] = []
        self._in_use = 0
        self._asked = 0

    async def fetch(self, sql: str, params: Sequence[Value]) -> list[Row]:
        self._asked += 1
        try:
            async with self._slots:
                return await self._fetch(sql, params)
        finally:
            self._asked -= 1

    async def _fetch(self, sql: str, params: Sequence[Value]) -> list[Row]:
        thread = self._idle.pop() if self._idle else ConnectionThread("sanya-read", self._connect)
        self._in_use += 1
        try:
            return await thread.run(lambda: thread.connection.execute(sql, params).fetchall())
        finally:
            self._in_use -= 1
            self._idle.append(thread)

    def read_figures(self) -> PoolFigures:
        return PoolFigures(len(self._idle) + self._in_use, _MAX_READERS, self._asked - self._in_use)

    def close(self) -> None:
        for thread in self._idle:
            thread.close()
        self._idle.clear()


class _Writer:
    """The one connection that writes. Transactions run one after another, in the order in which they came."""

    def __init__(self, path: Path) -> None:
        self._connect = partial(connect, path, "write", wait_ms=_WRITER_SLICE_MS)
        self._lock = asyncio.Lock()
        self._thread: ConnectionThread | None = None
        self._waiting = 0

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        async with self._wait_for_turn():
            if self._thread is None:
                self._thread = ConnectionThread("sanya-write", self._connect)
            transaction = _SqliteTransaction(self._thread)
            try:
                yield transaction
                await transaction.commit()
            except BaseException:
                await transaction.roll_back()
                raise

    @asynccontextmanager
    async def _wait_for_turn(self) -> AsyncIterator[None]:
        self._waiting += 1
        try:
            await self._lock.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._lock.release()

    def read_figures(self) -> PoolFigures:
        return PoolFigures(int(self._thread is not None), 1, self._waiting)

    async def close(self) -> None:
        async with self._lock:
            if self._thread is not None:
                self._thread.close()
                self._thread = None


class _SqliteSnapshot:
    def __init__(self, thread: ConnectionThread) -> None:
        self._thread = thread

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await self._thread.run(lambda: self._thread.connection.execute(sql, params).fetchall())


class _SqliteTransaction:
    """A transaction that begins together with its first statement, which saves a hop to the thread."""

    def __init__(self, thread: ConnectionThread) -> None:
        self._thread = thread
        self._has_begun = False
        self._is_over = False
        self._callbacks: list[Callable[[], None]] = []

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await self._do(lambda: self._thread.connection.execute(sql, params).fetchall())

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        return await self._do(lambda: max(self._thread.connection.execute(sql, params).rowcount, 0))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        await self._do(lambda: write_many(self._thread.connection, sql, rows))

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        return await self._do(
            lambda: [self._thread.connection.execute(*statement).fetchall() for statement in statements]
        )

    def on_commit(self, callback: Callable[[], None]) -> None:
        self._callbacks.append(callback)

    async def commit(self) -> None:
        if await self._end("COMMIT"):
            for callback in self._callbacks:
                callback()

    async def roll_back(self) -> None:
        await self._end("ROLLBACK")

    async def _do(self, work: Callable[[], T]) -> T:
        if self._is_over:
            raise RuntimeError("this transaction has ended; run statements inside its block")
        if self._has_begun:
            return await self._thread.run(work)
        return await self._begin_with(work)

    async def _begin_with(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _WRITER_WAIT_S
        while True:
            try:
                return await self._thread.run(partial(self._begin_and, work))
            except sqlite3.OperationalError as error:
                if self._has_begun or not is_busy(error) or loop.time() > deadline:
                    raise

    def _begin_and(self, work: Callable[[], T]) -> T:
        self._thread.connection.execute("BEGIN IMMEDIATE")
        self._has_begun = True
        return work()

    async def _end(self, command: str) -> bool:
        """End the transaction. Return whether there was one."""
        self._is_over = True
        return self._has_begun and await self._thread.run_to_end(partial(self._run_last, command))

    def _run_last(self, command: str) -> bool:
        # SQLite may have rolled back by itself after a statement that failed or was interrupted.
        is_under_way = self._thread.connection.in_transaction
        if is_under_way:
            self._thread.connection.execute(command)
        return is_under_way
