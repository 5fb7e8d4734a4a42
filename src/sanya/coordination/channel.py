"""A channel between two processes of one server: each may ask, and answers what the other asks.

It runs over a pair of connected Unix sockets. A message is a JSON object behind its length in four bytes. Each side
numbers what it asks, and the answer carries that number, so many questions can wait at once. Only processes that the
supervisor started hold an end, so nothing here is authenticated.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import orjson

ChannelMessage = dict[str, Any]
Answer = Callable[[ChannelMessage], Awaitable[ChannelMessage]]

_LENGTH = struct.Struct(">I")
_MAX_BYTES = 64 * 1024 * 1024


class ChannelClosed(Exception):
    """The process at the other end is gone."""


class Channel:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answer) -> None:
        self._reader = reader
        self._writer = writer
        self._answer = answer
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[ChannelMessage]] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self.ended = asyncio.Event()
        """Set when the other process has gone, or the channel was closed."""
        self._reading = asyncio.create_task(self._read_messages(), name="channel")

    async def ask(self, message: ChannelMessage) -> ChannelMessage:
        """Send a question and return the answer. Raise ChannelClosed where none can come any more."""
        if self.ended.is_set():
            raise ChannelClosed
        number = next(self._numbers)
        self._waiting[number] = waiting = asyncio.get_running_loop().create_future()
        try:
            self._send({"ask": number, "message": message})
            answer: ChannelMessage = await waiting
            return answer
        finally:
            self._waiting.pop(number, None)

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, *self._answering, return_exceptions=True)

    def _send(self, envelope: ChannelMessage) -> None:
        data = orjson.dumps(envelope)
        self._writer.write(_LENGTH.pack(len(data)) + data)

    async def _read_messages(self) -> None:
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    self._take(await read_message(self._reader))
        finally:
            self._end()

    def _take(self, envelope: ChannelMessage) -> None:
        if (number := envelope.get("ask")) is not None:
            task = asyncio.create_task(self._send_answer(number, envelope["message"]))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        elif (waiting := self._waiting.get(envelope["answer"])) is not None and not waiting.done():
            waiting.set_result(envelope["message"])

    async def _send_answer(self, number: int, message: ChannelMessage) -> None:
        answer = await self._answer(message)
        if not self.ended.is_set():
            self._send({"answer": number, "message": answer})

    def _end(self) -> None:
        self.ended.set()
        self._writer.close()
        for task in self._answering:
            task.cancel()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ChannelClosed())


async def open_channel(end: socket.socket, answer: Answer) -> Channel:
    end.setblocking(False)
    return Channel(*await asyncio.open_unix_connection(sock=end), answer)


async def read_message(reader: asyncio.StreamReader) -> ChannelMessage:
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    if length > _MAX_BYTES:
        raise ConnectionError(f"a message of {length} bytes")
    message: ChannelMessage = orjson.loads(await reader.readexactly(length))
    return message
