"""Reads request bodies within a size limit and a time limit."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import orjson

from sanya.kernel.calls.deadlines import Deadline
from sanya.kernel.faults import DeadlineExceeded, InvalidArgument, TooLarge
from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.surfaces.http.asgi import Headers, HttpRefusal, HttpRequest, Message, Receive

BODY_TIMEOUT_S = 30.0

_LENGTH = re.compile(rb"[0-9]{1,18}")
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
    """Cancels the running task when the body does not arrive in time; `build_refusal` then gives the response.

    `length` is the Content-Length header. The part that completes this length is marked as the last: granian sends an
    empty one after it, and to wait for that took 9 % of the time of a call.
    """

    __slots__ = ("_deadline", "_expected", "_is_complete", "_receive", "_timeout_s")

    def __init__(self, receive: Receive, timeout_s: float, length: bytes | None = None) -> None:
        self._receive = receive
        self._timeout_s = timeout_s
        self._expected = int(length) if length is not None and _LENGTH.fullmatch(length) else -1
        self._is_complete = False
        self._deadline = Deadline(timeout_s)

    async def receive(self) -> Message:
        """Return the next ASGI message; the time limit ends with the body."""
        message = await self._receive()
        while self._is_complete and message["type"] != "http.disconnect":
            message = await self._receive()
        if message.get("more_body", False):
            self._expected -= len(message["body"])
            if self._expected != 0:
                return message
            message["more_body"] = False
            self._is_complete = True
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


async def read_json_body(request: HttpRequest, max_bytes: int, timeout_s: float, *, if_empty: str = "") -> Any:
    """Read a JSON body. `if_empty` says what to send instead of nothing."""
    check_json_type(request.headers)
    length = request.headers.get(b"content-length")
    body = await read_body(request.receive, max_bytes, length=length, timeout_s=timeout_s)
    if if_empty and not body:
        raise InvalidArgument(f"The body is empty. {if_empty}")
    try:
        return parse_json(body)
    except DuplicateName as duplicate:
        raise InvalidArgument(f"The body is ambiguous: {duplicate}. Send each name once.") from None
    except orjson.JSONDecodeError as error:
        raise InvalidArgument(f"The body is not valid JSON (line {error.lineno}, column {error.colno}).") from None


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
