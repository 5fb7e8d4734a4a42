"""Kept HTTP/1.1 connections to one server, for many small requests.

httpx2 needs seven times the CPU of the request itself, more than everything else in a proxied call (`proxy_overhead`).
This posts and reads, with h11 for the wire; it follows no redirects, and knows neither cookies nor proxies.
"""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

import h11
import httpx2

_MAX_CONNECTIONS = 100
_MAX_IDLE = 20
_MAX_IDLE_S = 5.0
_TIMEOUT_S = 300.0
_MAX_ANSWER_BYTES = 64 * 1024 * 1024
_READ_BYTES = 65536


class HttpAnswer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    content: bytes


def can_connect(url: str) -> bool:
    """Return whether a server is reached without a proxy."""
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    return not (proxies.get(parts.scheme) or proxies.get("all")) or bool(
        urllib.request.proxy_bypass(parts.hostname or "")
    )


class HttpConnections:
    """Connections to the server of one URL. Every failure to get an answer is an OSError."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        is_secure = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port or (443 if is_secure else 80)
        self._tls = httpx2.create_ssl_context() if is_secure else None
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = [("host", parts.netloc.rpartition("@")[2]), *headers.items()]
        self._idle: list[_Connection] = []
        self._places = asyncio.Semaphore(_MAX_CONNECTIONS)

    async def post(self, content: bytes, headers: Mapping[str, str]) -> HttpAnswer:
        fields = [*self._headers, *headers.items(), ("content-length", str(len(content)))]
        request = h11.Request(method="POST", target=self._target, headers=fields)
        async with self._places, asyncio.timeout(_TIMEOUT_S):
            connection = self._take_idle() or await self._open()
            try:
                answer = await connection.exchange(request, content)
            except h11.ProtocolError as problem:
                connection.close()
                raise ConnectionError(str(problem)) from None
            except BaseException:  # a cancelled call leaves half an answer on its connection
                connection.close()
                raise
        self._keep(connection)
        return answer

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    async def _open(self) -> _Connection:
        reader, writer = await asyncio.open_connection(self._host, self._port, ssl=self._tls)
        return _Connection(reader, writer, h11.Connection(our_role=h11.CLIENT))

    def _take_idle(self) -> _Connection | None:
        oldest = asyncio.get_running_loop().time() - _MAX_IDLE_S
        while self._idle:
            connection = self._idle.pop()
            if connection.used_at >= oldest and not connection.is_lost:
                return connection
            connection.close()
        return None

    def _keep(self, connection: _Connection) -> None:
        if not connection.is_reusable or len(self._idle) >= _MAX_IDLE:
            connection.close()
            return
        connection.used_at = asyncio.get_running_loop().time()
        self._idle.append(connection)


@dataclass(eq=False)
class _Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    wire: h11.Connection
    used_at: float = 0.0

    @property
    def is_lost(self) -> bool:
        return self.reader.at_eof() or self.writer.is_closing()

    @property
    def is_reusable(self) -> bool:
        return self.wire.our_state is h11.IDLE and not self.is_lost

    def close(self) -> None:
        self.writer.close()

    async def exchange(self, request: h11.Request, content: bytes) -> HttpAnswer:
        parts = (request, h11.Data(data=content), h11.EndOfMessage())
        self.writer.write(b"".join(self.wire.send(part) or b"" for part in parts))
        await self.writer.drain()
        answer = await self._read_answer()
        if self.wire.our_state is h11.DONE and self.wire.their_state is h11.DONE:
            self.wire.start_next_cycle()
        return answer

    async def _read_answer(self) -> HttpAnswer:
        status, headers, content = 0, {}, bytearray()
        while True:
            event = self.wire.next_event()
            if event is h11.NEED_DATA:
                self.wire.receive_data(await self.reader.read(_READ_BYTES))
            elif isinstance(event, h11.Response):
                status = event.status_code
                headers = {name.decode("ascii"): value.decode("latin-1") for name, value in event.headers}
            elif isinstance(event, h11.Data):
                content += event.data
                if len(content) > _MAX_ANSWER_BYTES:
                    raise ConnectionError(f"the answer is larger than {_MAX_ANSWER_BYTES:,} bytes")
            elif isinstance(event, h11.EndOfMessage):
                return HttpAnswer(status, headers, bytes(content))
            elif isinstance(event, h11.ConnectionClosed):
                raise ConnectionError("the server closed the connection without an answer")
