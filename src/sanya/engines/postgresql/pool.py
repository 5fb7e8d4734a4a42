"""The pool of connections to PostgreSQL. When the server hangs, the whole pool is replaced and its waiters fail at
once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from psycopg_pool import AsyncConnectionPool

from sanya.engines.postgresql.connection import CONNECT_S, BoundedConnection, build_connection_options, configure
from sanya.engines.snapshot import PoolFigures
from sanya.kernel.breaker import Attempt

_MAX_CONNECTIONS = 10
_WAIT_S = 5.0
_SLOW_S = 0.25
# Waiters fail when the pool's workers have ended or after this time; a worker may be busy connecting.
_CLOSE_S = 0.05


class Pool:
    def __init__(self, url: str) -> None:
        self._url = url
        self._pool = self._create_pool()
        self._in_use = 0
        self._renewed_at = 0.0
        self._closing: set[asyncio.Task[None]] = set()

    def _create_pool(self) -> AsyncConnectionPool[BoundedConnection]:
        return AsyncConnectionPool(
            self._url,
            connection_class=BoundedConnection,
            min_size=1,
            max_size=_MAX_CONNECTIONS,
            open=False,
            timeout=_WAIT_S,
            # One retry at once. Then waiters fail, and the next caller starts with a new pool.
            reconnect_timeout=0,
            reconnect_failed=self._handle_connect_failure,
            kwargs=build_connection_options(),
            configure=configure,
        )

    async def open(self) -> None:
        await self._pool.open(wait=True, timeout=_WAIT_S)

    async def close(self) -> None:
        await self._pool.close(timeout=CONNECT_S)
        await asyncio.gather(*self._closing)

    @asynccontextmanager
    async def connection(self, attempt: Attempt) -> AsyncIterator[BoundedConnection]:
        pool = self._pool
        if pool.closed:
            await pool.open()
        connection = await self._take_connection(pool, attempt)
        self._in_use += 1
        try:
            yield connection
        finally:
            self._in_use -= 1
            if connection.is_cut:
                attempt.report_failure()
            await pool.putconn(connection)

    async def _take_connection(
        self, pool: AsyncConnectionPool[BoundedConnection], attempt: Attempt
    ) -> BoundedConnection:
        began, cancellations = time.monotonic(), _count_cancellations()
        try:
            connection = await pool.getconn()
            if _count_cancellations() > cancellations:
                # Cancelled while the connection was handed over: psycopg_pool would leak it.
                await pool.putconn(connection)
                raise asyncio.CancelledError
            return connection
        except asyncio.CancelledError:
            # A caller that gave up in a queue says nothing about the server. One that got no connection although none
            # was in use does.
            has_none = self._in_use == pool.get_stats()["pool_available"] == 0
            if has_none and time.monotonic() - began >= _SLOW_S:
                attempt.report_failure()
            raise

    async def discard_lost(self, connection: BoundedConnection) -> None:
        """Replace all idle connections after one was lost: they seldom die alone. Done once for all callers that
        notice."""
        if connection.made_at > self._renewed_at:
            self._renewed_at = time.monotonic()
            await self._pool.drain()

    def read_figures(self) -> PoolFigures:
        stats = self._pool.get_stats()
        return PoolFigures(stats.get("pool_size", 0), _MAX_CONNECTIONS, stats.get("requests_waiting", 0))

    def restart(self) -> None:
        old, self._pool = self._pool, self._create_pool()
        closing = asyncio.create_task(old.close(timeout=_CLOSE_S), name="old connections")
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    def _handle_connect_failure(self, pool: AsyncConnectionPool[Any]) -> None:
        """Replace the pool if it cannot connect and has no connection left. Otherwise waiters may still get one."""
        if pool is self._pool and pool.get_stats()["pool_size"] == 0:
            self.restart()


def _count_cancellations() -> int:
    """Return how many cancellations the running task has received."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0
