"""Notes when a handler blocks the event loop: everybody waits for it, and nobody else would say so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

log = logging.getLogger(__name__)

_INTERVAL_S = 0.5
_THRESHOLD_S = 0.5  # less, and a busy machine would be blamed on a tool


class EventLoopMonitor:
    """`called` has the tools that were called since the last look: one of them is it."""

    def __init__(self, called: set[str], look_every_s: float = _INTERVAL_S, too_long_s: float = _THRESHOLD_S) -> None:
        self._called = called
        self._look_every_s = look_every_s
        self._too_long_s = too_long_s

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._watch(), name="stall watch")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + self._look_every_s
            await asyncio.sleep(self._look_every_s)
            stood_still_s = loop.time() - due
            if stood_still_s > self._too_long_s:
                log.warning(
                    "the server stood still for %d ms while %s ran: work that blocks belongs in a thread",
                    stood_still_s * 1000,
                    " or ".join(sorted(self._called)) or "something",
                )
            self._called.clear()
