"""How jobs reach a worker in the same process: it looks for what is due, at once when told, else every second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime

from sanya.kernel.clock import read_clock
from sanya.kernel.jobs import Jobs

_LOOK_EVERY_S = 1.0


class EmbeddedQueue:
    def __init__(self, jobs: Jobs, now: Callable[[], datetime] = read_clock) -> None:
        self._jobs = jobs
        self._now = now
        self._news = asyncio.Event()

    async def put(self, job_id: str) -> None:
        del job_id  # whoever looks finds it
        self._news.set()

    async def serve(self, work: Callable[[str], Awaitable[None]]) -> None:
        while True:
            self._news.clear()
            for job_id in await self._jobs.due(self._now()):
                await work(job_id)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _LOOK_EVERY_S)
