"""A handler's progress on its way to the client.

Hosts give up on a silent call after about a minute and only progress resets their clock, so a handler that says
nothing is spoken for. The protocol wants every value above the one before, and this sees to that too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic

from sanya.kernel.call import Progress, ProgressSink

SendProgress = Callable[[float, float | None, str | None], Awaitable[None]]

HEARTBEAT_S = 15.0
_MAX_QUEUED = 256  # a handler may report faster than a client reads; then the oldest go
_STEP = 1e-6


class ProgressRelay:
    def __init__(self, send: SendProgress, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._send = send
        self._heartbeat_s = heartbeat_s
        self._loop = asyncio.get_running_loop()
        self._started = monotonic()
        self._queue: deque[Progress] = deque(maxlen=_MAX_QUEUED)
        self._reported = asyncio.Event()
        self._finished = False
        self._last = Progress(-_STEP)

    @asynccontextmanager
    async def relaying(self) -> AsyncIterator[ProgressSink]:
        """Gives the sink for a handler, and leaves once all that it reported is sent."""
        task = asyncio.create_task(self._run(), name="progress")
        try:
            yield self._report
            self._finished = True
            self._reported.set()
            await task
        finally:
            task.cancel()

    def _report(self, progress: Progress) -> None:
        """May be called from any thread: a handler that blocks works in one."""
        self._queue.append(progress)
        self._loop.call_soon_threadsafe(self._reported.set)

    async def _run(self) -> None:
        while True:
            while self._queue:
                await self._forward(self._queue.popleft())
            if self._finished:
                return
            self._reported.clear()
            if not await self._wait_for_report():
                seconds = round(monotonic() - self._started)
                await self._forward(Progress(self._last.done, self._last.total, f"still working, {seconds} s so far"))

    async def _wait_for_report(self) -> bool:
        """Whether the handler had something to say before the next heartbeat is due."""
        try:
            async with asyncio.timeout(self._heartbeat_s):
                await self._reported.wait()
        except TimeoutError:
            return False
        return True

    async def _forward(self, progress: Progress) -> None:
        above = self._last.done + _STEP * max(1.0, abs(self._last.done))
        self._last = Progress(max(progress.done, above), progress.total, progress.message)
        await self._send(self._last.done, self._last.total, self._last.message)
