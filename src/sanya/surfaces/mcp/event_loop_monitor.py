"""Logs a warning when a handler blocks the event loop, which delays every other request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

log = logging.getLogger(__name__)

_INTERVAL_S = 0.5
_THRESHOLD_S = 0.5  # below this, a busy machine looks like a blocking tool


class EventLoopMonitor:
    """Measures the delay of a periodic timer. `called_tools` holds the tools called since the last tick."""

    def __init__(
        self, called_tools: set[str], interval_s: float = _INTERVAL_S, threshold_s: float = _THRESHOLD_S
    ) -> None:
        self._called_tools = called_tools
        self._interval_s = interval_s
        self._threshold_s = threshold_s

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._watch(), name="event loop monitor")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + self._interval_s
            await asyncio.sleep(self._interval_s)
            delay_s = loop.time() - due
            if delay_s > self._threshold_s:
                log.warning(
                    "event loop blocked for %d ms while %s ran; move blocking work to a thread",
                    delay_s * 1000,
                    " or ".join(sorted(self._called_tools)) or "unknown code",
                )
            self._called_tools.clear()
