"""The threads of a model. What somebody waits for runs beside everything else; whole libraries run behind it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sanya.kernel.cores import cores

T = TypeVar("T")

FEW = 8
"""So many texts are a question, or what was stored since the last one: somebody waits for them."""
_NICENESS = 10


class Workers:
    """Two sets of threads: a question must neither queue behind a library that is embedded, nor get only the time that
    the rest of a busy server leaves."""

    def __init__(self, name: str) -> None:
        self._asked = ThreadPoolExecutor(cores(), f"embed-{name}")
        self._stored = ThreadPoolExecutor(cores(), f"embed-{name}-behind", step_back)

    async def run(self, work: Callable[[], T], texts: int) -> T:
        """`texts` is how many the caller wants embedded, in this piece of work and in others."""
        threads = self._asked if texts <= FEW else self._stored
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    def close(self) -> None:
        for threads in (self._asked, self._stored):
            threads.shutdown(cancel_futures=True)


def step_back() -> None:
    """Lowers the priority of the calling thread alone; Linux counts niceness by thread."""
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
    except (AttributeError, OSError):
        return
