"""Relays a handler's progress to the client.

Hosts time out a silent call after about a minute, and only progress resets their clock. So the relay sends a heartbeat
for a handler that reports nothing. The protocol requires every progress value to exceed the last, and the relay
enforces that.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic

from sanya.kernel.calls.call import Progress, ProgressSink

SendProgress = Callable[[float, float | None, str | None], Awaitable[None]]

HEARTBEAT_S = 15.0
_MAX_QUEUED = 256  # a handler may report faster than a client reads; the oldest reports are dropped
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
        """Yield the sink for a handler. On exit, wait until every report is sent."""
        task = asyncio.create_task(self._run(), name="progress")
        try:
            yield self._report
            self._finished = True
            self._reported.set()
            await task
        finally:
            task.cancel()

    def _report(self, progress: Progress) -> None:
        """Queue a report. Any thread may call this, since blocking handlers run in threads."""
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
        """Wait until the handler reports. Returns False when the next heartbeat is due first."""
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
