"""Leaves an engine or an outside party alone for a while after it failed several times in a row, so that callers are
told at once when to come back instead of waiting for what does not answer."""

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

State = Literal["closed", "open", "half-open"]


class LeftAlone(Exception):
    """Raised, in a library's own words, for an engine that is not asked now; whoever does without it goes on."""


def log_level(error: Exception) -> int:
    """How loudly to tell that one did without an engine: the breaker has told that it is left alone."""
    return logging.DEBUG if isinstance(error, LeftAlone) else logging.WARNING


@dataclass(frozen=True, slots=True)
class Tolerance:
    """`failures` in a row open a breaker. The first pause is `first_pause_s`; each trial that fails doubles it, up to
    `longest_pause_s`."""

    failures: int = 5
    first_pause_s: float = 1.0
    longest_pause_s: float = 15.0


class Breaker:
    """Closed: everybody may try. Open: nobody, for the time of a pause. Half-open: one may, whose luck decides.

    `refusal` makes the fault for those who may not, given the milliseconds until the next trial. `on_open` lets the
    engine throw away what hangs.
    """

    def __init__(
        self,
        name: str,
        refusal: Callable[[int], Fault],
        tolerance: Tolerance | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.on_open: Callable[[], None] = _nothing
        self._refusal = refusal
        self._tolerance = tolerance or Tolerance()
        self._clock = clock
        self._failures = 0
        self._pause_s = self._tolerance.first_pause_s
        self._open_until: float | None = None
        self._trial: Attempt | None = None
        self.opened = 0
        """How often it has opened, failed trials included."""

    @property
    def state(self) -> State:
        if self._open_until is None:
            return "closed"
        return "half-open" if self._trial is not None or self._clock() >= self._open_until else "open"

    @property
    def retry_after_ms(self) -> int:
        """How long until somebody may try; 0 where anybody may now."""
        if self._open_until is None:
            return 0
        if self._trial is not None:
            return math.ceil(self._tolerance.first_pause_s * 1000)
        return max(0, math.ceil((self._open_until - self._clock()) * 1000))

    def admit(self) -> Attempt:
        """One attempt, to be used in a `with` block, or the refusal."""
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
        """Who began before it opened has nothing to add: only the trial decides then."""
        if self._open_until is None:
            self._failures += 1
            if self._failures >= self._tolerance.failures:
                self._open()
        elif attempt is not None and attempt is self._trial:
            self._pause_s = min(2 * self._pause_s, self._tolerance.longest_pause_s)
            self._open()

    def give_up(self, attempt: Attempt) -> None:
        """A trial that nobody waited for says nothing, so the next one may try at once."""
        if attempt is self._trial:
            self._trial = None

    def _open(self) -> None:
        self._trial = None
        self._open_until = self._clock() + self._pause_s
        self.opened += 1
        log.warning("%s does not answer; it is asked again in %.0f s", self.name, self._pause_s)
        self.on_open()

    def _close(self) -> None:
        self._trial = self._open_until = None
        self._failures = 0
        self._pause_s = self._tolerance.first_pause_s
        log.warning("%s answers again", self.name)


class Attempt:
    """What came of one try. It may be told more than once: a connection that answered can still break. Who leaves the
    block without a word gives the turn back."""

    __slots__ = ("_breaker",)

    def __init__(self, breaker: Breaker) -> None:
        self._breaker = breaker

    @property
    def is_trial(self) -> bool:
        return self._breaker.is_trial(self)

    def succeeded(self) -> None:
        self._breaker.succeed(self)

    def failed(self) -> None:
        self._breaker.fail(self)

    def __enter__(self) -> Attempt:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._breaker.give_up(self)


class Breakers:
    """One for each engine and outside party of a home, by name, with one tolerance for all."""

    def __init__(self, tolerance: Tolerance | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._tolerance = tolerance
        self._clock = clock
        self._known: dict[str, Breaker] = {}

    def of(self, name: str, refusal: Callable[[int], Fault]) -> Breaker:
        if name not in self._known:
            self._known[name] = Breaker(name, refusal, self._tolerance, self._clock)
        return self._known[name]

    def all(self) -> list[Breaker]:
        return [self._known[name] for name in sorted(self._known)]


def _nothing() -> None:
    return None
