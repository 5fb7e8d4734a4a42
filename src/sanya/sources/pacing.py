"""Paces requests to a remote service: a budget of requests a second, and growing waits after failures."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a source. Tests use one that does not wait."""

    now_s: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Budget(Protocol):
    """A budget of requests, shared by all who call the same service."""

    async def take(self) -> None:
        """Wait until the next request may be made."""
        ...


class Unlimited:
    """No budget: the service itself says when it is overloaded."""

    async def take(self) -> None:
        return None


class LocalBudget:
    """Spaces requests evenly within one process."""

    def __init__(self, per_second: float, clock: Clock) -> None:
        self._gap_s = 1 / per_second
        self._clock = clock
        self._next_s = 0.0

    async def take(self) -> None:
        now = self._clock.now_s()
        # The turn is taken before the wait, so a concurrent caller gets a later one.
        turn = max(now, self._next_s)
        self._next_s = turn + self._gap_s
        if turn > now:
            await self._clock.sleep(turn - now)


@cache
def get_process_budget(party: str, per_second: float) -> LocalBudget:
    """Return the budget of this process for a service, however many homes are open."""
    del party
    return LocalBudget(per_second, Clock())


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with jitter, so that clients that failed together do not retry together."""

    tries: int = 5
    first_s: float = 0.5
    most_s: float = 30.0
    chance: Callable[[], float] = field(default=random.Random().random)  # noqa: S311 - jitter, not a secret

    def compute_wait_s(self, attempt: int, asked_s: float | None = None) -> float:
        """Return the wait after this attempt (from 0). `asked_s` is what the service asked for."""
        if asked_s is not None:
            return min(asked_s, self.most_s)
        longest: float = min(self.first_s * 2**attempt, self.most_s)
        return longest / 2 + self.chance() * longest / 2
