"""The gRPC wire format on one HTTP/2 stream: reads metadata and messages, sends messages and a status."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from httpunk.exceptions import HTTPunkError
from httpunk.h2.server import SendStream, ServerRequest

from sanya.kernel.calls.deadlines import Deadline
from sanya.kernel.faults import DeadlineExceeded, Fault, InvalidArgument, TooLarge
from sanya.surfaces.grpc.status import RESOURCE_EXHAUSTED, UNIMPLEMENTED, clip_message, find_status

_PREFIX_BYTES = 5
_TIMEOUT = re.compile(rb"([0-9]{1,8})([HMSmun])")
_MS_PER = {b"H": 3_600_000, b"M": 60_000, b"S": 1000, b"m": 1, b"u": 0.001, b"n": 0.000_001}
_MAX_TIMEOUT_MS = 24 * 3_600_000
_HEADERS = {"content-type": "application/grpc", "grpc-accept-encoding": "identity"}
_OK_TRAILERS = {"grpc-status": "0"}


@dataclass(frozen=True)
class RpcFailure(Exception):
    """Ends the exchange with a status instead of a message. `details` is a serialized google.rpc.Status."""

    status: int
    message: str
    details: bytes = b""


def to_failure(fault: Fault, details: bytes) -> RpcFailure:
    return RpcFailure(find_status(type(fault)), fault.message, details)


class Exchange:
    def __init__(self, request: ServerRequest, max_bytes: int, body_timeout_s: float, peer: str = "") -> None:
        self._request = request
        self.peer = peer
        self._max_bytes = max_bytes
        self._body_timeout_s = body_timeout_s
        self._stream: SendStream | None = None

    def get_metadata(self, name: str) -> bytes | None:
        values = self._request.headers.get_all(name)
        if len(values) > 1:
            raise InvalidArgument(f"The metadata {name} was sent more than once. Send it once.")
        return values[0] if values else None

    def read_timeout_ms(self) -> int | None:
        """Return the client's deadline in whole milliseconds, at least 1; None without a deadline."""
        timeout = self.get_metadata("grpc-timeout")
        if timeout is None:
            return None
        parts = _TIMEOUT.fullmatch(timeout)
        if parts is None:
            raise InvalidArgument("grpc-timeout must be up to 8 digits and a unit, such as 500m")
        return max(1, min(_MAX_TIMEOUT_MS, int(int(parts[1]) * _MS_PER[parts[2]])))

    async def read_message(self) -> bytes:
        """Read the one message of a unary call."""
        deadline = Deadline(self._body_timeout_s)
        try:
            buffer = await self._read_body()
        except asyncio.CancelledError:
            if not deadline.claim_cancellation():
                raise
            raise DeadlineExceeded(f"The message did not arrive within {self._body_timeout_s:g} s.") from None
        finally:
            deadline.stop()
        if len(buffer) < _PREFIX_BYTES or len(buffer) != _PREFIX_BYTES + self._read_length(buffer):
            raise RpcFailure(UNIMPLEMENTED, "A unary call must have exactly one message.")
        return buffer[_PREFIX_BYTES:]

    async def _read_body(self) -> bytes:
        buffer = b""
        async for part in self._request.aiter_bytes():
            buffer = buffer + part if buffer else part
            if len(buffer) > self._max_bytes + _PREFIX_BYTES:
                raise self._build_too_large()
        return buffer

    async def iter_messages(self, idle_s: float) -> AsyncIterator[bytes]:
        """Yield the messages of a streaming client as they arrive, until none arrived for this time."""
        buffer = b""
        parts = aiter(self._request.aiter_bytes())
        while True:
            try:
                async with asyncio.timeout(idle_s):
                    buffer += await anext(parts)
            except (StopAsyncIteration, TimeoutError):
                return
            while len(buffer) >= _PREFIX_BYTES and len(buffer) >= (end := _PREFIX_BYTES + self._read_length(buffer)):
                yield buffer[_PREFIX_BYTES:end]
                buffer = buffer[end:]

    def _read_length(self, buffer: bytes) -> int:
        if buffer[0]:
            raise RpcFailure(UNIMPLEMENTED, "Compressed messages are not supported. Use the identity encoding.")
        length = int.from_bytes(buffer[1:_PREFIX_BYTES], "big")
        if length > self._max_bytes:
            raise self._build_too_large()
        return length

    def _build_too_large(self) -> RpcFailure:
        fault = TooLarge(f"The message exceeds {self._max_bytes} bytes. Raise max_body_bytes on the server.")
        return RpcFailure(RESOURCE_EXHAUSTED, fault.message)

    async def wait_for_disconnect(self) -> dict[str, Any]:
        """Return an ASGI disconnect message once the client resets the stream, as `cancel_on_disconnect` expects."""
        with suppress(HTTPunkError):  # raised when the connection itself is lost
            await self._request.reset_received()
        return {"type": "http.disconnect"}

    async def answer(self, payload: bytes) -> None:
        """Send the one message of a unary call with the status OK."""
        await self._request.respond(200, headers=_HEADERS, body=encode_frame(payload), trailers=_OK_TRAILERS)

    async def send(self, payload: bytes) -> None:
        """Send one message of a stream."""
        if self._stream is None:
            self._stream = await self._request.send_response(200, headers=_HEADERS)
        await self._stream.send_data(encode_frame(payload))

    async def finish(self) -> None:
        if self._stream is None:
            self._stream = await self._request.send_response(200, headers=_HEADERS)
        await self._stream.send_trailers(_OK_TRAILERS)

    async def fail(self, failure: RpcFailure) -> None:
        trailers = {
            "grpc-status": str(failure.status),
            "grpc-message": quote(clip_message(failure.message), safe=" !#$&'()*+,/:;=?@[]~"),
        }
        if failure.details:
            encoded = base64.b64encode(failure.details).rstrip(b"=").decode("ascii")
            trailers["grpc-status-details-bin"] = encoded
        if self._stream is None:
            await self._request.respond(200, headers={**_HEADERS, **trailers})
        else:
            await self._stream.send_trailers(trailers)

    async def refuse(self, status: int) -> None:
        """Answer a client that does not speak gRPC with a plain HTTP status."""
        await self._request.respond(status, headers={"content-type": "text/plain"}, body=b"This port serves gRPC.\n")


def encode_frame(payload: bytes) -> bytes:
    return b"\0" + len(payload).to_bytes(4, "big") + payload
