"""Queries that are kept fresh while a server runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sanya.kernel.clock import format_timestamp
from sanya.kernel.database import Database, Row
from sanya.kernel.faults import Fault
from sanya.suites.papers.sync.query_sync import SyncQuery
from sanya.suites.papers.sync.tools import OpenSync, describe_status

log = logging.getLogger(__name__)

LEAST_EVERY_S = 60
_LOOK_EVERY_S = 20.0
# So long a query is left to the process that began with it. Two at once would do no harm but ask PubMed twice.
_CLAIM = timedelta(hours=1)
_AFTER_FAILURE = timedelta(minutes=30)
# Clocks of two servers may differ by so much; more, and one of them was set.
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
        """Adds a query, due at once, or gives one that is there another interval."""
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
        """One that is due, for whoever asks first."""
        moment, claim_end = format_timestamp(now), format_timestamp(now + _CLAIM)
        # What was done after now was done before a clock was set back: it is no reason to wait.
        is_due = (
            "(next_at <= ? OR COALESCE(last_at, created_at) > ?) "
            "AND (claimed_until IS NULL OR claimed_until < ? OR claimed_until > ?)"
        )
        bounds = (moment, format_timestamp(now + _CLOCKS_APART), moment, format_timestamp(now + _CLAIM + _CLOCKS_APART))
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
        """Writes down how it went, and when it is due again: sooner after a failure."""
        pause = timedelta(seconds=watch.every_s)
        due = now + (min(pause, _AFTER_FAILURE) if failed else pause)
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "UPDATE paper_watches SET claimed_until = NULL, last_at = ?, last_status = ?, next_at = ? "
                "WHERE query = ?",
                (format_timestamp(now), status, format_timestamp(due), watch.query),
            )


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class WatchScheduler:
    """Syncs what is due. A query that fails is noted and tried again later; the others go on."""

    watches: Watches
    open_sync: OpenSync
    now: Callable[[], datetime] = _utc_now
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self) -> None:
        while True:
            while await self.sync_next():
                pass
            await self.sleep(_LOOK_EVERY_S)

    async def sync_next(self) -> bool:
        """Whether a query was due."""
        watch = await self.watches.claim(self.now())
        if watch is None:
            return False
        try:
            sync = await self.open_sync()
            synced = await sync.sync_all(SyncQuery(watch.query, watch.query, self.now()))
            await self.watches.settle(watch, describe_status(synced), self.now())
        except Fault as fault:
            log.warning("the watched query %r could not be synced: %s", watch.query, fault.message)
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
