"""A round-robin reverse proxy in a thread."""

from __future__ import annotations

import asyncio
import threading
from asyncio import StreamReader, StreamWriter
from itertools import count
from types import TracebackType

_END = b"\r\n\r\n"
_OK = b"HTTP/1.1 200"
_BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
SERVED_BY = "x-served-by"


class RoundRobin:
    """Sends each request to the next server. `ports` may change while it runs.

    A server that refuses the connection is skipped. One that dies during a request causes a 502, because the request
    may have been executed. A response header names the server that answered.

    While `losing_every` is set, one answer of so many is lost on its way: the client sees its connection end. `answers`
    has the bodies of all whole answers of status 200, also of those that were lost.
    """

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        self.losing_every = 0
        self.answers: list[bytes] = []
        self.url = ""
        self._turn = count()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))

    def __enter__(self) -> RoundRobin:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        self._loop.close()

    async def _run(self) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._stop.wait()
        server.close()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            writer.write(await self._answer(await _read_request(reader)))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client disconnected
        finally:
            writer.close()

    async def _answer(self, request: bytes) -> bytes:
        for _ in self.ports:
            number = next(self._turn) % len(self.ports)
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.ports[number])
            except OSError:
                continue
            try:
                writer.write(request)
                answer = await reader.read(-1)
            except OSError:
                return _BAD_GATEWAY
            finally:
                writer.close()
            return self._pass_on(answer, number) if _is_whole(answer) else _BAD_GATEWAY
        return _BAD_GATEWAY

    def _pass_on(self, answer: bytes, number: int) -> bytes:
        if answer.startswith(_OK):
            self.answers.append(answer.partition(_END)[2])
        if self.losing_every and len(self.answers) % self.losing_every == 0:
            return b""
        return _add_server_header(answer, number)


async def _read_request(reader: StreamReader) -> bytes:
    head = await reader.readuntil(_END)
    body = await reader.readexactly(_parse_length(head) or 0)
    lines = [line for line in head.split(b"\r\n") if line and not line.lower().startswith(b"connection:")]
    return b"\r\n".join([*lines, b"connection: close"]) + _END + body


def _parse_length(head: bytes) -> int | None:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return None


def _is_whole(answer: bytes) -> bool:
    head, found, body = answer.partition(_END)
    return bool(found) and len(body) == (_parse_length(head) if _parse_length(head) is not None else len(body))


def _add_server_header(answer: bytes, number: int) -> bytes:
    status, _, rest = answer.partition(b"\r\n")
    return status + f"\r\n{SERVED_BY}: {number}\r\n".encode() + rest
