"""ASGI types, and the request, response and refusal that our handlers use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import Fault

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

Headers = dict[bytes, bytes]
HeaderLines = tuple[tuple[bytes, bytes], ...]

JSON = b"application/json"

# On every response.
COMMON_HEADERS: HeaderLines = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"server", b"sanya"),
)
# On responses that are data: browsers must not run, frame or store them.
DATA_HEADERS: HeaderLines = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)


class HttpRefusal(Exception):
    """A fault raised before a request reaches a tool. `status` overrides the fault's usual HTTP status."""

    def __init__(self, fault: Fault, *, status: int | None = None, headers: HeaderLines = ()) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.status = status
        self.headers = headers


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request that passed access control."""

    scope: Scope
    receive: Receive
    headers: Headers
    caller: Caller


@dataclass(frozen=True, slots=True)
class HttpResponse:
    status: int
    body: bytes = b""
    content_type: bytes = JSON
    headers: HeaderLines = DATA_HEADERS

    async def send_to(self, send: Send, *, with_body: bool = True) -> None:
        headers = [(b"content-length", str(len(self.body)).encode("ascii")), *self.headers]
        if self.body:
            headers.append((b"content-type", self.content_type))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body if with_body else b""})


class ResponseSender:
    """An ASGI `send` that adds the common headers and records whether the response has started."""

    __slots__ = ("_headers", "_send", "started")

    def __init__(self, send: Send, headers: HeaderLines) -> None:
        self._send = send
        self._headers = headers
        self.started = False

    def add_headers(self, headers: HeaderLines) -> None:
        self._headers += headers

    def __call__(self, message: Message) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            self.started = True
            message = {**message, "headers": [*message["headers"], *self._headers]}
        return self._send(message)
