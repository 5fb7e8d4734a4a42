"""The engine to grow into: PostgreSQL, through a pool of connections that mends itself.

Reads run in read-only mode, each on its own; transactions are READ COMMITTED. A transaction that decides by what it
read must change that row first (`UPDATE … RETURNING`): the change locks it, on both engines.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

from psycopg import AsyncConnection, AsyncRawCursor, Error, InterfaceError, OperationalError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from sanya.engines.postgresql_faults import fault_of, opening_fault
from sanya.engines.postgresql_statements import adapt_values, numbered
from sanya.engines.snapshot import Reading
from sanya.kernel.database import Row, Statement, Transaction, Value

_MAX_CONNECTIONS = 10
_WAIT_S = 5
_PREPARE_AFTER = 2
# No code at all means that the wire broke; the others are the server's own end: shutdown, crash, start.
_LOST = (None, "57P01", "57P02", "57P03")

Connection = AsyncConnection[Any]


class PostgresqlDatabase:
    dialect: Literal["sqlite", "postgresql"] = "postgresql"

    def __init__(self, url: str) -> None:
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=_MAX_CONNECTIONS,
            open=False,
            timeout=_WAIT_S,
            # Short, so that after an outage the next caller starts a fresh attempt instead of waiting out a long pause.
            reconnect_timeout=_WAIT_S,
            kwargs=_connection_options(),
            configure=_configure,
        )
        self._url = url

    async def open(self) -> None:
        try:
            # The first connection by hand, since its error says more than the pool's.
            await (await AsyncConnection.connect(self._url, **_connection_options())).close()
            await self._pool.open(wait=True, timeout=_WAIT_S)
        except Error as error:
            raise opening_fault(error) from error

    async def close(self) -> None:
        await self._pool.close()

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        del touches  # every read crosses the wire anyway
        try:
            return await self._fetch_once(sql, params)
        except Error as error:
            if not _is_lost(error):
                raise _worded(error) from error
        # The connection had died while it was idle, as after a restart of the server. A read may be repeated.
        try:
            await self._pool.check()
            return await self._fetch_once(sql, params)
        except Error as error:
            raise _worded(error) from error

    async def _fetch_once(self, sql: str, params: Sequence[Value]) -> list[Row]:
        async with self._pool.connection() as connection:
            return await _fetch(connection, sql, params)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        try:
            async with self._pool.connection() as connection, connection.transaction():
                transaction = _PostgresqlTransaction(connection)
                try:
                    yield transaction
                finally:
                    transaction.is_over = True
        except Error as error:
            if _is_lost(error):
                await self._pool.check()
            raise _worded(error) from error

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Reading]:
        try:
            async with self._pool.connection() as connection, connection.transaction():
                await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                # The state is that of the first statement which reads.
                await connection.execute("SELECT 1")
                yield _PostgresqlTransaction(connection)
        except Error as error:
            raise _worded(error) from error


class _PostgresqlTransaction:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.is_over = False

    @property
    def _open_connection(self) -> Connection:
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

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        connection = self._open_connection
        async with connection.pipeline():
            cursors = [await connection.execute(numbered(sql), params) for sql, params in statements]
        return [await cursor.fetchall() if cursor.description else [] for cursor in cursors]


async def _fetch(connection: Connection, sql: str, params: Sequence[Value]) -> list[Row]:
    cursor = await connection.execute(numbered(sql), params)
    return await cursor.fetchall()


async def _configure(connection: Connection) -> None:
    adapt_values(connection.adapters)
    # A fetch cannot write, as on SQLite; a transaction asks for the right to.
    await connection.execute("SET default_transaction_read_only = on")
    await connection.set_read_only(False)


def _connection_options() -> dict[str, Any]:
    return {
        "autocommit": True,
        "prepare_threshold": _PREPARE_AFTER,
        "cursor_factory": AsyncRawCursor,
        "connect_timeout": _WAIT_S,
        "application_name": "sanya",
        # A network that swallows packets is noticed within seconds, not after the system's quarter of an hour.
        "tcp_user_timeout": _WAIT_S * 1000,
        "keepalives_idle": 30,
    }


def _is_lost(error: Error) -> bool:
    """Whether the connection is gone, rather than a statement refused."""
    return (
        not isinstance(error, PoolTimeout)
        and isinstance(error, OperationalError | InterfaceError)
        and error.sqlstate in _LOST
    )


def _worded(error: Error) -> Exception:
    return fault_of(error) or error
