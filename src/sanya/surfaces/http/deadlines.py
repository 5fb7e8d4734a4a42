"""Many deadlines, one timer: a request pays for a dictionary entry, not for a timer of its own.

Deadlines here are guards (a body that never ends, a client that has gone), so they may be late by a quarter second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

GRAIN_S = 0.25


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
