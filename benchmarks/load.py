"""Load generator for HTTP: keep-alive connections that each repeat one request as soon as it is answered.

Runs in its own process (`python -m benchmarks.load PORT SECONDS`, with the request on stdin), so that it never shares a
core with the server under test. It writes raw HTTP/1.1, because any client library is slower than the servers.
"""

from __future__ import annotations

import asyncio
import sys
from time import perf_counter
from typing import cast

import orjson
import uvloop

CONNECTIONS = 16
_END_OF_HEAD = b"\r\n\r\n"


class Connection(asyncio.Protocol):
    """Connection that sends one request at a time, counts complete answers and keeps the last one."""

    def __init__(self, request: bytes) -> None:
        self.answered = 0
        self.body = b""
        self.failure: str | None = None
        self._request = request
        self._buffer = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, rest = self._buffer.partition(_END_OF_HEAD)
        if not found or len(rest) < (length := read_content_length(head)):
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self.failure = f"{head[:80]!r} {rest[:200]!r}"
            self.close()
            return
        self.answered += 1
        self.body, self._buffer = rest[:length], rest[length:]
        if self._transport is not None:
            self._transport.write(self._request)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


def read_content_length(head: bytes) -> int:
    start = head.lower().find(b"content-length:")
    if start < 0:
        raise ValueError(f"response has no Content-Length: {head!r}")
    return int(head[start + 15 :].split(b"\r\n", 1)[0])


async def measure(port: int, seconds: float, request: bytes) -> dict[str, float | str]:
    loop = asyncio.get_running_loop()
    connections = [Connection(request) for _ in range(CONNECTIONS)]
    started = perf_counter()
    for connection in connections:
        await loop.create_connection(lambda opened=connection: opened, "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.sleep(seconds)
    answered, took = sum(connection.answered for connection in connections), perf_counter() - started
    for connection in connections:
        connection.close()
    failures = [connection.failure for connection in connections if connection.failure]
    if failures or not all(connection.answered for connection in connections):
        raise RuntimeError(f"server did not keep up: {failures[:1] or 'a connection received no answer'}")
    return {"per_second": answered / took, "body": connections[0].body.decode("utf-8")}


def main() -> None:
    port, seconds = int(sys.argv[1]), float(sys.argv[2])
    request = sys.stdin.buffer.read()
    sys.stdout.buffer.write(orjson.dumps(uvloop.run(measure(port, seconds, request))))


if __name__ == "__main__":
    main()
