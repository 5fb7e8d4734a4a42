"""Which memories a model has read, is reading, or is to read again. A mark is taken before the model is asked, so that
two processes do not ask twice and one that is killed is followed by another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sanya.kernel.clock import format_timestamp
from sanya.kernel.database import Database, Transaction
from sanya.suites.memory.storage.records import Memory, from_row, list_columns

ExtractionOutcome = Literal["read", "failed", "given_up", "skipped", "again"]

MAX_ATTEMPTS = 4
_LEASE = timedelta(minutes=10)
_FIRST_WAIT = timedelta(minutes=1)
_COLUMNS = ", ".join(f"m.{name}" for name in list_columns(Memory))
_READABLE = "m.consolidated_at IS NOT NULL AND m.retired_at IS NULL AND m.type <> 'Rule'"
_DUE = f"""
SELECT {_COLUMNS} FROM memory_readings r JOIN memories m ON m.id = r.memory_id
WHERE r.next_at IS NOT NULL AND r.next_at <= ? AND {_READABLE} ORDER BY r.next_at, m.arrival LIMIT ?"""  # noqa: S608
_NEW = f"""
SELECT {_COLUMNS} FROM memories m WHERE m.arrival > ? AND {_READABLE}
AND NOT EXISTS (SELECT 1 FROM memory_readings r WHERE r.memory_id = m.id) ORDER BY m.arrival LIMIT ?"""  # noqa: S608
_REACH = """
SELECT COALESCE((SELECT MIN(arrival) - 1 FROM memories WHERE consolidated_at IS NULL AND retired_at IS NULL),
(SELECT MAX(arrival) FROM memories), 0)"""
_TAKE = """
INSERT INTO memory_readings (memory_id, model, outcome, tries, kept, dropped, asked_at, next_at)
SELECT id, ?, 'asked', 1, 0, 0, ?, ? FROM memories WHERE id = ? AND retired_at IS NULL
ON CONFLICT (memory_id) DO UPDATE SET model = excluded.model, outcome = 'asked', tries = memory_readings.tries + 1,
asked_at = excluded.asked_at, next_at = excluded.next_at
WHERE memory_readings.next_at IS NOT NULL AND memory_readings.next_at <= ?
RETURNING tries"""
_SETTLE = """
UPDATE memory_readings SET outcome = ?, tries = ?, kept = ?, dropped = ?, next_at = ?
WHERE memory_id = ? AND outcome = 'asked' AND asked_at = ?"""
_AGAIN = "UPDATE memory_readings SET outcome = 'again', tries = 0, next_at = '' WHERE memory_id = ?"


@dataclass(frozen=True, slots=True)
class LeasedMemory:
    """A memory that is this process's to read until its mark runs out."""

    memory: Memory
    asked_at: str
    attempts: int


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    outcome: ExtractionOutcome
    kept: int = 0
    dropped: int = 0
    tries: int | None = None
    next_at: str | None = None


class ExtractionQueue:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._read_up_to = 0

    async def list_due(self, now: datetime, limit: int) -> list[Memory]:
        """Those that are to be read again, then new ones in the order of arrival."""
        rows = await self._database.fetch(_DUE, (format_timestamp(now), limit))
        if len(rows) < limit:
            # Asked first: what arrives meanwhile lies behind it. The next look begins where this one found something,
            # or there, so that a look costs the same however many memories have been read.
            reach = int(str((await self._database.fetch(_REACH))[0][0]))
            new = await self._database.fetch(_NEW, (self._read_up_to, limit - len(rows)))
            unread = [from_row(Memory, row) for row in new]
            self._read_up_to = max(self._read_up_to, min(reach, unread[0].arrival - 1) if unread else reach)
            return [*(from_row(Memory, row) for row in rows), *unread]
        return [from_row(Memory, row) for row in rows]

    async def lease(self, memory: Memory, model: str, now: datetime) -> LeasedMemory | None:
        """Nothing where another process was first, or the memory is gone."""
        at = format_timestamp(now)
        async with self._database.transaction() as transaction:
            rows = await transaction.fetch(_TAKE, (model, at, format_timestamp(now + _LEASE), memory.id, at))
        return LeasedMemory(memory, at, int(str(rows[0][0]))) if rows else None

    async def record_result(self, taken: LeasedMemory, settled: ExtractionResult) -> None:
        async with self._database.transaction() as transaction:
            await record_result(transaction, taken, settled)


async def record_result(transaction: Transaction, taken: LeasedMemory, settled: ExtractionResult) -> bool:
    """False where the mark is not this process's any more."""
    tries = taken.attempts if settled.tries is None else settled.tries
    values = (settled.outcome, tries, settled.kept, settled.dropped, settled.next_at)
    return bool(await transaction.execute(_SETTLE, (*values, taken.memory.id, taken.asked_at)))


async def requeue(transaction: Transaction, memory_id: str) -> None:
    """Its text, or what it is linked with, has changed. Nothing where no model has read it."""
    await transaction.execute(_AGAIN, (memory_id,))


def make_failure(taken: LeasedMemory, now: datetime) -> ExtractionResult:
    if taken.attempts >= MAX_ATTEMPTS:
        return ExtractionResult("given_up")
    return ExtractionResult("failed", next_at=format_timestamp(now + _FIRST_WAIT * 4 ** (taken.attempts - 1)))


def make_postponement(taken: LeasedMemory, now: datetime, wait_ms: int) -> ExtractionResult:
    """It was not asked at all, so that counts as no try."""
    return ExtractionResult(
        "failed", tries=taken.attempts - 1, next_at=format_timestamp(now + timedelta(milliseconds=wait_ms))
    )
