"""Cancels work whose client has disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from sanya.kernel.deadlines import get_deadlines
from sanya.surfaces.http.asgi import Receive
from sanya.surfaces.http.body import ClientGone

WATCH_AFTER_S = 0.25

WorkResult = TypeVar("WorkResult")


async def cancel_on_disconnect(work: Awaitable[WorkResult], receive: Receive) -> WorkResult:
    """Await the work and cancel it when the client disconnects. Raises ClientGone then.

    Watching costs a task, so it begins only after WATCH_AFTER_S; most calls are done by then.
    """
    task = asyncio.current_task()
    assert task is not None
    watch = _DisconnectWatch(task, receive)
    guards = get_deadlines()
    guard = guards.start(WATCH_AFTER_S, watch.begin)
    try:
        return await work
    except asyncio.CancelledError:
        if watch.client_gone and task.uncancel() == 0:
            raise ClientGone from None
        raise
    finally:
        guards.stop(guard)
        watch.end()


class _DisconnectWatch:
    def __init__(self, task: asyncio.Task[Any], receive: Receive) -> None:
        self.client_gone = False
        self._task = task
        self._receive = receive
        self._watcher: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._watcher = asyncio.create_task(self._wait())

    def end(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.client_gone = True
        self._task.cancel()
