"""The embedded engine: one SQLite file in WAL mode, one writer, several readers, any number of processes.

Small reads run in place on the event loop, because a hop to a thread costs more than they do. Everything else runs on
threads and is interrupted when its caller goes away.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from sanya.engines.snapshot import Reading
from sanya.engines.sqlite.batches import write_many
from sanya.engines.sqlite.connection import Mode, connect
from sanya.engines.sqlite.connection_thread import ConnectionThread
from sanya.engines.sqlite.faults import attached_fault_of, fault_of, is_busy, is_write_by_reader
from sanya.kernel.database import Row, Statement, Transaction, Value
from sanya.kernel.faults import StoreUnavailable

T = TypeVar("T")

IN_PLACE_ROWS = 100
_READERS = 4
_IN_PLACE_WAIT_MS = 5
_READER_WAIT_MS = 5000
# The writer waits in slices, so that a caller who gives up is let go at the next one.
_WRITER_SLICE_MS = 50
_WRITER_WAIT_S = 10.0


class SqliteDatabase:
    dialect: Literal["sqlite", "postgresql"] = "sqlite"

    def __init__(self, path: Path, read_mode: Mode = "read") -> None:
        self.path = path
        self._read_mode = read_mode
        self._in_place: sqlite3.Connection | None = None
        self._readers = _Readers(path, read_mode)
        self._writer = _Writer(path)
        self._is_closed = False

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        self._check_open()
        try:
            if touches is not None and touches <= IN_PLACE_ROWS:
                try:
                    return self._here().execute(sql, params).fetchall()
                except sqlite3.OperationalError as error:
                    if not is_busy(error):
                        raise
            return await self._readers.fetch(sql, params)
        except sqlite3.Error as error:
            if is_write_by_reader(error):
                raise
            raise self._worded(error) from error

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        self._check_open()
        if self._read_mode == "attached":
            raise StoreUnavailable(f"the database {self.path.name} is attached to be read; it is never written")
        try:
            async with self._writer.transaction() as transaction:
                yield transaction
        except sqlite3.Error as error:
            raise self._worded(error) from error

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Reading]:
        self._check_open()
        thread = ConnectionThread(
            "sanya-snapshot", partial(connect, self.path, self._read_mode, wait_ms=_READER_WAIT_MS)
        )
        try:
            # A transaction that reads stands at the state of its first read.
            await thread.do(lambda: thread.connection.execute("BEGIN"))
            await thread.do(lambda: thread.connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall())
            yield _SqliteSnapshot(thread)
        except sqlite3.Error as error:
            raise self._worded(error) from error
        finally:
            await asyncio.to_thread(thread.close)

    async def close(self) -> None:
        self._is_closed = True
        await self._writer.close()
        self._readers.close()
        if self._in_place is not None:
            self._in_place.close()

    def _here(self) -> sqlite3.Connection:
        if self._in_place is None:
            self._in_place = connect(self.path, self._read_mode, wait_ms=_IN_PLACE_WAIT_MS)
        return self._in_place

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the database is closed, because the server stops")

    def _worded(self, error: sqlite3.Error) -> Exception:
        # The file's name only: a fault may be shown to any caller, and the rest of the path is the owner's affair.
        if self._read_mode == "attached":
            return attached_fault_of(error, self.path.name) or error
        return fault_of(error, self.path.name) or error


class _Readers:
    """A few connections, each on its thread, made when they are first needed and used by one fetch at a time."""

    def __init__(self, path: Path, mode: Mode) -> None:
        self._connect = partial(connect, path, mode, wait_ms=_READER_WAIT_MS)
        self._turns = asyncio.Semaphore(_READERS)
        self._idle: list[ConnectionThread] = []

    async def fetch(self, sql: str, params: Sequence[Value]) -> list[Row]:
        async with self._turns:
            thread = self._idle.pop() if self._idle else ConnectionThread("sanya-read", self._connect)
            try:
                return await thread.do(lambda: thread.connection.execute(sql, params).fetchall())
            finally:
                self._idle.append(thread)

    def close(self) -> None:
        for thread in self._idle:
            thread.close()
        self._idle.clear()


class _Writer:
    """The one connection that writes. Transactions take turns in the order they came."""

    def __init__(self, path: Path) -> None:
        self._connect = partial(connect, path, "write", wait_ms=_WRITER_SLICE_MS)
        self._turn = asyncio.Lock()
        self._thread: ConnectionThread | None = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        async with self._turn:
            if self._thread is None:
                self._thread = ConnectionThread("sanya-write", self._connect)
            transaction = _SqliteTransaction(self._thread)
            try:
                yield transaction
                await transaction.commit()
            except BaseException:
                await transaction.roll_back()
                raise

    async def close(self) -> None:
        async with self._turn:
            if self._thread is not None:
                self._thread.close()
                self._thread = None


class _SqliteSnapshot:
    def __init__(self, thread: ConnectionThread) -> None:
        self._thread = thread

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await self._thread.do(lambda: self._thread.connection.execute(sql, params).fetchall())


class _SqliteTransaction:
    """Begins together with its first statement, which saves a hop to the thread."""

    def __init__(self, thread: ConnectionThread) -> None:
        self._thread = thread
        self._has_begun = False
        self._is_over = False
        self._afterwards: list[Callable[[], None]] = []

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await self._do(lambda: self._thread.connection.execute(sql, params).fetchall())

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        return await self._do(lambda: max(self._thread.connection.execute(sql, params).rowcount, 0))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        await self._do(lambda: write_many(self._thread.connection, sql, rows))

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        return await self._do(lambda: [self._thread.connection.execute(*one).fetchall() for one in statements])

    def after_commit(self, act: Callable[[], None]) -> None:
        self._afterwards.append(act)

    async def commit(self) -> None:
        if await self._end("COMMIT"):
            for act in self._afterwards:
                act()

    async def roll_back(self) -> None:
        await self._end("ROLLBACK")

    async def _do(self, work: Callable[[], T]) -> T:
        if self._is_over:
            raise RuntimeError("this transaction has ended; statements belong inside its block")
        if self._has_begun:
            return await self._thread.do(work)
        return await self._begin_with(work)

    async def _begin_with(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _WRITER_WAIT_S
        while True:
            try:
                return await self._thread.do(partial(self._begin_and, work))
            except sqlite3.OperationalError as error:
                if self._has_begun or not is_busy(error) or loop.time() > deadline:
                    raise

    def _begin_and(self, work: Callable[[], T]) -> T:
        self._thread.connection.execute("BEGIN IMMEDIATE")
        self._has_begun = True
        return work()

    async def _end(self, command: str) -> bool:
        """Whether there was something to end."""
        self._is_over = True
        return self._has_begun and await self._thread.do_whole(partial(self._run_last, command))

    def _run_last(self, command: str) -> bool:
        # A statement that failed or was interrupted may have rolled back by itself.
        is_under_way = self._thread.connection.in_transaction
        if is_under_way:
            self._thread.connection.execute(command)
        return is_under_way
