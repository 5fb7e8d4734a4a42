"""The extraction queue: which memories a model has read, is reading, or is to read again.

A process leases a memory before it asks the model, so that two processes do not ask twice. A lease expires, so that a
memory whose process was killed is read by another.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sanya.suite.runtime import format_timestamp
from sanya.suite.store import Database, Transaction
from sanya.suites.memory.storage.records import Memory, from_row, list_columns

ExtractionOutcome = Literal["read", "failed", "given_up", "skipped", "again"]

MAX_ATTEMPTS = 4
_LEASE = timedelta(minutes=10)
_FIRST_RETRY_DELAY = timedelta(minutes=1)
_COLUMNS = ", ".join(f"m.{name}" for name in list_columns(Memory))
_IS_READABLE = "m.consolidated_at IS NOT NULL AND m.retired_at IS NULL AND m.type <> 'Rule'"
_FIND_DUE = f"""
SELECT {_COLUMNS} FROM memory_readings r JOIN memories m ON m.id = r.memory_id
WHERE r.next_at IS NOT NULL AND r.next_at <= ? AND {_IS_READABLE} ORDER BY r.next_at, m.arrival LIMIT ?"""  # noqa: S608
_FIND_NEW = f"""
SELECT {_COLUMNS} FROM memories m WHERE m.arrival > ? AND {_IS_READABLE}
AND NOT EXISTS (SELECT 1 FROM memory_readings r WHERE r.memory_id = m.id) ORDER BY m.arrival LIMIT ?"""  # noqa: S608
_FIND_LAST_CONSOLIDATED = """
SELECT COALESCE((SELECT MIN(arrival) - 1 FROM memories WHERE consolidated_at IS NULL AND retired_at IS NULL),
(SELECT MAX(arrival) FROM memories), 0)"""
_LEASE_MEMORY = """
INSERT INTO memory_readings (memory_id, model, outcome, tries, kept, dropped, asked_at, next_at)
SELECT id, ?, 'asked', 1, 0, 0, ?, ? FROM memories WHERE id = ? AND retired_at IS NULL
ON CONFLICT (memory_id) DO UPDATE SET model = excluded.model, outcome = 'asked', tries = memory_readings.tries + 1,
asked_at = excluded.asked_at, next_at = excluded.next_at
WHERE memory_readings.next_at IS NOT NULL AND memory_readings.next_at <= ?
RETURNING tries"""
_RECORD_RESULT = """
UPDATE memory_readings SET outcome = ?, tries = ?, kept = ?, dropped = ?, next_at = ?
WHERE memory_id = ? AND outcome = 'asked' AND asked_at = ?"""
_REQUEUE = "UPDATE memory_readings SET outcome = 'again', tries = 0, next_at = '' WHERE memory_id = ?"


@dataclass(frozen=True, slots=True)
class LeasedMemory:
    """A memory that only this process reads until the lease expires."""

    memory: Memory
    leased_at: str
    attempts: int


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    outcome: ExtractionOutcome
    kept: int = 0
    dropped: int = 0
    attempts: int | None = None
    next_at: str | None = None


class ExtractionQueue:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._done_arrival = 0
        """Every memory up to this arrival is in the table."""

    async def list_due(self, now: datetime, limit: int) -> list[Memory]:
        """Return memories whose retry is due, then new ones in the order of arrival."""
        rows = await self._database.fetch(_FIND_DUE, (format_timestamp(now), limit))
        due = [from_row(Memory, row) for row in rows]
        if len(due) == limit:
            return due
        # Read before the new memories: what arrives in between has a higher number. The next search starts at the first
        # new memory, or here, so that it costs the same however many memories were read before.
        last_consolidated = int(str((await self._database.fetch(_FIND_LAST_CONSOLIDATED))[0][0]))
        rows = await self._database.fetch(_FIND_NEW, (self._done_arrival, limit - len(due)))
        new = [from_row(Memory, row) for row in rows]
        done = min(last_consolidated, new[0].arrival - 1) if new else last_consolidated
        self._done_arrival = max(self._done_arrival, done)
        return [*due, *new]

    async def lease(self, memory: Memory, model: str, now: datetime) -> LeasedMemory | None:
        """Lease a memory. Return None if another process has leased it, or if it is gone."""
        leased_at = format_timestamp(now)
        expires_at = format_timestamp(now + _LEASE)
        async with self._database.transaction() as transaction:
            rows = await transaction.fetch(_LEASE_MEMORY, (model, leased_at, expires_at, memory.id, leased_at))
        return LeasedMemory(memory, leased_at, int(str(rows[0][0]))) if rows else None

    async def record_result(self, leased: LeasedMemory, result: ExtractionResult) -> None:
        async with self._database.transaction() as transaction:
            await record_result(transaction, leased, result)


async def record_result(transaction: Transaction, leased: LeasedMemory, result: ExtractionResult) -> bool:
    """Store the result. Return False if the lease has passed to another process."""
    attempts = leased.attempts if result.attempts is None else result.attempts
    values = (result.outcome, attempts, result.kept, result.dropped, result.next_at)
    return bool(await transaction.execute(_RECORD_RESULT, (*values, leased.memory.id, leased.leased_at)))


async def requeue(transaction: Transaction, memory_id: str) -> None:
    """Have a memory read again because its text or its links have changed, if a model has read it before."""
    await transaction.execute(_REQUEUE, (memory_id,))


def make_failure(leased: LeasedMemory, now: datetime) -> ExtractionResult:
    if leased.attempts >= MAX_ATTEMPTS:
        return ExtractionResult("given_up")
    return ExtractionResult("failed", next_at=format_timestamp(now + _FIRST_RETRY_DELAY * 4 ** (leased.attempts - 1)))


def make_postponement(leased: LeasedMemory, now: datetime, wait_ms: int) -> ExtractionResult:
    """Return a failure that does not count as an attempt, because the model was not asked at all."""
    return ExtractionResult(
        "failed", attempts=leased.attempts - 1, next_at=format_timestamp(now + timedelta(milliseconds=wait_ms))
    )
