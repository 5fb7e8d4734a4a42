"""Runs jobs: claims one, keeps the claim while the work goes on, and writes down how it ended.

A server has an attendant who does this for all jobs; where there is none, as in a single call from the command line,
whoever asked does the work, by the same claim.
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

from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.clock import read_clock
from sanya.kernel.faults import Fault, StoreUnavailable
from sanya.kernel.jobs import ClaimLost, Finished, Job, JobQueue, Jobs

log = logging.getLogger(__name__)

# A job that takes its worker down with it is not tried for ever.
MAX_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a claim holds without a sign of life, how often one is given, and how often a waiting call looks."""

    lease_s: float = 20.0
    beat_s: float = 1.0
    look_s: float = 0.1


@dataclass(slots=True)
class Running:
    """A claimed job at work, as the work sees it."""

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


Work = Callable[[Running], Awaitable[Finished]]


class _CancelAsked(Exception):
    """Somebody wants the running job to stop."""


class JobRunner:
    def __init__(
        self,
        jobs: Jobs,
        open_queue: Callable[[], JobQueue],
        works: Mapping[str, Work],
        pace: Pace | None = None,
        now: Callable[[], datetime] = read_clock,
    ) -> None:
        """`works` are what to do, by kind of job. The queue is opened by the first attendant: only a server has one."""
        self.jobs = jobs
        self._open_queue = open_queue
        self._queue: JobQueue | None = None
        self._works = works
        self._pace = pace or Pace()
        self._now = now
        self._attendants = 0

    async def attend(self) -> None:
        """Does what is due, until it is cancelled: the background work of a server."""
        self._queue = self._queue or self._open_queue()
        self._attendants += 1
        try:
            await self._queue.serve(self.run)
        finally:
            self._attendants -= 1

    async def submit(self, kind: str, owner: str, input: Mapping[str, Any], id: str | None = None) -> Job:
        """A new job: for the attendant, or without one for whoever submits it."""
        if self._queue is None or not self._attendants:
            return await self.jobs.create(kind, owner, input, self._now(), self._pace.lease_s, id=id)
        job = await self.jobs.create(kind, owner, input, self._now(), id=id)
        await self._queue.put(job.id)
        return job

    async def finish(self, job: Job, wait_s: float, progress: ProgressSink) -> Job:
        """Waits so long for the submitted job to end, and gives it as it is then. One that is its caller's is done
        here, to its end; a caller who goes away meanwhile takes it along."""
        if job.claim is not None:
            await self._do_here(job, progress)
        return await self.wait(job.id, wait_s, progress)

    async def run(self, job_id: str) -> None:
        """Claims the job and does it; nothing happens where another has it, or it is not of our kind."""
        job = await self.jobs.get(job_id)
        if job is None or job.kind not in self._works:
            return
        job = await self.jobs.claim(job_id, self._now(), self._pace.lease_s)
        if job is not None:
            await self._do(job, ignore_progress)

    async def _do(self, job: Job, sink: ProgressSink) -> None:
        running = Running(job, self.jobs, self._now, sink, job.progress)
        try:
            finished = await self._attempt(running)
            await self.jobs.beat(job, running.progress, self._now(), self._pace.lease_s)
            await running.log(_last_words(finished))
            await self.jobs.finish(job, finished, self._now())
        except ClaimLost:
            log.warning("job %s was taken over by another worker", job.id)
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
        """The job as it is when it has ended, or so long from now."""
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

    async def _attempt(self, running: Running) -> Finished:
        job = running.job
        if job.cancel_asked:
            return _CANCELLED
        if job.attempts > MAX_ATTEMPTS:
            return Finished("error", error=f"given up: {MAX_ATTEMPTS} workers began with it and none came to its end")
        await running.log("begun" if job.attempts == 1 else f"taken up again, attempt {job.attempts}")
        try:
            return await self._watched(running)
        except _CancelAsked:
            return _CANCELLED
        except (StoreUnavailable, ClaimLost):
            raise  # nothing can be written down now; the claim runs out, and the job is taken up again
        except Fault as fault:
            return Finished("error", error=fault.message)
        except Exception as error:  # a bug of ours, whatever it is: the job ends, the log has the rest
            error_id = "err_" + secrets.token_hex(8)
            log.error("job %s failed", job.id, exc_info=error, extra={"error_id": error_id})
            return Finished("error", error=f"Something failed on our side ({error_id}).")

    async def _watched(self, running: Running) -> Finished:
        """The work, with a sign of life at every beat, until it is done, or somebody wants it to stop."""
        work = asyncio.ensure_future(self._works[running.job.kind](running))
        try:
            while not (await asyncio.wait({work}, timeout=self._pace.beat_s))[0]:
                if await self.jobs.beat(running.job, running.progress, self._now(), self._pace.lease_s):
                    raise _CancelAsked
            return work.result()
        finally:
            work.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await work


_CANCELLED = Finished("error", error="cancelled", ending="cancelled")


def _last_words(finished: Finished) -> str:
    if finished.ending == "cancelled":
        return "cancelled"
    return "done" if finished.state == "done" else f"failed: {finished.error}"
