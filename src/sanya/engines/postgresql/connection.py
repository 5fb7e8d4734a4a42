"""A connection to PostgreSQL with a time limit on every operation, whatever happens to the server or the network."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from psycopg import AsyncConnection, AsyncRawCursor, Error
from psycopg.abc import RV, PQGen
from psycopg.errors import QueryCanceled, _WaitTimeout
from psycopg.pq import TransactionStatus
from psycopg.waiting import wait_async

from sanya.engines.postgresql.statements import adapt_values

CONNECT_S = 3
# Limits for work without a deadline of its own; a call's deadline ends its statements sooner. A write may build a graph
# over millions of vectors.
READ_S = 120.0
WRITE_S = 3600.0
ROLLBACK_S = 1.0
_POLL_S = 0.1
_PREPARE_AFTER = 2
_UNACKNOWLEDGED_S = 5

# If this process disappears, the server ends its statements and transactions by itself and releases their locks. A
# transaction may be idle for minutes while texts are embedded.
_SERVER_SETTINGS = {
    "statement_timeout": f"{WRITE_S + 10:.0f}s",
    "idle_in_transaction_session_timeout": "10min",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    # Statements are short: compiling one takes longer than running it.
    "jit": "off",
}


class BoundedConnection(AsyncConnection[Any]):
    """A connection that ends a cancelled statement within two seconds; the driver itself waits ten. `is_cut` is set if
    the server did not end the statement and the connection was closed instead."""

    is_cut = False
    made_at = 0.0
    statement_s = READ_S

    async def wait(
        self,
        gen: PQGen[RV],
        interval: float = _POLL_S,
        timeout: float | None = None,  # noqa: ASYNC109 - the driver's signature
    ) -> RV:
        try:
            return await wait_async(gen, self.pgconn.socket, interval=interval, timeout=timeout or self.statement_s)
        except asyncio.CancelledError:
            await self._end_statement(gen)
            raise
        except _WaitTimeout:
            await self._end_statement(gen)
            raise QueryCanceled(f"no answer within {timeout or self.statement_s:g} s") from None

    async def _end_statement(self, gen: PQGen[Any]) -> None:
        if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
            return
        try:
            await self.cancel_safe(timeout=ROLLBACK_S)
            await wait_async(gen, self.pgconn.socket, interval=_POLL_S, timeout=ROLLBACK_S)
        except QueryCanceled:
            return
        except Error:  # the server does not react, or is gone
            self.is_cut = True
            self.pgconn.finish()


def build_connection_options() -> dict[str, Any]:
    return {
        "autocommit": True,
        "prepare_threshold": _PREPARE_AFTER,
        "cursor_factory": AsyncRawCursor,
        "application_name": "sanya",
        **build_network_options(),
    }


def build_network_options() -> dict[str, Any]:
    """Return options that detect a dead network within seconds, not after the system's default of a quarter of an
    hour."""
    return {
        "connect_timeout": CONNECT_S,
        "tcp_user_timeout": _UNACKNOWLEDGED_S * 1000,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }


async def configure(connection: BoundedConnection) -> None:
    """Set up a new connection, within the time limit of connecting, so that the pool does not hang here."""
    adapt_values(connection.adapters)
    settings = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in _SERVER_SETTINGS.items())
    connection.statement_s = CONNECT_S
    try:
        # A fetch cannot write, as on SQLite. A transaction is opened read-write.
        await connection.execute(f"SELECT {settings}, set_config('default_transaction_read_only', 'on', false)")
    except BaseException:
        await connection.close()
        raise
    await connection.set_read_only(False)
    connection.statement_s = READ_S
    connection.made_at = time.monotonic()
