"""How often a caller may call. A leaky bucket (GCRA): one number a caller, and a true time to come back."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from sanya.kernel.call import Caller
from sanya.kernel.faults import RateLimited

BURST_SECONDS = 10.0
_FORGET_ABOVE = 10_000


class RateLimiter(Protocol):
    def admit(self, caller: Caller) -> Awaitable[None] | None:
        """Counts one call, or raises RateLimited with the milliseconds until the next one is admitted. A limiter that
        must ask others first gives what to wait for; most do not, and a call is spared the detour."""
        ...


class LocalRateLimiter:
    """For one process. A caller may burst ten seconds' worth of calls, then goes at the steady rate."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._earliest: dict[str, float] = {}

    def admit(self, caller: Caller) -> None:
        if caller.calls_per_minute <= 0:
            return
        now = self._monotonic()
        interval = 60.0 / caller.calls_per_minute
        earliest = max(self._earliest.get(caller.id, now), now)
        # By differences: a sum of times is rounded, and a first call would now and then be refused for a moment.
        wait = (earliest - now) - (max(BURST_SECONDS, interval) - interval)
        if wait > 0:
            raise refusal(caller, math.ceil(wait * 1000))
        if len(self._earliest) > _FORGET_ABOVE:
            self._earliest = {one: at for one, at in self._earliest.items() if at > now}
        self._earliest[caller.id] = earliest + interval


def refusal(caller: Caller, retry_after_ms: int) -> RateLimited:
    return RateLimited(
        f"more than {caller.calls_per_minute} calls a minute; try again in {retry_after_ms} ms",
        retry_after_ms=retry_after_ms,
        details={"calls_per_minute": caller.calls_per_minute},
    )
