"""A SQLite connection with a thread of its own. A hop costs half of one through the standard executor, and cancelling
the caller interrupts the statement."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")

_INTERRUPT_EVERY_S = 0.01


class ConnectionThread:
    """Opens its connection at the first piece of work and runs one piece at a time. Use `connection` only inside a
    piece of work."""

    def __init__(self, name: str, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # A daemon, so that a program that does not close the database can still end.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def connection(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    async def run(self, work: Callable[[], T]) -> T:
        """Run work on the thread. Cancellation interrupts the statement and returns once the connection is free."""
        try:
            return await self._submit(work)
        except asyncio.CancelledError:
            await self._wait_until_idle(interrupt=True)
            raise

    async def run_to_end(self, work: Callable[[], T]) -> T:
        """Run work on the thread. Cancellation waits for its end, so that the result of a commit is always known."""
        try:
            return await self._submit(work)
        except asyncio.CancelledError:
            await self._wait_until_idle(interrupt=False)
            raise

    def close(self) -> None:
        self._work.put(None)
        self._thread.join()

    def _submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._work.put(partial(_do, loop, future, work))
        return future

    async def _wait_until_idle(self, *, interrupt: bool) -> None:
        idle = self._submit(_do_nothing)
        while not idle.done():
            # Repeated, because an interrupt that comes before the statement has begun is lost.
            if interrupt and self._connection is not None:
                self._connection.interrupt()
            try:
                await asyncio.wait([idle], timeout=_INTERRUPT_EVERY_S)
            except asyncio.CancelledError:
                continue

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
            del work  # else the last result would stay in memory until the next piece of work
        if self._connection is not None:
            self._connection.close()


def _do_nothing() -> None:
    return None


def _do(loop: asyncio.AbstractEventLoop, future: asyncio.Future[T], work: Callable[[], T]) -> None:
    try:
        settle_future: Callable[[], None] = partial(_settle, future, future.set_result, work())
    except BaseException as error:  # every error belongs to the caller that waits
        settle_future = partial(_settle, future, future.set_exception, error)
    try:
        loop.call_soon_threadsafe(settle_future)
    except RuntimeError:
        return  # the loop has ended, and with it every waiter


def _settle(future: asyncio.Future[Any], settle: Callable[[Any], None], outcome: object) -> None:
    if not future.done():
        settle(outcome)
