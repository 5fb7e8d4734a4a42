"""The engine to grow into: PostgreSQL, through a pool of connections that mends itself.

Reads run in read-only mode, each on its own; transactions are READ COMMITTED. A transaction that decides by what it
read must change that row first (`UPDATE … RETURNING`): the change locks it, on both engines.
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

from sanya.engines.postgresql.connection import PARTING_S, READ_S, WRITE_S, BoundedConnection, connection_options
from sanya.engines.postgresql.faults import CommitLost, fault_of, left_alone, opening_fault
from sanya.engines.postgresql.pool import Pool
from sanya.engines.postgresql.statements import adapt_values, numbered
from sanya.engines.snapshot import Reading
from sanya.kernel.breaker import Attempt, Breakers
from sanya.kernel.database import Row, Statement, Transaction, Value

# No code at all means that the wire broke; the others are the server's own end: shutdown, crash, start.
_LOST = (None, "57P01", "57P02", "57P03")

Read = TypeVar("Read")
_Block = AbstractAsyncContextManager[AsyncTransaction]


class PostgresqlDatabase:
    dialect: Literal["sqlite", "postgresql"] = "postgresql"

    def __init__(self, url: str, breakers: Breakers) -> None:
        self._url = url
        self._breaker = breakers.of("PostgreSQL", left_alone)
        self._pool = Pool(url)
        self._breaker.on_open = self._pool.start_anew

    async def open(self) -> None:
        try:
            # The first connection by hand, since its error says more than the pool's.
            await (await AsyncConnection.connect(self._url, **connection_options())).close()
            await self._pool.open()
        except Error as error:
            raise opening_fault(error) from error

    async def close(self) -> None:
        await self._pool.close()

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        del touches  # every read crosses the wire anyway
        return await self._read(lambda connection: _fetch(connection, sql, params))

    async def fetch_binary(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Reads in the binary form, where bytes take half the room. It is for whole numbers, texts and bytes: of other
        kinds the values would not be those of SQLite."""
        return await self._read(lambda connection: _fetch(connection, sql, params, binary=True))

    async def _read(self, reading: Callable[[BoundedConnection], Awaitable[Read]]) -> Read:
        with self._breaker.admit() as attempt:
            try:
                try:
                    return await self._read_once(reading, attempt)
                except Error as error:
                    if not _is_lost(error):
                        raise
                # The connection had died while it was idle, as after a restart of the server. A read may be repeated.
                return await self._read_once(reading, attempt)
            except Error as error:
                raise _told(error, attempt) from error

    async def _read_once(self, reading: Callable[[BoundedConnection], Awaitable[Read]], attempt: Attempt) -> Read:
        async with self._connection(attempt) as connection:
            read = await reading(connection)
            attempt.succeeded()
            return read

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[Transaction]:
        """A connection of its own, where each statement stands alone, outside of any transaction: for work of minutes
        that nobody shall wait for. What is set there ends with it."""
        with self._breaker.admit() as attempt:
            try:
                async with await BoundedConnection.connect(self._url, **connection_options()) as connection:
                    attempt.succeeded()
                    adapt_values(connection.adapters)
                    connection.statement_s = WRITE_S
                    yield _PostgresqlTransaction(connection)
            except Error as error:
                raise _told(error, attempt) from error

    @asynccontextmanager
    async def _connection(self, attempt: Attempt) -> AsyncIterator[BoundedConnection]:
        async with self._pool.connection(attempt) as connection:
            try:
                yield connection
            except Error as error:
                if _is_lost(error):
                    await self._pool.lost(connection)
                raise

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        async with self._block() as connection:
            transaction = _PostgresqlTransaction(connection)
            try:
                yield transaction
            finally:
                transaction.is_over = True
        for act in transaction.afterwards:
            act()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Reading]:
        async with self._block() as connection:
            await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # The state is that of the first statement which reads.
            await connection.execute("SELECT 1")
            yield _PostgresqlTransaction(connection)

    @asynccontextmanager
    async def _block(self) -> AsyncIterator[BoundedConnection]:
        with self._breaker.admit() as attempt:
            try:
                async with self._begun(attempt) as (connection, block):
                    attempt.succeeded()
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
                raise _told(error, attempt) from error

    @asynccontextmanager
    async def _begun(self, attempt: Attempt) -> AsyncIterator[tuple[BoundedConnection, _Block]]:
        """A connection that had died while it was idle is noticed by its first statement, when nothing is done yet."""
        for is_last in (False, True):
            async with self._connection(attempt) as connection:
                block = connection.transaction()
                try:
                    await block.__aenter__()
                except Error as error:
                    if is_last or not _is_lost(error):
                        raise
                    await self._pool.lost(connection)
                    continue
                yield connection, block
                return


class _PostgresqlTransaction:
    def __init__(self, connection: BoundedConnection) -> None:
        self._connection = connection
        self.is_over = False
        self.afterwards: list[Callable[[], None]] = []

    @property
    def _open_connection(self) -> BoundedConnection:
        if self.is_over:
            raise RuntimeError("this transaction has ended; statements belong inside its block")
        return self._connection

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await _fetch(self._open_connection, sql, params)

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        cursor = await self._open_connection.execute(numbered(sql), params)
        return max(cursor.rowcount, 0)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        async with self._open_connection.cursor() as cursor:
            await cursor.executemany(numbered(sql), rows)

    async def copy_in(self, sql: str, data: bytes) -> None:
        """Runs a COPY … FROM STDIN, for an engine's own tables that only this database has."""
        async with self._open_connection.cursor() as cursor, cursor.copy(sql) as copy:
            await copy.write(data)

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        connection = self._open_connection
        async with connection.pipeline():
            cursors = [await connection.execute(numbered(sql), params) for sql, params in statements]
        return [await cursor.fetchall() if cursor.description else [] for cursor in cursors]

    def after_commit(self, act: Callable[[], None]) -> None:
        self.afterwards.append(act)


async def _fetch(
    connection: BoundedConnection, sql: str, params: Sequence[Value], *, binary: bool = False
) -> list[Row]:
    cursor = await connection.execute(numbered(sql), params, binary=binary)
    return await cursor.fetchall()


async def _roll_back(block: _Block, error: BaseException) -> None:
    """Soon, or not at all: a connection that is given back in the midst of something is ended, which undoes it too."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PARTING_S):
            await block.__aexit__(type(error), error, error.__traceback__)


async def _commit(connection: BoundedConnection, block: _Block) -> None:
    """Cancellation waits for the end of a commit, for a while: it is better known than not. Where the wire breaks in
    its midst, nobody here can know."""
    if connection.info.transaction_status == TransactionStatus.INERROR:
        raise InFailedSqlTransaction("a statement of this transaction failed, and that was passed over")
    if connection.closed:
        raise OperationalError("the connection is gone")
    committing = asyncio.create_task(block.__aexit__(None, None, None), name="commit")
    try:
        await asyncio.shield(committing)
    except asyncio.CancelledError:
        _, unfinished = await asyncio.wait([committing], timeout=PARTING_S)
        for task in unfinished:
            task.cancel()
        await asyncio.gather(committing, return_exceptions=True)
        raise
    except Error as error:
        if _is_lost(error) or connection.is_cut:
            raise CommitLost from error
        raise


def _is_lost(error: Error) -> bool:
    """Whether the connection is gone, rather than a statement refused."""
    return (
        not isinstance(error, PoolTimeout | PoolClosed)
        and isinstance(error, OperationalError | InterfaceError)
        and error.sqlstate in _LOST
    )


def _told(error: Error, attempt: Attempt) -> Exception:
    """The error in our words; the breaker hears of it where it is the server's, not the statement's."""
    if isinstance(error, PoolTimeout | PoolClosed) or _is_lost(error):
        attempt.failed()
    return fault_of(error) or error
