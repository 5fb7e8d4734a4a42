"""Keeps the suites' background work going while a server runs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from sanya.kernel.faults import Unavailable
from sanya.kernel.suite import Worker

log = logging.getLogger(__name__)

_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0


@asynccontextmanager
async def at_work(workers: Iterable[Worker]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(_keep(worker), name=worker.name) for worker in workers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _keep(worker: Worker) -> None:
    """A worker that fails begins again, later each time; one that returns has nothing more to do."""
    pause = _FIRST_PAUSE_S
    while True:
        began = time.monotonic()
        try:
            return await worker.run()
        except Unavailable as fault:  # an engine is away; its breaker has told the log
            log.warning("%s waits: %s", worker.name, fault.message)
        except Exception:  # whatever it was, the server goes on and the log has it
            log.exception("%s failed; it begins again in %.0f s", worker.name, pause)
        if time.monotonic() - began > _LONGEST_PAUSE_S:  # it went well for long
            pause = _FIRST_PAUSE_S
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_S)
