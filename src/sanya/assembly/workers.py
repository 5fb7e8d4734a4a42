"""Runs the background work of the suites while a server runs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from sanya.kernel.contracts.suite import Worker
from sanya.kernel.faults import Unavailable

log = logging.getLogger(__name__)

_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0


@asynccontextmanager
async def run_workers(workers: Iterable[Worker]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(_keep_running(worker), name=worker.name) for worker in workers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _keep_running(worker: Worker) -> None:
    """Restart a worker that fails, with a growing pause. A worker that returns has finished."""
    pause = _FIRST_PAUSE_S
    while True:
        began = time.monotonic()
        try:
            return await worker.run()
        except Unavailable as fault:  # an engine is down; its circuit breaker has logged it
            log.warning("%s: waiting, %s", worker.name, fault.message)
        except Exception:  # the server must keep running; the log has the error
            log.exception("%s failed; restarting in %.0f s", worker.name, pause)
        if time.monotonic() - began > _LONGEST_PAUSE_S:  # it ran well for long
            pause = _FIRST_PAUSE_S
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_S)
