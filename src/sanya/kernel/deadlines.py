"""Many deadlines, one timer: a call pays for a dictionary entry, not for a timer of its own.

Long deadlines are guards (a handler that hangs, a body that never ends), so they may be late by a quarter second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

GRAIN_S = 0.25
_EXACT_BELOW_S = 2.0


class Deadlines:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._due: dict[int, tuple[float, Callable[[], object]]] = {}
        self._last = 0
        self._ticking = False

    def start(self, seconds: float, act: Callable[[], object]) -> int:
        """Runs `act` once the time has passed, unless `stop` is called first."""
        self._last += 1
        self._due[self._last] = (self._loop.time() + seconds, act)
        if not self._ticking:
            self._tick_later()
        return self._last

    def stop(self, number: int) -> None:
        self._due.pop(number, None)

    def _tick_later(self) -> None:
        self._ticking = True
        self._loop.call_later(GRAIN_S, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        now = self._loop.time()
        for number, (at, act) in list(self._due.items()):
            if at <= now:
                del self._due[number]
                act()
        if self._due:
            self._tick_later()


_of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, Deadlines] = WeakKeyDictionary()


def deadlines() -> Deadlines:
    """The deadlines of the running loop."""
    loop = asyncio.get_running_loop()
    found = _of_loop.get(loop)
    if found is None:
        found = _of_loop[loop] = Deadlines(loop)
    return found


class Deadline:
    """Cancels the running task once its time has passed. Whoever catches the cancellation asks `has_struck`, and
    `stop` must follow in any case."""

    __slots__ = ("_deadlines", "_number", "_struck", "_task", "_timer")

    def __init__(self, seconds: float) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._struck = False
        self._deadlines = deadlines()
        self._number = 0
        self._timer: asyncio.TimerHandle | None = None
        if seconds < _EXACT_BELOW_S:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._strike)
        else:
            self._number = self._deadlines.start(seconds, self._strike)

    def has_struck(self) -> bool:
        """Whether the cancellation was this deadline's, and nobody else's beside it. To be asked once."""
        if not self._struck:
            return False
        self._struck = False
        return self._task.uncancel() == 0

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        else:
            self._deadlines.stop(self._number)
        if self._struck:  # the task went on in spite of it, so nothing of it may stay behind
            self._struck = False
            self._task.uncancel()

    def _strike(self) -> None:
        self._struck = True
        self._task.cancel()
