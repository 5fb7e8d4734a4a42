"""The job queue within one process: the worker looks for due jobs when woken, else every second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime

from sanya.kernel.clock import read_clock
from sanya.kernel.jobs.job import Jobs

_POLL_S = 1.0


class EmbeddedQueue:
    def __init__(self, jobs: Jobs, now: Callable[[], datetime] = read_clock) -> None:
        self._jobs = jobs
        self._now = now
        self._wakeup = asyncio.Event()

    async def put(self, job_id: str) -> None:
        del job_id  # the worker finds it in the table
        self._wakeup.set()

    async def serve(self, work: Callable[[str], Awaitable[None]]) -> None:
        while True:
            self._wakeup.clear()
            for job_id in await self._jobs.list_due(self._now()):
                await work(job_id)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wakeup.wait(), _POLL_S)
