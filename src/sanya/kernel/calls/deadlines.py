"""Deadlines that share one timer, so that a call costs a dictionary entry and not a timer of its own.

Long deadlines are guards (against a handler that hangs, a body that never ends), so they may fire a quarter of a second
late.
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
        """Run `act` after this time, unless `stop` is called with the returned number first."""
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


def get_deadlines() -> Deadlines:
    """Return the deadlines of the running event loop."""
    return _find_deadlines(asyncio.get_running_loop())


def _find_deadlines(loop: asyncio.AbstractEventLoop) -> Deadlines:
    known = _of_loop.get(loop)
    if known is None:
        known = _of_loop[loop] = Deadlines(loop)
    return known


class Deadline:
    """Cancels the running task when its time is over.

    Code that catches the cancellation calls `claim_cancellation`; `stop` must follow in any case.
    """

    __slots__ = ("_deadlines", "_has_fired", "_number", "_task", "_timer")

    def __init__(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)  # without the loop it would look for the loop again, which is a system call
        assert task is not None
        self._task = task
        self._has_fired = False
        self._deadlines = _find_deadlines(loop)
        self._number = 0
        self._timer: asyncio.TimerHandle | None = None
        self._start(seconds)

    def _start(self, seconds: float) -> None:
        if seconds < _EXACT_BELOW_S:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._cancel_task)
        else:
            self._number = self._deadlines.start(seconds, self._cancel_task)

    def claim_cancellation(self) -> bool:
        """Return whether the cancellation came from this deadline alone, and take it back. Call it once."""
        if not self._has_fired:
            return False
        self._has_fired = False
        return self._task.uncancel() == 0

    def restart(self, seconds: float) -> None:
        """Begin anew, from any task."""
        if not self._has_fired:
            self.stop()
            self._start(seconds)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        else:
            self._deadlines.stop(self._number)
        if self._has_fired:  # the task finished in spite of the cancellation, so take that back
            self._has_fired = False
            self._task.uncancel()

    def _cancel_task(self) -> None:
        self._has_fired = True
        self._task.cancel()
