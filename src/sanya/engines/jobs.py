"""Jobs in the database, the same on both engines: claims, parts, logs.

A worker owns a job by a claim: a random token, and the time until which it holds. `claim` sets both in one UPDATE that
admits only a queued job, or a running one whose claim has run out. So of several workers that try, the database lets
one through. The worker renews the claim with every beat. Every later write repeats the token in its WHERE clause. A
worker that was stopped for too long matches no row and gets ClaimLost, so it cannot overwrite what its successor did.

A part of a job is written in one transaction with the data it produced. That transaction first updates the job's row to
itself (`hold`), which locks it: the claim cannot pass to another worker between the check and the commit.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

import orjson

from sanya.kernel.calls.call import Progress
from sanya.kernel.clock import format_timestamp
from sanya.kernel.jobs.job import ClaimLost, Job, JobEnding, JobResult, JobState, LogLine, Part, PartState, make_job_id
from sanya.kernel.storage.database import Database, Row, Transaction, Value

_COLUMNS = (
    "id, kind, owner, state, ending, input, result, error, done, total, message, attempts, cancel_asked, claim, "
    "claimed_until, created_at, started_at, finished_at"
)
_SELECT = f"SELECT {_COLUMNS} FROM jobs"  # noqa: S608 - names of our own, here and below
# A claim that lasts longer than any lease was made before the clock was set back. If its worker were alive, it would
# have renewed the claim by the new clock.
_IS_DUE = "(state = 'queued' OR (state = 'running' AND (claimed_until < ? OR claimed_until > ?)))"
_LONGEST_CLAIM = timedelta(minutes=10)
_IS_OURS = "id = ? AND claim = ? AND state = 'running'"
_MAX_DUE = 100


class SqlJobs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        kind: str,
        owner: str,
        input: Mapping[str, Any],
        now: datetime,
        lease_s: float | None = None,
        *,
        id: str | None = None,
    ) -> Job:
        job_id, timestamp = id or make_job_id(now), format_timestamp(now)
        claimed: tuple[Value, ...] = ("queued", None, None, 0, None)
        if lease_s is not None:
            claimed = (
                "running",
                secrets.token_hex(8),
                format_timestamp(now + timedelta(seconds=lease_s)),
                1,
                timestamp,
            )
        async with self._database.transaction() as transaction:
            await transaction.execute(
                "INSERT INTO jobs (id, kind, owner, input, state, claim, claimed_until, attempts, started_at, done, "
                "cancel_asked, log_lines, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?)",
                (job_id, kind, owner, _encode_json(input), *claimed, timestamp),
            )
        created = await self.get(job_id)
        assert created is not None
        return created

    async def get(self, job_id: str) -> Job | None:
        rows = await self._database.fetch(f"{_SELECT} WHERE id = ?", (job_id,), touches=1)
        return _read_job(rows[0]) if rows else None

    async def list(
        self, *, kind: str | None = None, owner: str | None = None, before: str | None = None, limit: int = 50
    ) -> Sequence[Job]:
        conditions = {"kind = ?": kind, "owner = ?": owner, "id < ?": before}
        tests = {test: value for test, value in conditions.items() if value is not None}
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        rows = await self._database.fetch(f"{_SELECT}{where} ORDER BY id DESC LIMIT ?", (*tests.values(), limit))
        return [_read_job(row) for row in rows]

    async def list_parts(self, job_id: str) -> Sequence[Part]:
        sql = "SELECT number, state, result, finished_at FROM job_parts WHERE job_id = ? ORDER BY number"
        return [_read_part(row) for row in await self._database.fetch(sql, (job_id,))]

    async def read_log(self, job_id: str, after: int = 0, limit: int = 10_000) -> Sequence[LogLine]:
        sql = "SELECT number, at, text FROM job_log WHERE job_id = ? AND number > ? ORDER BY number LIMIT ?"
        rows = await self._database.fetch(sql, (job_id, after, limit))
        return [LogLine(int(str(number)), str(at), str(text)) for number, at, text in rows]

    async def cancel(self, job_id: str, now: datetime) -> Job | None:
        async with self._database.transaction() as transaction:
            ended = await transaction.execute(
                "UPDATE jobs SET state = 'error', ending = 'cancelled', cancel_asked = 1, finished_at = ?, error = ? "
                "WHERE id = ? AND state = 'queued'",
                (format_timestamp(now), "cancelled before it began", job_id),
            )
            asked = await transaction.execute(
                "UPDATE jobs SET cancel_asked = 1 WHERE id = ? AND state = 'running' AND cancel_asked = 0", (job_id,)
            )
            if ended or asked:
                line = "cancelled before it began" if ended else "asked to stop"
                await _write_log(transaction, job_id, [line], now)
        return await self.get(job_id)

    async def list_due(self, now: datetime) -> Sequence[str]:
        sql = f"SELECT id FROM jobs WHERE state IN ('queued', 'running') AND {_IS_DUE} ORDER BY id LIMIT ?"  # noqa: S608
        rows = await self._database.fetch(sql, (*_compute_claim_bounds(now), _MAX_DUE), touches=_MAX_DUE)
        return [str(row[0]) for row in rows]

    async def count_open(self) -> Mapping[str, int]:
        sql = "SELECT state, COUNT(*) FROM jobs WHERE state IN ('queued', 'running') GROUP BY state"
        return {str(state): int(str(count)) for state, count in await self._database.fetch(sql)}

    async def claim(self, job_id: str, now: datetime, lease_s: float) -> Job | None:
        claim = secrets.token_hex(8)
        sql = (
            "UPDATE jobs SET state = 'running', claim = ?, claimed_until = ?, attempts = attempts + 1, "  # noqa: S608
            f"started_at = COALESCE(started_at, ?) WHERE id = ? AND {_IS_DUE}"
        )
        until, timestamp = format_timestamp(now + timedelta(seconds=lease_s)), format_timestamp(now)
        async with self._database.transaction() as transaction:
            if not await transaction.execute(sql, (claim, until, timestamp, job_id, *_compute_claim_bounds(now))):
                return None
        claimed = await self.get(job_id)
        return claimed if claimed is not None and claimed.claim == claim else None

    async def renew_claim(self, job: Job, progress: Progress, now: datetime, lease_s: float) -> bool:
        sql = (
            f"UPDATE jobs SET claimed_until = ?, done = ?, total = ?, message = ? WHERE {_IS_OURS} "  # noqa: S608
            "RETURNING cancel_asked"
        )
        until = format_timestamp(now + timedelta(seconds=lease_s))
        values = (until, float(progress.done), _to_number(progress.total), progress.message, job.id, job.claim)
        async with self._database.transaction() as transaction:
            rows = await transaction.fetch(sql, values)
        if not rows:
            raise ClaimLost(job.id)
        return rows[0][0] == 1

    async def write_log(self, job_id: str, lines: Sequence[str], now: datetime) -> None:
        async with self._database.transaction() as transaction:
            await _write_log(transaction, job_id, lines, now)

    async def lock_claim(self, transaction: Transaction, job: Job) -> None:
        # An update that changes nothing locks the row until the transaction ends, on both engines.
        if not await transaction.execute(f"UPDATE jobs SET claim = claim WHERE {_IS_OURS}", (job.id, job.claim)):  # noqa: S608
            raise ClaimLost(job.id)

    async def finish_part(self, transaction: Transaction, job: Job, part: Part) -> None:
        await self.lock_claim(transaction, job)
        await transaction.execute(
            "INSERT INTO job_parts (job_id, number, state, result, finished_at) VALUES (?, ?, ?, ?, ?)",
            (job.id, part.number, part.state, _encode_json(part.result), part.finished_at),
        )

    async def finish(self, job: Job, finished: JobResult, now: datetime) -> None:
        result = None if finished.result is None else _encode_json(finished.result)
        sql = (
            "UPDATE jobs SET state = ?, ending = ?, result = ?, error = ?, finished_at = ?, claim = NULL, "  # noqa: S608
            f"claimed_until = NULL WHERE {_IS_OURS}"
        )
        values = (finished.state, finished.ending, result, finished.error, format_timestamp(now), job.id, job.claim)
        async with self._database.transaction() as transaction:
            if not await transaction.execute(sql, values):
                raise ClaimLost(job.id)

    async def release(self, job: Job, now: datetime) -> None:
        sql = (
            "UPDATE jobs SET state = 'queued', claim = NULL, claimed_until = NULL, attempts = attempts - 1 "  # noqa: S608
            f"WHERE {_IS_OURS}"
        )
        async with self._database.transaction() as transaction:
            if await transaction.execute(sql, (job.id, job.claim)):
                await _write_log(transaction, job.id, ["requeued: its worker stops"], now)

    async def mark_rolled_back(self, transaction: Transaction, job: Job, line: str, now: datetime) -> None:
        await transaction.execute("UPDATE jobs SET ending = 'rolled_back' WHERE id = ?", (job.id,))
        await _write_log(transaction, job.id, [line], now)


def _compute_claim_bounds(now: datetime) -> tuple[str, str]:
    """Return the bounds between which the end of a valid claim lies."""
    return format_timestamp(now), format_timestamp(now + _LONGEST_CLAIM)


async def _write_log(transaction: Transaction, job_id: str, lines: Sequence[str], now: datetime) -> None:
    if not lines:
        return
    sql = "UPDATE jobs SET log_lines = log_lines + ? WHERE id = ? RETURNING log_lines"
    for (last,) in await transaction.fetch(sql, (len(lines), job_id)):
        first = int(str(last)) - len(lines) + 1
        rows = [(job_id, number, format_timestamp(now), line) for number, line in enumerate(lines, first)]
        await transaction.execute_many("INSERT INTO job_log (job_id, number, at, text) VALUES (?, ?, ?, ?)", rows)


def _read_job(row: Row) -> Job:
    id, kind, owner, state, ending, input, result, error, done, total, message, attempts, cancel_asked, *rest = row
    claim, claimed_until, created_at, started_at, finished_at = cast(list[str | None], rest)
    return Job(
        id=str(id),
        kind=str(kind),
        owner=str(owner),
        state=cast(JobState, state),
        ending=cast(JobEnding | None, ending),
        input=orjson.loads(str(input)),
        result=None if result is None else orjson.loads(str(result)),
        error=cast(str | None, error),
        progress=Progress(float(str(done)), _to_number(total), cast(str | None, message)),
        attempts=int(str(attempts)),
        cancel_asked=cancel_asked == 1,
        claim=claim,
        claimed_until=claimed_until,
        created_at=str(created_at),
        started_at=started_at,
        finished_at=finished_at,
    )


def _read_part(row: Row) -> Part:
    number, state, result, finished_at = row
    return Part(int(str(number)), cast(PartState, state), orjson.loads(str(result)), str(finished_at))


def _to_number(value: Value) -> float | None:
    return None if value is None else float(str(value))


def _encode_json(value: Mapping[str, Any]) -> str:
    return orjson.dumps(value).decode("utf-8")
