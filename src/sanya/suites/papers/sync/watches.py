"""Watched queries: synced at an interval while a server runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sanya.suite import Fault
from sanya.suite.runtime import format_timestamp, read_clock
from sanya.suite.store import Database, Row
from sanya.suites.papers.sync.query_sync import SyncQuery
from sanya.suites.papers.sync.tools import OpenSync, describe_status

log = logging.getLogger(__name__)

LEAST_EVERY_S = 60
_LOOK_EVERY_S = 20.0
# A claimed query stays with its process for this long. Two syncs at once do no harm, but ask PubMed twice.
_CLAIM = timedelta(hours=1)
_AFTER_FAILURE = timedelta(minutes=30)
# The clocks of two servers may differ by this much. A larger difference means that a clock was set back.
_CLOCKS_APART = timedelta(minutes=5)
_COLUMNS = "query, every_s, next_at, last_at, last_status"


@dataclass(frozen=True, slots=True)
class QueryWatch:
    query: str
    every_s: int
    next_at: str
    last_at: str | None
    last_status: str | None


class Watches:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, query: str, every_s: int, now: datetime) -> None:
        """Add a query that is due at once, or change the interval of an existing one."""
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO paper_watches (query, every_s, created_at, next_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (query) DO UPDATE SET every_s = excluded.every_s, next_at = excluded.next_at",
                (query, every_s, format_timestamp(now), format_timestamp(now)),
            )

    async def remove(self, query: str) -> bool:
        async with self._database.transaction() as transaction:
            return await transaction.execute("DELETE FROM paper_watches WHERE query = ?", (query,)) == 1

    async def list_watches(self) -> list[QueryWatch]:
        rows = await self._database.fetch(f"SELECT {_COLUMNS} FROM paper_watches ORDER BY query")  # noqa: S608
        return [_read_watch(row) for row in rows]

    async def claim(self, now: datetime) -> QueryWatch | None:
        """Claim a query that is due; of several processes, one gets it."""
        timestamp, claim_end = format_timestamp(now), format_timestamp(now + _CLAIM)
        # A time in the future dates from before a clock was set back, and is no reason to wait.
        is_due = (
            "(next_at <= ? OR COALESCE(last_at, created_at) > ?) "
            "AND (claimed_until IS NULL OR claimed_until < ? OR claimed_until > ?)"
        )
        bounds = (
            timestamp,
            format_timestamp(now + _CLOCKS_APART),
            timestamp,
            format_timestamp(now + _CLAIM + _CLOCKS_APART),
        )
        sql = f"SELECT {_COLUMNS} FROM paper_watches WHERE {is_due} ORDER BY next_at, query LIMIT 1"  # noqa: S608
        if not await self._database.fetch(sql, bounds, touches=100):
            return None
        async with self._database.transaction() as transaction:
            for row in await transaction.fetch(sql, bounds):
                claimed = await transaction.execute(
                    f"UPDATE paper_watches SET claimed_until = ? WHERE query = ? AND {is_due}",  # noqa: S608
                    (claim_end, row[0], *bounds),
                )
                if claimed:
                    return _read_watch(row)
        return None

    async def settle(self, watch: QueryWatch, status: str, now: datetime, *, failed: bool = False) -> None:
        """Record the result and when the query is due again: sooner after a failure."""
        pause = timedelta(seconds=watch.every_s)
        due = now + (min(pause, _AFTER_FAILURE) if failed else pause)
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE paper_watches SET claimed_until = NULL, last_at = ?, last_status = ?, next_at = ? "
                "WHERE query = ?",
                (format_timestamp(now), status, format_timestamp(due), watch.query),
            )


@dataclass(frozen=True, slots=True)
class WatchScheduler:
    """Syncs the queries that are due. It records a failed query and tries it again later."""

    watches: Watches
    open_sync: OpenSync
    now: Callable[[], datetime] = read_clock
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self) -> None:
        while True:
            while await self.sync_next():
                pass
            await self.sleep(_LOOK_EVERY_S)

    async def sync_next(self) -> bool:
        """Sync one query that is due; return whether there was one."""
        watch = await self.watches.claim(self.now())
        if watch is None:
            return False
        try:
            sync = await self.open_sync()
            synced = await sync.sync_all(SyncQuery(watch.query, watch.query, self.now()))
            await self.watches.settle(watch, describe_status(synced), self.now())
        except Fault as fault:
            log.warning("watched query %r failed to sync, retrying later: %s", watch.query, fault.message)
            await self.watches.settle(watch, fault.message, self.now(), failed=True)
        return True


def _read_watch(row: Row) -> QueryWatch:
    query, every_s, next_at, last_at, last_status = row
    return QueryWatch(
        str(query),
        int(str(every_s)),
        str(next_at),
        None if last_at is None else str(last_at),
        None if last_status is None else str(last_status),
    )
