"""The connections to PostgreSQL. What hangs is thrown away whole, and those who wait for it are told at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from psycopg_pool import AsyncConnectionPool

from sanya.engines.postgresql.connection import CONNECT_S, BoundedConnection, configure, connection_options
from sanya.kernel.breaker import Attempt

_MOST_CONNECTIONS = 10
_WAIT_S = 5.0
_SLOW_S = 0.25
# Waiters are told after the workers have ended or this has passed; a worker may be in the midst of connecting.
_CLOSE_S = 0.05


class Pool:
    def __init__(self, url: str) -> None:
        self._url = url
        self._inner = self._make()
        self._in_use = 0
        self._renewed_at = 0.0
        self._closing: set[asyncio.Task[None]] = set()

    def _make(self) -> AsyncConnectionPool[BoundedConnection]:
        return AsyncConnectionPool(
            self._url,
            connection_class=BoundedConnection,
            min_size=1,
            max_size=_MOST_CONNECTIONS,
            open=False,
            timeout=_WAIT_S,
            # One more try at once; then whoever waits is told, and the next caller starts afresh.
            reconnect_timeout=0,
            reconnect_failed=self._cannot_connect,
            kwargs=connection_options(),
            configure=configure,
        )

    async def open(self) -> None:
        await self._inner.open(wait=True, timeout=_WAIT_S)

    async def close(self) -> None:
        await self._inner.close(timeout=CONNECT_S)
        await asyncio.gather(*self._closing)

    @asynccontextmanager
    async def connection(self, attempt: Attempt) -> AsyncIterator[BoundedConnection]:
        pool = self._inner
        if pool.closed:
            await pool.open()
        connection = await self._taken(pool, attempt)
        self._in_use += 1
        try:
            yield connection
        finally:
            self._in_use -= 1
            if connection.is_cut:
                attempt.failed()
            await pool.putconn(connection)

    async def _taken(self, pool: AsyncConnectionPool[BoundedConnection], attempt: Attempt) -> BoundedConnection:
        began, cancellations = time.monotonic(), _cancellations()
        try:
            connection = await pool.getconn()
            if _cancellations() > cancellations:
                # It came together with the connection, and then the pool forgets it.
                await pool.putconn(connection)
                raise asyncio.CancelledError
            return connection
        except asyncio.CancelledError:
            # Whoever gave up in a queue says nothing of the server; whoever saw it give no connection at all does.
            has_none = self._in_use == pool.get_stats()["pool_available"] == 0
            if has_none and time.monotonic() - began >= _SLOW_S:
                attempt.failed()
            raise

    async def lost(self, connection: BoundedConnection) -> None:
        """One that died seldom died alone: what is idle beside it is made anew, once for all who notice."""
        if connection.made_at > self._renewed_at:
            self._renewed_at = time.monotonic()
            await self._inner.drain()

    def start_anew(self) -> None:
        old, self._inner = self._inner, self._make()
        closing = asyncio.create_task(old.close(timeout=_CLOSE_S), name="old connections")
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    def _cannot_connect(self, pool: AsyncConnectionPool[Any]) -> None:
        """Where others still stand, there is hope for those who wait."""
        if pool is self._inner and pool.get_stats()["pool_size"] == 0:
            self.start_anew()


def _cancellations() -> int:
    """How many the running task has been told of."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0
