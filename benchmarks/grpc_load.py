"""Load generator for gRPC: as many connections as the HTTP load, each with one call at a time.

Runs in its own process (`python -m benchmarks.grpc_load PORT SECONDS PATH`, with the message on stdin). It writes raw
HTTP/2 frames, because grpcio's client spends more time on a call than the server.
"""

from __future__ import annotations

import asyncio
import sys
from time import perf_counter
from typing import cast

import orjson
import uvloop

from benchmarks.load import CONNECTIONS

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RESET, _SETTINGS, _PING, _GO_AWAY, _WINDOW = 0, 1, 3, 4, 6, 7, 8
_END_STREAM, _END_HEADERS, _ACK = 1, 4, 1
_HEAD_BYTES = 9
_LARGEST_WINDOW = 2**31 - 1


def build_frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def build_header_block(port: int, path: str) -> bytes:
    """Build literal header fields without indexing, so that one block serves every request."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": f"127.0.0.1:{port}",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    return b"".join(b"\0" + _encode_string(name) + _encode_string(value) for name, value in fields.items())


def _encode_string(value: str) -> bytes:
    assert len(value) < 127
    return bytes((len(value),)) + value.encode("ascii")


class Connection(asyncio.Protocol):
    """Connection that sends one call at a time, counts the successful ones and keeps the last message."""

    def __init__(self, block: bytes, message: bytes) -> None:
        self._block = block
        self._payload = b"\0" + len(message).to_bytes(4, "big") + message
        self._stream = -1
        self._buffer = b""
        self._transport: asyncio.WriteTransport | None = None
        self.answered = 0
        self.message = b""
        self.failure: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)
        windows = (4).to_bytes(2, "big") + _LARGEST_WINDOW.to_bytes(4, "big")
        more = (_LARGEST_WINDOW - 65_535).to_bytes(4, "big")
        self._transport.write(_PREFACE + build_frame(_SETTINGS, 0, 0, windows) + build_frame(_WINDOW, 0, 0, more))
        self._ask()

    def _ask(self) -> None:
        self._stream += 2
        assert self._transport is not None
        head = build_frame(_HEADERS, _END_HEADERS, self._stream, self._block)
        self._transport.write(head + build_frame(_DATA, _END_STREAM, self._stream, self._payload))

    def data_received(self, data: bytes) -> None:
        buffer, at = self._buffer + data if self._buffer else data, 0
        while len(buffer) - at >= _HEAD_BYTES:
            end = at + _HEAD_BYTES + int.from_bytes(buffer[at : at + 3], "big")
            if len(buffer) < end:
                break
            self._take(buffer[at + 3], buffer[at + 4], buffer[at + _HEAD_BYTES : end])
            at = end
        self._buffer = buffer[at:]

    def _take(self, kind: int, flags: int, payload: bytes) -> None:
        assert self._transport is not None
        if kind == _DATA:
            self.message = payload[5:]
        elif kind == _HEADERS and flags & _END_STREAM:
            if not self.message:
                self.failure = f"call ended without a message: {payload!r}"
                return
            self.answered += 1
            self._ask()
        elif kind == _SETTINGS and not flags & _ACK:
            self._transport.write(build_frame(_SETTINGS, _ACK, 0, b""))
        elif kind == _PING and not flags & _ACK:
            self._transport.write(build_frame(_PING, _ACK, 0, payload))
        elif kind in (_RESET, _GO_AWAY):
            self.failure = f"frame {kind}: {payload!r}"

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def measure(port: int, seconds: float, path: str, message: bytes) -> dict[str, float | str]:
    loop = asyncio.get_running_loop()
    connections = [Connection(build_header_block(port, path), message) for _ in range(CONNECTIONS)]
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
    return {"per_second": answered / took, "body": connections[0].message.hex()}


def main() -> None:
    port, seconds, path = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    message = sys.stdin.buffer.read()
    sys.stdout.buffer.write(orjson.dumps(uvloop.run(measure(port, seconds, path, message))))


if __name__ == "__main__":
    main()
