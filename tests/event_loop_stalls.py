"""Measures how long an event loop is kept from its other work while something runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from time import perf_counter
from typing import NamedTuple


class LoopStall(NamedTuple):
    longest_s: float
    work_s: float

    @property
    def ratio(self) -> float:
        return self.longest_s / self.work_s


async def measure_stall(work: Awaitable[object]) -> LoopStall:
    """Return the longest pause of the running loop until the work was done, and how long that took."""
    task = asyncio.ensure_future(work)
    started = last = perf_counter()
    longest = 0.0
    while not task.done():
        await asyncio.sleep(0)
        now = perf_counter()
        longest, last = max(longest, now - last), now
    await task
    return LoopStall(longest, last - started)
