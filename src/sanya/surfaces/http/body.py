"""Reading a request's body: all of it, within a size and within a time."""

from __future__ import annotations

import asyncio
import re

from sanya.kernel.deadlines import Deadline
from sanya.kernel.faults import DeadlineExceeded, InvalidArgument, TooLarge
from sanya.surfaces.http.asgi import Headers, HttpRefusal, Message, Receive

BODY_TIMEOUT_S = 30.0

_JSON_TYPE = re.compile(rb'application/json(?:\s*;\s*charset="?utf-8"?)?\s*', re.IGNORECASE)


class ClientGone(Exception):
    """The client closed the connection. There is nobody to answer."""


class BrokenBody(ClientGone):
    """The body ended before all that was announced had come: the client went away, or its chunks cannot be read and it
    is still there. The server below tells us no more than that."""


def check_json_type(headers: Headers) -> None:
    if headers.get(b"content-encoding", b"identity") != b"identity":
        raise HttpRefusal(InvalidArgument("compressed bodies are not read; send it plain"), status=415)
    if not _JSON_TYPE.fullmatch(headers.get(b"content-type", b"")):
        raise HttpRefusal(InvalidArgument("send the body as JSON, with Content-Type: application/json"), status=415)


class BodyGuard:
    """Cancels the running task when the body does not arrive in time; `refusal` then says so."""

    def __init__(self, receive: Receive, timeout_s: float) -> None:
        self._receive = receive
        self._timeout_s = timeout_s
        self._deadline = Deadline(timeout_s)

    async def receive(self) -> Message:
        """Hands on what comes in, and leaves the task alone once the body is complete."""
        message = await self._receive()
        if not message.get("more_body", False):
            self.stop()
        return message

    def stop(self) -> None:
        self._deadline.stop()

    def build_refusal(self) -> HttpRefusal | None:
        """What to answer after a cancellation, if it was ours and nobody else's."""
        if not self._deadline.has_struck():
            return None
        return HttpRefusal(DeadlineExceeded(f"the body did not arrive within {self._timeout_s:g} s"), status=408)


async def read_body(
    receive: Receive, max_bytes: int, *, length: bytes | None = None, timeout_s: float = BODY_TIMEOUT_S
) -> bytes:
    """The whole body. `length` is the Content-Length header: one that is too large is refused before a byte is read,
    and an honest one spares the wait for the end of the stream."""
    expected = _check_length(length, max_bytes)
    if expected == 0:
        return b""
    guard = BodyGuard(receive, timeout_s)
    try:
        return await _read(receive, max_bytes, expected)
    except asyncio.CancelledError:
        if (refusal := guard.build_refusal()) is None:
            raise
        raise refusal from None
    finally:
        guard.stop()


async def _read(receive: Receive, max_bytes: int, expected: int | None) -> bytes:
    parts: list[bytes] = []
    count = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BrokenBody
        part: bytes = message.get("body", b"")
        parts.append(part)
        count += len(part)
        if count > max_bytes:
            raise _build_too_large(max_bytes)
        if count == expected or not message.get("more_body", False):
            return b"".join(parts)


def _check_length(length: bytes | None, max_bytes: int) -> int | None:
    if length is None:
        return None
    if not length.isdigit():
        raise InvalidArgument("Content-Length must be a number")
    expected = int(length) if len(length) < 20 else max_bytes + 1
    if expected > max_bytes:
        raise _build_too_large(max_bytes)
    return expected


def _build_too_large(max_bytes: int) -> TooLarge:
    return TooLarge(
        f"the body is larger than {max_bytes} bytes; send less, or raise max_body_bytes on the server",
        details={"max_bytes": max_bytes},
    )
