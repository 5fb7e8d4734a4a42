"""Runs refreshes of a derived index: one at a time, shared by all callers that wait, and to the end even if they
leave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

RefreshWork = Callable[[], Awaitable[int]]
"""Work that derives what is missing and returns the change that is reached."""


class Refresher:
    def __init__(self, catch_up: RefreshWork) -> None:
        self._catch_up = catch_up
        self.reached = -1
        """The change up to which everything is derived."""
        self._asked = 0
        """The last change that a refresh was asked for."""
        self._is_invalid = False
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_complete(self) -> bool:
        """True if everything is derived that a refresh was asked for."""
        return not self._is_behind(self._asked)

    async def refresh_to(self, seq: int) -> None:
        """Wait until the change `seq` is derived. Callers that ask at once share one refresh."""
        self._asked = max(self._asked, seq)
        if self._is_behind(seq):
            await self._run_shielded(self._refresh_locked(seq))

    async def rebuild(self, work: RefreshWork) -> None:
        """Run `work`, which builds the index again, while no refresh runs."""
        await self._run_shielded(self._rebuild_locked(work))

    def invalidate(self) -> None:
        """Make the next call refresh even if there is no new change."""
        self._is_invalid = True

    @asynccontextmanager
    async def idle(self) -> AsyncIterator[None]:
        """Wait for running work, and let none start inside the block."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        async with self._lock:
            yield

    async def cancel(self) -> None:
        """Cancel running work. This suits work that may stop at any step and continues at the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run_shielded(self, work: Coroutine[Any, Any, None]) -> None:
        # A task of its own: a caller that is cancelled must not stop work that others wait for, nor let the next
        # refresh start beside a thread that still derives.
        task = asyncio.create_task(work, name="search index")
        self._tasks.add(task)
        task.add_done_callback(self._discard_task)
        await asyncio.shield(task)

    def _discard_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # raised to the callers that wait; without any, the next refresh meets it again

    def _is_behind(self, seq: int) -> bool:
        return self._is_invalid or seq > self.reached

    async def _refresh_locked(self, seq: int) -> None:
        async with self._lock:
            if self._is_behind(seq):
                await self._run(self._catch_up)

    async def _rebuild_locked(self, work: RefreshWork) -> None:
        async with self._lock:
            # If it fails, the next caller must not take the former state for a complete one.
            self.invalidate()
            await self._run(work)

    async def _run(self, work: RefreshWork) -> None:
        self.reached = await work()
        self._is_invalid = False
