"""A connection to PostgreSQL that nobody waits for without end, whatever became of the server or the network."""

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
# A call's own time ends its statements sooner; these are for work that has none. Inside a transaction a graph over
# millions of vectors may be built.
READ_S = 120.0
WRITE_S = 3600.0
PARTING_S = 1.0
_LOOK_EVERY_S = 0.1
_PREPARE_AFTER = 2
_SILENCE_S = 5

# What the server does by itself where we are gone without a word: it ends what we began, and so frees its locks. A
# transaction may embed texts meanwhile, so it may be idle for long.
_SERVER_SETTINGS = {
    "statement_timeout": f"{WRITE_S + 10:.0f}s",
    "idle_in_transaction_session_timeout": "10min",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    # Statements are short: to compile one would take longer than to run it.
    "jit": "off",
}


class BoundedConnection(AsyncConnection[Any]):
    """The driver gives a server ten seconds to end a statement whose caller has gone; a caller who has a deadline
    waits two. `is_cut` tells that the server did not end it, and that the connection was ended instead."""

    is_cut = False
    made_at = 0.0
    statement_s = READ_S

    async def wait(
        self,
        gen: PQGen[RV],
        interval: float = _LOOK_EVERY_S,
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
            await self.cancel_safe(timeout=PARTING_S)
            await wait_async(gen, self.pgconn.socket, interval=_LOOK_EVERY_S, timeout=PARTING_S)
        except QueryCanceled:
            return
        except Error:  # it does not hear, or is gone
            self.is_cut = True
            self.pgconn.finish()


def connection_options() -> dict[str, Any]:
    return {
        "autocommit": True,
        "prepare_threshold": _PREPARE_AFTER,
        "cursor_factory": AsyncRawCursor,
        "application_name": "sanya",
        **network_options(),
    }


def network_options() -> dict[str, Any]:
    """A network that swallows packets is noticed within seconds, not after the system's quarter of an hour."""
    return {
        "connect_timeout": CONNECT_S,
        "tcp_user_timeout": _SILENCE_S * 1000,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }


async def configure(connection: BoundedConnection) -> None:
    """The end of connecting, and bound like it: whoever makes connections must not hang either."""
    adapt_values(connection.adapters)
    settings = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in _SERVER_SETTINGS.items())
    connection.statement_s = CONNECT_S
    try:
        # A fetch cannot write, as on SQLite; a transaction asks for the right to.
        await connection.execute(f"SELECT {settings}, set_config('default_transaction_read_only', 'on', false)")
    except BaseException:
        await connection.close()
        raise
    await connection.set_read_only(False)
    connection.statement_s = READ_S
    connection.made_at = time.monotonic()
