"""Runs jobs: claims one, renews the claim while its handler handlers, and stores how it ended.

A server runs all jobs in the background. Without a server, as in a single call from the command line, the caller's own
process runs the job, under the same kind of claim.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sanya.kernel.calls.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.clock import read_clock
from sanya.kernel.faults import Fault, StoreUnavailable
from sanya.kernel.jobs.job import ClaimLost, Job, JobQueue, JobResult, Jobs

log = logging.getLogger(__name__)

# A job that kills its worker is not retried for ever.
MAX_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class JobTimings:
    """`lease_s` is how long a claim holds unless renewed, `beat_s` how often it is renewed, `look_s` how often a
    waiting call polls."""

    lease_s: float = 20.0
    beat_s: float = 1.0
    look_s: float = 0.1


@dataclass(slots=True)
class RunningJob:
    """A claimed job, as its handler sees it."""

    job: Job
    jobs: Jobs
    now: Callable[[], datetime]
    sink: ProgressSink = ignore_progress
    progress: Progress = field(default_factory=lambda: Progress(0))

    def report(self, progress: Progress) -> None:
        self.progress = progress
        self.sink(progress)

    async def log(self, *lines: str) -> None:
        await self.jobs.write_log(self.job.id, lines, self.now())


JobHandler = Callable[[RunningJob], Awaitable[JobResult]]


class _CancelAsked(Exception):
    """Raised when the running job is to be cancelled."""


class JobRunner:
    def __init__(
        self,
        jobs: Jobs,
        open_queue: Callable[[], JobQueue],
        handlers: Mapping[str, JobHandler],
        pace: JobTimings | None = None,
        now: Callable[[], datetime] = read_clock,
    ) -> None:
        """`handlers` do the work, by kind of job. Only a server opens the queue, when it first serves it."""
        self.jobs = jobs
        self._open_queue = open_queue
        self._queue: JobQueue | None = None
        self._handlers = handlers
        self._pace = pace or JobTimings()
        self._now = now
        self._servers = 0

    async def serve_queue(self) -> None:
        """Run the jobs that are due, until cancelled: the background work of a server."""
        self._queue = self._queue or self._open_queue()
        self._servers += 1
        try:
            await self._queue.serve(self.run)
        finally:
            self._servers -= 1

    async def submit(self, kind: str, owner: str, input: Mapping[str, Any], id: str | None = None) -> Job:
        """Create a job: for the queue if it is served, else claimed by this process."""
        if self._queue is None or not self._servers:
            return await self.jobs.create(kind, owner, input, self._now(), self._pace.lease_s, id=id)
        job = await self.jobs.create(kind, owner, input, self._now(), id=id)
        await self._queue.put(job.id)
        return job

    async def finish(self, job: Job, wait_s: float, progress: ProgressSink) -> Job:
        """Return the submitted job once it has ended, or after `wait_s`. A job claimed by this process is run here, to
        its end; it is cancelled if the caller goes away."""
        if job.claim is not None:
            await self._do_here(job, progress)
        return await self.wait(job.id, wait_s, progress)

    async def run(self, job_id: str) -> None:
        """Claim the job and run it. Do nothing if another worker has it, or no handler knows its kind."""
        job = await self.jobs.get(job_id)
        if job is None or job.kind not in self._handlers:
            return
        job = await self.jobs.claim(job_id, self._now(), self._pace.lease_s)
        if job is not None:
            await self._do(job, ignore_progress)

    async def _do(self, job: Job, sink: ProgressSink) -> None:
        running = RunningJob(job, self.jobs, self._now, sink, job.progress)
        try:
            finished = await self._attempt(running)
            await self.jobs.renew_claim(job, running.progress, self._now(), self._pace.lease_s)
            await running.log(_describe_ending(finished))
            await self.jobs.finish(job, finished, self._now())
        except ClaimLost:
            log.warning("job %s: claim lost to another worker", job.id)
        except asyncio.CancelledError:
            await self.jobs.release(job, self._now())
            raise

    async def _do_here(self, job: Job, progress: ProgressSink) -> None:
        try:
            await self._do(job, progress)
        except asyncio.CancelledError:
            await self.jobs.cancel(job.id, self._now())
            raise

    async def wait(self, job_id: str, wait_s: float, progress: ProgressSink) -> Job:
        """Return the job once it has ended, or after `wait_s`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + wait_s
        seen: Progress | None = None
        while True:
            job = await self.jobs.get(job_id)
            assert job is not None, "jobs are never removed"
            if job.progress != seen and job.state == "running":
                seen = job.progress
                progress(seen)
            if job.has_ended or loop.time() >= until:
                return job
            await asyncio.sleep(self._pace.look_s)

    async def _attempt(self, running: RunningJob) -> JobResult:
        job = running.job
        if job.cancel_asked:
            return _CANCELLED
        if job.attempts > MAX_ATTEMPTS:
            return JobResult(
                "error", error=f"given up after {MAX_ATTEMPTS} attempts: each worker stopped before the end"
            )
        await running.log("started" if job.attempts == 1 else f"resumed, attempt {job.attempts}")
        try:
            return await self._run_watched(running)
        except _CancelAsked:
            return _CANCELLED
        except (StoreUnavailable, ClaimLost):
            raise  # nothing can be stored now; the claim expires, and another worker resumes the job
        except Fault as fault:
            return JobResult("error", error=fault.message)
        except Exception as error:  # a bug: the job ends, the log has the rest
            error_id = "err_" + secrets.token_hex(8)
            log.error("job %s failed", job.id, exc_info=error, extra={"error_id": error_id})
            return JobResult("error", error=f"Internal error ({error_id}).")

    async def _run_watched(self, running: RunningJob) -> JobResult:
        """Run the handler and renew the claim at every beat, until it is done or the job is cancelled."""
        work = asyncio.ensure_future(self._handlers[running.job.kind](running))
        try:
            while not (await asyncio.wait({work}, timeout=self._pace.beat_s))[0]:
                if await self.jobs.renew_claim(running.job, running.progress, self._now(), self._pace.lease_s):
                    raise _CancelAsked
            return work.result()
        finally:
            work.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await work


_CANCELLED = JobResult("error", error="cancelled", ending="cancelled")


def _describe_ending(finished: JobResult) -> str:
    if finished.ending == "cancelled":
        return "cancelled"
    return "done" if finished.state == "done" else f"failed: {finished.error}"
