"""The threads of a model: interactive work runs at normal priority, bulk work at a lower one."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sanya.kernel.cores import count_cores

T = TypeVar("T")

INTERACTIVE_TEXTS = 8
"""Up to this many texts are a query or what was just stored: a caller waits for them."""
_NICENESS = 10


class Workers:
    """Two thread pools: a query must neither queue behind a bulk import, nor get only the time that a busy server
    leaves over."""

    def __init__(self, name: str) -> None:
        self._interactive = ThreadPoolExecutor(count_cores(), f"embed-{name}")
        self._background = ThreadPoolExecutor(count_cores(), f"embed-{name}-behind", lower_priority)

    async def run(self, work: Callable[[], T], texts: int) -> T:
        """Run work on a thread. `texts` is how many texts the caller embeds in all, which decides the pool."""
        threads = self._interactive if texts <= INTERACTIVE_TEXTS else self._background
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    def close(self) -> None:
        for threads in (self._interactive, self._background):
            threads.shutdown(cancel_futures=True)


def lower_priority() -> None:
    """Lower the priority of the calling thread only: on Linux, niceness is per thread."""
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
    except (AttributeError, OSError):
        return
