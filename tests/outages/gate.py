"""A proxy before an engine: it forwards bytes, or delays, drops, cuts or refuses them, and recovers.

It runs in a thread of its own, so that a blocked loop of the test does not block it.
"""

from __future__ import annotations

import asyncio
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Literal

Mode = Literal["open", "hole", "closed"]
Upstream = Callable[[], Awaitable[tuple[StreamReader, StreamWriter]]]

WAIT_S = 30.0
_PIECE = 65536


def connect_unix(path: str) -> Upstream:
    return lambda: asyncio.open_unix_connection(path)


def connect_tcp(port: int) -> Upstream:
    return lambda: asyncio.open_connection("127.0.0.1", port)


class Gate:
    """A TCP proxy whose `mode` may change while it runs. A connection that was dropped stays silent for good, like one
    whose packets are lost. `delay_s` applies before every piece of an answer."""

    def __init__(self, upstream: Upstream) -> None:
        self.mode: Mode = "open"
        self.delay_s = 0.0
        self.accepted = 0
        self.port = 0
        self._upstream = upstream
        self._last_words: tuple[bytes, bool] | None = None
        self._open: set[asyncio.Task[None]] = set()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))

    def __enter__(self) -> Gate:
        self._thread.start()
        assert self._ready.wait(WAIT_S)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(WAIT_S)
        self._loop.close()

    @property
    def open_connections(self) -> int:
        return len(self._open)

    def heal(self) -> None:
        self.mode, self.delay_s = "open", 0.0

    def cut(self) -> None:
        """Close every connection, whatever is in flight."""
        self._run_in_thread(self._cut())

    def cut_at(self, words: bytes, *, passed_on: bool) -> None:
        """Close the next connection that sends these bytes: before the engine gets them, or after it has acted on them
        and before its answer is forwarded."""
        self._last_words = words, passed_on

    def _run_in_thread(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(WAIT_S)

    async def _cut(self) -> None:
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        await self._cut()

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self.mode == "closed":
            writer.transport.abort()
            return
        self.accepted += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        there: StreamWriter | None = None
        try:
            if self.mode == "hole":
                await reader.read(-1)
                return
            answers, there = await self._upstream()
            await _Passage(self).forward((reader, writer), (answers, there))
        except OSError:
            pass  # the engine is down, or one side has closed
        finally:
            for pipe in (writer, there):
                if pipe is not None:
                    pipe.transport.abort()

    def is_last(self, piece: bytes) -> tuple[bool, bool]:
        """Return whether a piece holds the bytes at which to cut, and whether it is forwarded first."""
        if self._last_words is None or self._last_words[0] not in piece:
            return False, False
        (_, passed_on), self._last_words = self._last_words, None
        return True, passed_on


class _Passage:
    """Serve one connection."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._is_silent = False
        self._swallowed = asyncio.Event()

    async def forward(self, here: tuple[StreamReader, StreamWriter], there: tuple[StreamReader, StreamWriter]) -> None:
        pipes = [asyncio.create_task(pipe) for pipe in (self._ask(here[0], there[1]), self._answer(there[0], here[1]))]
        try:
            await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pipe in pipes:
                pipe.cancel()
            await asyncio.gather(*pipes, return_exceptions=True)

    async def _ask(self, reader: StreamReader, there: StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            is_last, passed_on = self._gate.is_last(piece)
            if is_last and not passed_on:
                return
            if self._is_silenced() and not is_last:
                continue
            if is_last:
                self._is_silent = True
            there.write(piece)
            if is_last:
                async with asyncio.timeout(WAIT_S):
                    await self._swallowed.wait()
                return

    async def _answer(self, answers: StreamReader, writer: StreamWriter) -> None:
        while piece := await answers.read(_PIECE):
            await asyncio.sleep(self._gate.delay_s)
            if self._is_silenced():
                self._swallowed.set()
            else:
                writer.write(piece)

    def _is_silenced(self) -> bool:
        self._is_silent = self._is_silent or self._gate.mode == "hole"
        return self._is_silent
