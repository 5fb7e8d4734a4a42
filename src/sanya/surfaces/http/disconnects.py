"""Cancels work whose client has disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from sanya.kernel.calls.deadlines import Deadlines, get_deadlines
from sanya.kernel.calls.guarded_waits import run_guarded
from sanya.surfaces.http.asgi import Receive
from sanya.surfaces.http.body import ClientGone

WATCH_AFTER_S = 0.25

WorkResult = TypeVar("WorkResult")


async def cancel_on_disconnect(work: Coroutine[Any, Any, WorkResult], receive: Receive) -> WorkResult:
    """Await the work and cancel it when the client disconnects. Raises ClientGone then.

    Watching costs a task, so it begins only after WATCH_AFTER_S; most calls are done by then.
    """
    watch = _DisconnectWatch(receive)
    try:
        return await run_guarded(work, watch.begin_later)
    except asyncio.CancelledError:
        if watch.claim_cancellation():
            raise ClientGone from None
        raise
    finally:
        watch.end()


class _DisconnectWatch:
    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._client_gone = False
        self._task: asyncio.Task[Any] | None = None
        self._deadlines: Deadlines | None = None
        self._number = 0
        self._watcher: asyncio.Task[None] | None = None

    def begin_later(self) -> None:
        self._task = asyncio.current_task()
        self._deadlines = get_deadlines()
        self._number = self._deadlines.start(WATCH_AFTER_S, self._begin)

    def claim_cancellation(self) -> bool:
        """Return whether the client's leaving alone caused the cancellation, and take it back."""
        return self._client_gone and self._task is not None and self._task.uncancel() == 0

    def end(self) -> None:
        if self._deadlines is not None:
            self._deadlines.stop(self._number)
        if self._watcher is not None:
            self._watcher.cancel()

    def _begin(self) -> None:
        self._watcher = asyncio.create_task(self._wait())

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._client_gone = True
        assert self._task is not None
        self._task.cancel()
