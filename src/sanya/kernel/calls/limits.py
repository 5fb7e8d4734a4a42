"""Rate limits by the generic cell rate algorithm (GCRA, a leaky bucket).

It stores one number for each caller and gives the exact time until the next call is admitted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import RateLimited

BURST_SECONDS = 10.0
_FORGET_ABOVE = 10_000


class RateLimiter(Protocol):
    def admit(self, caller: Caller) -> Awaitable[None] | None:
        """Count one call, or raise RateLimited with the milliseconds until the next one is admitted. Return an
        awaitable if a shared store has to be asked first; None spares the call that await."""
        ...


class LocalRateLimiter:
    """Limits within one process. A caller may send ten seconds' worth of calls at once, then the steady rate
    applies."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._earliest: dict[str, float] = {}

    def admit(self, caller: Caller) -> None:
        if caller.calls_per_minute <= 0:
            return
        now = self._monotonic()
        interval = 60.0 / caller.calls_per_minute
        earliest = max(self._earliest.get(caller.id, now), now)
        # Computed by differences: a rounded sum of times would now and then refuse a first call for an instant.
        wait = (earliest - now) - (max(BURST_SECONDS, interval) - interval)
        if wait > 0:
            raise make_refusal(caller, math.ceil(wait * 1000))
        if len(self._earliest) > _FORGET_ABOVE:
            self._earliest = {id: at for id, at in self._earliest.items() if at > now}
        self._earliest[caller.id] = earliest + interval


def make_refusal(caller: Caller, retry_after_ms: int) -> RateLimited:
    return RateLimited(
        f"more than {caller.calls_per_minute} calls a minute; retry in {retry_after_ms} ms",
        retry_after_ms=retry_after_ms,
        details={"calls_per_minute": caller.calls_per_minute},
    )
