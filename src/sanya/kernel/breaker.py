"""Circuit breakers: after several failures in a row an engine or an outside service is not called for a while.

Callers then get a refusal at once, with the time to retry after, instead of waiting for what does not answer.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from sanya.kernel.faults import Fault

log = logging.getLogger(__name__)

BreakerState = Literal["closed", "open", "half-open"]


class CircuitOpen(Exception):
    """Raised inside a client library in place of a call to an engine whose circuit is open.

    Code that can work without the engine catches it and continues.
    """


def choose_log_level(error: Exception) -> int:
    """Return DEBUG for an open circuit, which the breaker has already logged, and WARNING for any other error."""
    return logging.DEBUG if isinstance(error, CircuitOpen) else logging.WARNING


@dataclass(frozen=True, slots=True)
class BreakerPolicy:
    """`failures` in a row open the circuit for `first_pause_s`; each failed trial doubles the pause, up to
    `longest_pause_s`."""

    failures: int = 5
    first_pause_s: float = 1.0
    longest_pause_s: float = 15.0


class Breaker:
    """Closed: every call passes. Open: none does, until the pause ends. Half-open: one trial passes and decides.

    `refusal` makes the fault for a call that may not pass, given the milliseconds until the next trial. `on_open` lets
    the engine discard connections that hang.
    """

    def __init__(
        self,
        name: str,
        refusal: Callable[[int], Fault],
        policy: BreakerPolicy | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.on_open: Callable[[], None] = _do_nothing
        self._refusal = refusal
        self._policy = policy or BreakerPolicy()
        self._clock = clock
        self._failures = 0
        self._pause_s = self._policy.first_pause_s
        self._open_until: float | None = None
        self._trial: Attempt | None = None
        self.open_count = 0
        """Number of times the circuit opened, failed trials included."""

    @property
    def state(self) -> BreakerState:
        if self._open_until is None:
            return "closed"
        return "half-open" if self._trial is not None or self._clock() >= self._open_until else "open"

    @property
    def retry_after_ms(self) -> int:
        """Milliseconds until the next call may pass; 0 if one may pass now."""
        if self._open_until is None:
            return 0
        if self._trial is not None:
            return math.ceil(self._policy.first_pause_s * 1000)
        return max(0, math.ceil((self._open_until - self._clock()) * 1000))

    def admit(self) -> Attempt:
        """Return an attempt to use in a `with` block, or raise the refusal."""
        if self._open_until is None:
            return Attempt(self)
        wait_ms = self.retry_after_ms
        if wait_ms > 0:
            raise self._refusal(wait_ms)
        self._trial = Attempt(self)
        return self._trial

    def is_trial(self, attempt: Attempt) -> bool:
        return attempt is self._trial

    def succeed(self, attempt: Attempt) -> None:
        if self._open_until is None:
            self._failures = 0
        elif attempt is self._trial:
            self._close()

    def fail(self, attempt: Attempt | None = None) -> None:
        """Count a failure. While the circuit is open only the trial counts: others began before it opened."""
        if self._open_until is None:
            self._failures += 1
            if self._failures >= self._policy.failures:
                self._open()
        elif attempt is not None and attempt is self._trial:
            self._pause_s = min(2 * self._pause_s, self._policy.longest_pause_s)
            self._open()

    def give_up(self, attempt: Attempt) -> None:
        """Forget a trial that was abandoned without a result, so that the next call may be the trial."""
        if attempt is self._trial:
            self._trial = None

    def _open(self) -> None:
        self._trial = None
        self._open_until = self._clock() + self._pause_s
        self.open_count += 1
        log.warning("circuit open: %s does not answer; next attempt in %.0f s", self.name, self._pause_s)
        self.on_open()

    def _close(self) -> None:
        self._trial = self._open_until = None
        self._failures = 0
        self._pause_s = self._policy.first_pause_s
        log.warning("circuit closed: %s answers again", self.name)


class Attempt:
    """A call through a breaker.

    Its result may be reported more than once: a connection that answered can still break. Leaving the `with` block
    without a report gives a trial back.
    """

    __slots__ = ("_breaker",)

    def __init__(self, breaker: Breaker) -> None:
        self._breaker = breaker

    @property
    def is_trial(self) -> bool:
        return self._breaker.is_trial(self)

    def report_success(self) -> None:
        self._breaker.succeed(self)

    def report_failure(self) -> None:
        self._breaker.fail(self)

    def __enter__(self) -> Attempt:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._breaker.give_up(self)


class Breakers:
    """The breakers of a home: one for each engine and outside service, by name, under one policy."""

    def __init__(self, policy: BreakerPolicy | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._policy = policy
        self._clock = clock
        self._known: dict[str, Breaker] = {}

    def get(self, name: str, refusal: Callable[[int], Fault]) -> Breaker:
        if name not in self._known:
            self._known[name] = Breaker(name, refusal, self._policy, self._clock)
        return self._known[name]

    def list_all(self) -> list[Breaker]:
        return [self._known[name] for name in sorted(self._known)]


def _do_nothing() -> None:
    return None
