"""Letting what is derived follow the store: once for all who ask at the same time, and to its end whoever goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

Work = Callable[[], Awaitable[int]]
"""Catches up, and returns the change that is reached."""


class CatchingUp:
    def __init__(self, catch_up: Work) -> None:
        self._catch_up = catch_up
        self.reached = -1
        """The change that all is known to have followed to."""
        self._is_forgotten = False
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def reach(self, wanted: int) -> None:
        """Many who ask at once wait for one catching up: for the first that begins after they asked."""
        if self._is_behind(wanted):
            await self._to_the_end(self._reach(wanted))

    async def begin_anew(self, work: Work) -> None:
        """Lets `work` make anew what was derived. Nobody catches up beside it."""
        await self._to_the_end(self._begin_anew(work))

    def forget(self) -> None:
        """Whoever asks next has it caught up, also where nothing is new."""
        self._is_forgotten = True

    @asynccontextmanager
    async def ended(self) -> AsyncIterator[None]:
        """Waits for what was begun; nothing begins meanwhile."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        async with self._turn:
            yield

    async def break_off(self) -> None:
        """For work that may stop at any step and is gone on with at the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _to_the_end(self, work: Coroutine[Any, Any, None]) -> None:
        # A task of its own: whoever goes away must neither leave it half way for those who wait for it as well, nor let
        # the next one begin beside a thread that still derives.
        task = asyncio.create_task(work, name="search index")
        self._tasks.add(task)
        task.add_done_callback(self._drop)
        await asyncio.shield(task)

    def _drop(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever waited; if nobody did, the next one meets it again

    def _is_behind(self, wanted: int) -> bool:
        return self._is_forgotten or wanted > self.reached

    async def _reach(self, wanted: int) -> None:
        async with self._turn:
            if self._is_behind(wanted):
                await self._done(self._catch_up)

    async def _begin_anew(self, work: Work) -> None:
        async with self._turn:
            # If it fails, the next one must not take what was there before for the end of it.
            self.forget()
            await self._done(work)

    async def _done(self, work: Work) -> None:
        self.reached = await work()
        self._is_forgotten = False
