"""Keeps the workers of one server running: `sanya serve --workers N`.

The supervisor binds the addresses and opens no home. Each worker is a process of its own that listens on the same
addresses from when it serves until it ends, so no connection waits for a worker that is dead or starts. What the
workers must share goes through the coordinator here. The first worker starts alone: it migrates the home and explains
what is wrong with its settings once, not N times. It also does the background work. A worker that dies is replaced,
after a pause that grows while it dies young. A worker whose supervisor dies stops by itself.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from sanya.coordination.coordinator import Coordinator, WorkerConnection
from sanya.kernel.cores import count_cores
from sanya.logs import configure_logging
from sanya.settings import Settings, load_settings
from sanya.surfaces.cli.home import run_on_fast_loop
from sanya.surfaces.http.listener import CannotServe, reserve
from sanya.surfaces.http.listeners import Listeners, bind_listeners
from sanya.surfaces.http.signals import GRACE_S, handle_signals
from sanya.surfaces.serving.order import WorkerOrder

log = logging.getLogger(__name__)

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_END_S = GRACE_S + 20.0
"""Time that a worker has to stop: running calls, then the rows of the ledger and what is open."""


def count_workers(home: str | None, overrides: dict[str, Any]) -> int:
    """Return how many processes the settings ask for."""
    chosen = load_settings({"home": home, **overrides}).workers
    count = count_cores() if chosen == "auto" else int(chosen or 1)
    if count > 1 and sys.platform == "win32":
        raise CannotServe("Several workers share a listening socket, which Windows cannot pass on. Set workers = 1.")
    return count


def run_supervisor(home: str | None, overrides: dict[str, Any], count: int) -> int:
    """Serve in so many workers until a signal. Return the exit code."""
    settings = load_settings({"home": home, **overrides})
    configure_logging(settings.log_level, settings.log_format)
    with bind_listeners(settings, reserve) as listeners:
        return run_on_fast_loop(Supervisor(settings, home, overrides, listeners, count).run())


class Supervisor:
    def __init__(
        self, settings: Settings, home: str | Path | None, overrides: dict[str, Any], listeners: Listeners, count: int
    ) -> None:
        self._settings = settings
        self._home = None if home is None else str(home)
        self._overrides = overrides
        self._listeners = listeners
        self._count = count
        self._coordinator = Coordinator(settings.request_window_s)
        self._stopping = asyncio.Event()
        self._running: set[Process] = set()

    async def run(self) -> int:
        with handle_signals(self._stopping) as hurry:
            first = await self._start(0, announced=True)
            if not await self._wait_until_ready(first):
                return await self._end(first)
            places = [self._keep_running(0, first), *(self._keep_running(index) for index in range(1, self._count))]
            keeping = [asyncio.create_task(place, name="worker") for place in places]
            await self._stopping.wait()
            self._terminate()
            await self._wait_for_end(keeping, hurry)
        log.info("all workers have stopped")
        return 0

    async def _start(self, index: int, *, announced: bool = False) -> RunningWorker:
        ours, theirs = socket.socketpair()
        with theirs, self._listeners.join() as listeners:
            descriptors = (theirs.fileno(), *listeners.list_descriptors())
            command = (sys.executable, "-m", "sanya.surfaces.serving.worker", *map(str, descriptors))
            # In a session of its own: Ctrl-C reaches only the supervisor, which stops the workers one way.
            process = await asyncio.create_subprocess_exec(
                *command, stdin=DEVNULL, pass_fds=descriptors, start_new_session=True
            )
        if self._settings.pin_workers:
            _pin(process.pid, index)
        WorkerOrder(self._home, self._overrides, index, self._count, announced).send(ours)
        self._running.add(process)
        return RunningWorker(process, await self._coordinator.connect(index, ours))

    async def _wait_until_ready(self, worker: RunningWorker) -> bool:
        """Wait until it serves. Return False if it ended, or was told to stop, before that."""
        events: list[Coroutine[Any, Any, Any]] = [
            worker.connection.ready.wait(),
            worker.process.wait(),
            self._stopping.wait(),
        ]
        waiting = [asyncio.create_task(event) for event in events]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        return worker.connection.ready.is_set() and not self._stopping.is_set()

    async def _end(self, worker: RunningWorker) -> int:
        """End a worker that never served. Return its exit code: it has said what was wrong."""
        if worker.process.returncode is None:
            worker.process.terminate()
        code = await worker.process.wait()
        await self._forget(worker)
        return 0 if self._stopping.is_set() else max(code, 1)

    async def _keep_running(self, index: int, worker: RunningWorker | None = None) -> None:
        pause = _FIRST_PAUSE_S
        while not self._stopping.is_set():
            began = time.monotonic()
            end = await self._wait_for_worker(index, worker)
            worker = None
            if self._stopping.is_set():
                return
            if time.monotonic() - began > _LONGEST_PAUSE_S:
                pause = _FIRST_PAUSE_S
            log.error("worker %d ended (%s); another starts in %g s", index, end, pause)
            await _wait_at_most(self._stopping, pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _wait_for_worker(self, index: int, worker: RunningWorker | None) -> str:
        """Start this worker, unless it runs already, and wait until it ends. Return how it ended."""
        try:
            worker = worker or await self._start(index)
        except OSError as error:
            return str(error)
        if self._stopping.is_set():  # while it started
            worker.process.terminate()
        code = await worker.process.wait()
        await self._forget(worker)
        return _describe_end(code)

    async def _forget(self, worker: RunningWorker) -> None:
        self._running.discard(worker.process)
        await self._coordinator.disconnect(worker.connection)

    def _terminate(self) -> None:
        for process in self._running:
            if process.returncode is None:
                process.terminate()

    async def _wait_for_end(self, keeping: list[asyncio.Task[None]], hurry: asyncio.Event) -> None:
        """Wait for all workers. A second signal reaches them too; one that takes too long is killed."""
        ended = asyncio.gather(*keeping)
        hurried = asyncio.create_task(hurry.wait())
        either: set[asyncio.Future[Any]] = {ended, hurried}
        await asyncio.wait(either, timeout=_END_S, return_when=asyncio.FIRST_COMPLETED)
        if hurried.done() and not ended.done():
            self._terminate()
            await asyncio.wait({ended}, timeout=_END_S)
        hurried.cancel()
        if not ended.done():
            for process in self._running:
                log.error("a worker did not stop within %g s and is killed", _END_S)
                process.kill()
        await ended


class RunningWorker:
    """A worker process and our end of its channel."""

    def __init__(self, process: Process, connection: WorkerConnection) -> None:
        self.process = process
        self.connection = connection


async def _wait_at_most(event: asyncio.Event, seconds: float) -> None:
    waiting = asyncio.create_task(event.wait())
    await asyncio.wait({waiting}, timeout=seconds)
    waiting.cancel()


def _describe_end(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _pin(pid: int, index: int) -> None:
    """Keep a worker that has just started on one core; its threads and processes inherit that."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with suppress(ProcessLookupError):  # it has ended already, which its keeper notices
            os.sched_setaffinity(pid, {cores[index % len(cores)]})
