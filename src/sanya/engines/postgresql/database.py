"""The PostgreSQL engine, on a pool of connections that repairs itself.

Reads run in read-only mode, each in its own transaction; transactions are READ COMMITTED. A transaction that decides by
what it read must first change that row (`UPDATE … RETURNING`): the change locks it, on both engines.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Literal, TypeVar

from psycopg import AsyncConnection, AsyncTransaction, Error, InterfaceError, OperationalError
from psycopg.errors import InFailedSqlTransaction
from psycopg.pq import TransactionStatus
from psycopg_pool import PoolClosed, PoolTimeout

from sanya.engines.postgresql.connection import READ_S, ROLLBACK_S, WRITE_S, BoundedConnection, build_connection_options
from sanya.engines.postgresql.faults import CommitLost, build_circuit_open_fault, build_opening_fault, to_fault
from sanya.engines.postgresql.pool import Pool
from sanya.engines.postgresql.row_batches import join_rows, list_left_over, widen_insert
from sanya.engines.postgresql.statements import adapt_values, number_placeholders
from sanya.engines.snapshot import PoolFigures, SqlReader
from sanya.kernel.breaker import Attempt, Breakers
from sanya.kernel.spans import open_statement_span
from sanya.kernel.storage.database import Row, Statement, Transaction, Value

# SQLSTATEs of a lost connection: none at all if the network broke, else a shutdown, a crash or a start of the server.
_LOST = (None, "57P01", "57P02", "57P03")

ReadT = TypeVar("ReadT")
_Block = AbstractAsyncContextManager[AsyncTransaction]


class PostgresqlDatabase:
    dialect: Literal["sqlite", "postgresql"] = "postgresql"

    def __init__(self, url: str, breakers: Breakers) -> None:
        self._url = url
        self._breaker = breakers.get("PostgreSQL", build_circuit_open_fault)
        self._pool = Pool(url)
        self._breaker.on_open = self._pool.restart

    async def open(self) -> None:
        try:
            # Open the first connection directly: its error says more than the pool's.
            await (await AsyncConnection.connect(self._url, **build_connection_options())).close()
            await self._pool.open()
        except Error as error:
            raise build_opening_fault(error) from error

    async def close(self) -> None:
        await self._pool.close()

    def read_pool(self) -> PoolFigures:
        return self._pool.read_figures()

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        del touches  # every read is a round trip anyway
        return await self._read(lambda connection: _fetch(connection, sql, params))

    async def fetch_binary(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Fetch in binary form, where bytes take half the space. It suits integers, texts and bytes: other types would
        give other values than SQLite."""
        return await self._read(lambda connection: _fetch(connection, sql, params, binary=True))

    async def _read(self, operation: Callable[[BoundedConnection], Awaitable[ReadT]]) -> ReadT:
        with self._breaker.admit() as attempt:
            try:
                try:
                    return await self._read_once(operation, attempt)
                except Error as error:
                    if not _is_lost(error):
                        raise
                # The connection died while it was idle, as after a restart of the server. A read may be repeated.
                return await self._read_once(operation, attempt)
            except Error as error:
                raise _translate_error(error, attempt) from error

    async def _read_once(self, operation: Callable[[BoundedConnection], Awaitable[ReadT]], attempt: Attempt) -> ReadT:
        async with self._connection(attempt) as connection:
            read = await operation(connection)
            attempt.report_success()
            return read

    @asynccontextmanager
    async def autocommit_connection(self) -> AsyncIterator[Transaction]:
        """Open a separate connection on which each statement commits by itself, for long work in the background. Its
        settings end with it."""
        with self._breaker.admit() as attempt:
            try:
                async with await BoundedConnection.connect(self._url, **build_connection_options()) as connection:
                    attempt.report_success()
                    adapt_values(connection.adapters)
                    connection.statement_s = WRITE_S
                    yield _PostgresqlTransaction(connection)
            except Error as error:
                raise _translate_error(error, attempt) from error

    @asynccontextmanager
    async def _connection(self, attempt: Attempt) -> AsyncIterator[BoundedConnection]:
        async with self._pool.connection(attempt) as connection:
            try:
                yield connection
            except Error as error:
                if _is_lost(error):
                    await self._pool.discard_lost(connection)
                raise

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        async with self._block() as connection:
            transaction = _PostgresqlTransaction(connection)
            try:
                yield transaction
            finally:
                transaction.is_over = True
        for callback in transaction.callbacks:
            callback()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[SqlReader]:
        async with self._block() as connection:
            await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # The snapshot is taken by the first statement that reads.
            await connection.execute("SELECT 1")
            yield _PostgresqlTransaction(connection)

    @asynccontextmanager
    async def _block(self) -> AsyncIterator[BoundedConnection]:
        with self._breaker.admit() as attempt:
            try:
                async with self._open_block(attempt) as (connection, block):
                    attempt.report_success()
                    connection.statement_s = WRITE_S
                    try:
                        yield connection
                    except BaseException as error:
                        await _roll_back(block, error)
                        raise
                    finally:
                        connection.statement_s = READ_S
                    await _commit(connection, block)
            except Error as error:
                raise _translate_error(error, attempt) from error

    @asynccontextmanager
    async def _open_block(self, attempt: Attempt) -> AsyncIterator[tuple[BoundedConnection, _Block]]:
        """Begin a transaction. A connection that died while idle fails here, before anything was done, so begin again
        on another one."""
        for is_last in (False, True):
            async with self._connection(attempt) as connection:
                block = connection.transaction()
                try:
                    await block.__aenter__()
                except Error as error:
                    if is_last or not _is_lost(error):
                        raise
                    await self._pool.discard_lost(connection)
                    continue
                yield connection, block
                return


class _PostgresqlTransaction:
    def __init__(self, connection: BoundedConnection) -> None:
        self._connection = connection
        self.is_over = False
        self.callbacks: list[Callable[[], None]] = []

    @property
    def _open_connection(self) -> BoundedConnection:
        if self.is_over:
            raise RuntimeError("this transaction has ended; run statements inside its block")
        return self._connection

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await _fetch(self._open_connection, sql, params)

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        with open_statement_span("postgresql", sql):
            cursor = await self._open_connection.execute(number_placeholders(sql), params)
            return max(cursor.rowcount, 0)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        with open_statement_span("postgresql", sql):
            await self._write_many(sql, rows)

    async def _write_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        connection = self._open_connection
        left: Iterable[Sequence[Value]] = rows
        if (widened := widen_insert(sql)) is not None:
            rows = list(rows)
            for values in join_rows(rows):
                await connection.execute(number_placeholders(widened), values)
            left = list_left_over(rows)
        async with connection.cursor() as cursor:
            await cursor.executemany(number_placeholders(sql), left)

    async def copy_in(self, sql: str, data: bytes) -> None:
        """Run COPY … FROM STDIN, for tables that only PostgreSQL has."""
        async with self._open_connection.cursor() as cursor, cursor.copy(sql) as copy:
            await copy.write(data)

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        connection = self._open_connection
        with open_statement_span("postgresql", statements[0][0] if statements else "PIPELINE"):
            async with connection.pipeline():
                cursors = [await connection.execute(number_placeholders(sql), params) for sql, params in statements]
            return [await cursor.fetchall() if cursor.description else [] for cursor in cursors]

    def on_commit(self, callback: Callable[[], None]) -> None:
        self.callbacks.append(callback)


async def _fetch(
    connection: BoundedConnection, sql: str, params: Sequence[Value], *, binary: bool = False
) -> list[Row]:
    with open_statement_span("postgresql", sql):
        cursor = await connection.execute(number_placeholders(sql), params, binary=binary)
        return await cursor.fetchall()


async def _roll_back(block: _Block, error: BaseException) -> None:
    """Roll back, but wait only briefly: the pool closes a connection that is still in a transaction, which undoes it
    too."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ROLLBACK_S):
            await block.__aexit__(type(error), error, error.__traceback__)


async def _commit(connection: BoundedConnection, block: _Block) -> None:
    """Commit. Cancellation waits a while for the end, so that the outcome is known. If the connection breaks during the
    commit, the outcome is unknown and CommitLost is raised."""
    if connection.info.transaction_status == TransactionStatus.INERROR:
        raise InFailedSqlTransaction("a statement of this transaction failed, and its error was ignored")
    if connection.closed:
        raise OperationalError("the connection was lost")
    committing = asyncio.create_task(block.__aexit__(None, None, None), name="commit")
    try:
        await asyncio.shield(committing)
    except asyncio.CancelledError:
        _, unfinished = await asyncio.wait([committing], timeout=ROLLBACK_S)
        for task in unfinished:
            task.cancel()
        await asyncio.gather(committing, return_exceptions=True)
        raise
    except Error as error:
        if _is_lost(error) or connection.is_cut:
            raise CommitLost from error
        raise


def _is_lost(error: Error) -> bool:
    """Return whether the connection is lost, rather than a statement refused."""
    return (
        not isinstance(error, PoolTimeout | PoolClosed)
        and isinstance(error, OperationalError | InterfaceError)
        and error.sqlstate in _LOST
    )


def _translate_error(error: Error, attempt: Attempt) -> Exception:
    """Translate the error into a fault, and report a failure of the server to the circuit breaker."""
    if isinstance(error, PoolTimeout | PoolClosed) or _is_lost(error):
        attempt.report_failure()
    return to_fault(error) or error
