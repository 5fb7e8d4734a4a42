"""Reads request bodies within a size limit and a time limit."""

from __future__ import annotations

import asyncio
import re

from sanya.kernel.deadlines import Deadline
from sanya.kernel.faults import DeadlineExceeded, InvalidArgument, TooLarge
from sanya.surfaces.http.asgi import Headers, HttpRefusal, Message, Receive

BODY_TIMEOUT_S = 30.0

_JSON_TYPE = re.compile(rb'application/json(?:\s*;\s*charset="?utf-8"?)?\s*', re.IGNORECASE)


class ClientGone(Exception):
    """The client closed the connection, so no response can be sent."""


class BrokenBody(ClientGone):
    """The body ended early: the client left, or it is still there and sent chunks that cannot be decoded.

    granian reports both as a disconnect, so we answer in case the client is still there.
    """


def check_json_type(headers: Headers) -> None:
    if headers.get(b"content-encoding", b"identity") != b"identity":
        message = "Compressed request bodies are not supported. Send the body uncompressed."
        raise HttpRefusal(InvalidArgument(message), status=415)
    if not _JSON_TYPE.fullmatch(headers.get(b"content-type", b"")):
        message = "Unsupported content type. Send JSON with Content-Type: application/json."
        raise HttpRefusal(InvalidArgument(message), status=415)


class BodyGuard:
    """Cancels the running task when the body does not arrive in time; `build_refusal` then gives the response."""

    def __init__(self, receive: Receive, timeout_s: float) -> None:
        self._receive = receive
        self._timeout_s = timeout_s
        self._deadline = Deadline(timeout_s)

    async def receive(self) -> Message:
        """Return the next ASGI message; the time limit ends with the body."""
        message = await self._receive()
        if not message.get("more_body", False):
            self.stop()
        return message

    def stop(self) -> None:
        self._deadline.stop()

    def build_refusal(self) -> HttpRefusal | None:
        """Return the refusal to send after a cancellation, or None if the time limit did not cause it."""
        if not self._deadline.claim_cancellation():
            return None
        message = f"The body did not arrive within {self._timeout_s:g} s. Send it again."
        return HttpRefusal(DeadlineExceeded(message), status=408)


async def read_body(
    receive: Receive, max_bytes: int, *, length: bytes | None = None, timeout_s: float = BODY_TIMEOUT_S
) -> bytes:
    """Read the whole body.

    `length` is the Content-Length header. A length over the limit is refused before a byte is read, and a known length
    saves the wait for the message that ends the stream.
    """
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
        raise InvalidArgument("Content-Length must be a number.")
    expected = int(length) if len(length) < 20 else max_bytes + 1
    if expected > max_bytes:
        raise _build_too_large(max_bytes)
    return expected


def _build_too_large(max_bytes: int) -> TooLarge:
    return TooLarge(
        f"The body exceeds {max_bytes} bytes. Send less, or raise max_body_bytes on the server.",
        details={"max_bytes": max_bytes},
    )
