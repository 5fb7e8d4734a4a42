"""How fast and how patiently an outside party is asked: a budget of requests a second, and waits after a failure."""

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
    """Time as a source sees it; tests have one that does not wait."""

    now_s: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Budget(Protocol):
    """Requests that may be made. One for all who ask the same party; several processes share one through a server."""

    async def take(self) -> None:
        """Returns when the next request may be made."""
        ...


class Unlimited:
    """For a party that says itself when it has enough."""

    async def take(self) -> None:
        return None


class LocalBudget:
    """Requests at even distances, for one process."""

    def __init__(self, per_second: float, clock: Clock) -> None:
        self._gap_s = 1 / per_second
        self._clock = clock
        self._next_s = 0.0

    async def take(self) -> None:
        now = self._clock.now_s()
        # The turn is taken before the wait, so whoever comes meanwhile gets a later one.
        turn = max(now, self._next_s)
        self._next_s = turn + self._gap_s
        if turn > now:
            await self._clock.sleep(turn - now)


@cache
def process_budget(party: str, per_second: float) -> LocalBudget:
    """The one budget of this process for a party, however many homes are open."""
    del party
    return LocalBudget(per_second, Clock())


@dataclass(frozen=True, slots=True)
class Patience:
    """Waits that double from try to try, each cut by chance so that many who failed at once do not return at once."""

    tries: int = 5
    first_s: float = 0.5
    most_s: float = 30.0
    chance: Callable[[], float] = field(default=random.Random().random)  # noqa: S311 - spreads waits, keeps no secret

    def wait_s(self, attempt: int, asked_s: float | None = None) -> float:
        """How long to wait after this try (from 0); `asked_s` is what the other side asked for."""
        if asked_s is not None:
            return min(asked_s, self.most_s)
        longest: float = min(self.first_s * 2**attempt, self.most_s)
        return longest / 2 + self.chance() * longest / 2
