"""Job queues: within one process on SQLite, between processes on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

from sanya.engines.database import open_database
from sanya.engines.job_queue import EmbeddedQueue
from sanya.engines.jobs import SqlJobs
from sanya.kernel.calls.call import ignore_progress
from sanya.kernel.clock import read_clock
from sanya.kernel.jobs.job import Job, JobQueue, JobResult
from sanya.kernel.jobs.runner import JobRunner, JobTimings, RunningJob

QUICK = JobTimings(lease_s=5.0, beat_s=0.2, look_s=0.01)
PATIENCE_S = 30.0


class Server:
    """Stand for a process: with its own connection and its own runner."""

    def __init__(self, url: str, jobs: SqlJobs) -> None:
        self.jobs = jobs
        self.done: Counter[str] = Counter()
        self.is_held = False
        self.has_begun = asyncio.Event()
        self.runner = JobRunner(jobs, lambda: queue_of(url, jobs), {"test": self.work}, QUICK)

    async def work(self, running: RunningJob) -> JobResult:
        self.has_begun.set()
        if self.is_held:
            await asyncio.sleep(PATIENCE_S)
        await asyncio.sleep(0.02)
        self.done[running.job.id] += 1
        return JobResult("done")

    async def wait_for(self, job: Job) -> Job:
        return await self.runner.wait(job.id, PATIENCE_S, ignore_progress)


def queue_of(url: str, jobs: SqlJobs) -> JobQueue:
    if not url:
        return EmbeddedQueue(jobs)
    from sanya.engines.postgresql.job_queue import PostgresqlQueue

    return PostgresqlQueue(url, jobs)


@asynccontextmanager
async def serving(url: str, home: Path) -> AsyncIterator[Server]:
    async with open_database(url, home) as database:
        server = Server(url, SqlJobs(database))
        task = asyncio.create_task(server.runner.serve_queue())
        try:
            yield server
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def test_jobs_are_shared_by_servers_and_each_is_done_once(database_url: str, home: Path) -> None:
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(serving(database_url, home)) for _ in range(2)]
        first = servers[0]
        jobs = [await first.runner.submit("test", "owner", {}) for _ in range(1)]
        jobs += [await first.jobs.create("test", "owner", {}, read_clock()) for _ in range(9)]
        assert {(await first.wait_for(job)).state for job in jobs} == {"done"}
    assert servers[0].done + servers[1].done == Counter({job.id: 1 for job in jobs})


async def test_what_waited_or_was_left_by_a_dead_worker_is_taken_up_at_the_start(database_url: str, home: Path) -> None:
    async with open_database(database_url, home) as database:
        jobs = SqlJobs(database)
        waiting = await jobs.create("test", "owner", {}, read_clock())
        left = await jobs.create("test", "owner", {}, read_clock() - timedelta(minutes=1), lease_s=5)
    async with serving(database_url, home) as server:
        assert (await server.wait_for(waiting)).state == "done"
        taken_up = await server.wait_for(left)
    assert (taken_up.state, taken_up.attempts) == ("done", 2)


async def test_a_server_that_stops_gives_its_job_to_the_next(database_url: str, home: Path) -> None:
    async with serving(database_url, home) as server:
        server.is_held = True
        job = await server.jobs.create("test", "owner", {}, read_clock())
        await asyncio.wait_for(server.has_begun.wait(), PATIENCE_S)
    async with serving(database_url, home) as server:
        ended = await server.wait_for(job)
    assert (ended.state, ended.attempts) == ("done", 1)


async def test_the_queue_of_another_version_is_dropped_unless_somebody_works_with_it(
    postgresql_url: str, home: Path
) -> None:
    import psycopg

    async with serving(postgresql_url, home) as server:
        await server.wait_for(await server.jobs.create("test", "owner", {}, read_clock()))
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        (ours,) = connection.execute("SELECT current_schema()").fetchone() or ("",)
        for name in ("idle", "busy"):
            connection.execute(f'CREATE SCHEMA "{ours}_queue_{name}"')
            connection.execute(f'CREATE TABLE "{ours}_queue_{name}".procrastinate_workers (last_heartbeat timestamptz)')
        connection.execute(f'INSERT INTO "{ours}_queue_busy".procrastinate_workers VALUES (now())')
        async with serving(postgresql_url, home) as server:
            await server.wait_for(await server.jobs.create("test", "owner", {}, read_clock()))
        rows = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", (f"{ours}_queue_",)
        )
        names = {str(name).removeprefix(f"{ours}_queue_") for (name,) in rows}
        assert "busy" in names
        assert "idle" not in names
        assert len(names) == 2
        for name in names:
            connection.execute(f'DROP SCHEMA "{ours}_queue_{name}" CASCADE')
