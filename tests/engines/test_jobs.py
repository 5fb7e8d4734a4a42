"""Jobs on both engines: one worker claims a job, for a limited time, and a worker without the claim writes nothing."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from sanya.engines.jobs import SqlJobs
from sanya.kernel.calls.call import Progress
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.jobs.job import ClaimLost, Job, JobQueue, JobResult, Part
from sanya.kernel.jobs.runner import MAX_ATTEMPTS, JobRunner, JobTimings, RunningJob
from sanya.kernel.storage.database import Database

LEASE_S = 10.0
NOW = read_clock()
LATER = NOW + timedelta(seconds=LEASE_S + 1)


@pytest.fixture
def jobs(database: Database) -> SqlJobs:
    return SqlJobs(database)


async def create_job(jobs: SqlJobs) -> Job:
    return await jobs.create("test", "owner", {"text": "ขิง"}, NOW)


async def test_a_job_is_claimed_once_however_many_want_it(jobs: SqlJobs) -> None:
    job = await create_job(jobs)
    claims = await asyncio.gather(*(jobs.claim(job.id, NOW, LEASE_S) for _ in range(8)))
    (claimed,) = [claim for claim in claims if claim is not None]
    assert (claimed.state, claimed.attempts, claimed.input) == ("running", 1, {"text": "ขิง"})
    assert await jobs.list_due(NOW) == []


async def test_a_claim_without_a_sign_of_life_runs_out_and_its_worker_writes_nothing_more(
    jobs: SqlJobs, database: Database
) -> None:
    first = await jobs.claim((await create_job(jobs)).id, NOW, LEASE_S)
    assert first is not None
    assert await jobs.list_due(LATER) == [first.id]
    second = await jobs.claim(first.id, LATER, LEASE_S)
    assert second is not None
    assert second.attempts == 2
    with pytest.raises(ClaimLost):
        await jobs.renew_claim(first, Progress(1), LATER, LEASE_S)
    with pytest.raises(ClaimLost):
        await jobs.finish(first, JobResult("done"), LATER)
    with pytest.raises(ClaimLost):
        async with database.transaction() as transaction:
            await jobs.finish_part(transaction, first, Part(0, "done", {}, format_timestamp(LATER)))
    await jobs.release(first, LATER)
    after = await jobs.get(first.id)
    assert after == second
    assert await jobs.list_parts(first.id) == []


async def test_a_beat_keeps_the_claim_and_carries_news_both_ways(jobs: SqlJobs) -> None:
    job = await jobs.claim((await create_job(jobs)).id, NOW, LEASE_S)
    assert job is not None
    assert await jobs.renew_claim(job, Progress(0.5, 2, "หน้า 1"), LATER, LEASE_S) is False
    assert await jobs.list_due(LATER) == []
    await jobs.cancel(job.id, LATER)
    assert await jobs.renew_claim(job, Progress(1, 2, None), LATER, LEASE_S) is True
    after = await jobs.get(job.id)
    assert after is not None
    assert after.progress == Progress(1.0, 2.0, None)


async def test_log_lines_are_numbered_in_their_order(jobs: SqlJobs) -> None:
    job = await create_job(jobs)
    await jobs.write_log(job.id, ["one", "two"], NOW)
    await jobs.write_log(job.id, ["three"], NOW)
    assert [(line.number, line.text) for line in await jobs.read_log(job.id, after=1)] == [(2, "two"), (3, "three")]


async def test_a_job_that_takes_every_worker_down_is_given_up(jobs: SqlJobs) -> None:
    job = await create_job(jobs)
    now = NOW
    for _ in range(MAX_ATTEMPTS):
        assert await jobs.claim(job.id, now, LEASE_S) is not None
        now += timedelta(seconds=LEASE_S + 1)

    async def work(running: RunningJob) -> JobResult:
        raise AssertionError("it is not begun again")

    await JobRunner(jobs, _ignore_job, {"test": work}, now=lambda: now).run(job.id)
    after = await jobs.get(job.id)
    assert after is not None
    assert after.state == "error"
    assert "given up" in str(after.error)


async def test_a_mistake_of_ours_ends_the_job_with_an_id_alone(jobs: SqlJobs) -> None:
    job = await create_job(jobs)

    async def work(running: RunningJob) -> JobResult:
        raise ValueError("a secret")

    await JobRunner(jobs, _ignore_job, {"test": work}, JobTimings(), lambda: NOW).run(job.id)
    after = await jobs.get(job.id)
    assert after is not None
    assert "err_" in str(after.error)
    assert "secret" not in str(after.error)


async def test_work_of_another_kind_is_left_alone(jobs: SqlJobs) -> None:
    job = await create_job(jobs)
    await JobRunner(jobs, _ignore_job, {}, now=lambda: NOW).run(job.id)
    assert await jobs.list_due(NOW) == [job.id]


def _ignore_job() -> JobQueue:
    raise AssertionError("nobody attends")
