"""Sends requests straight into an ASGI app and collects the response."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message

MODERN = "2026-07-28"
CLIENT = {"name": "test", "version": "1"}
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """The messages of an event stream."""
        lines = self.body.decode("utf-8").splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


@dataclass
class Exchange:
    """A running request. `disconnect` ends it from the client's side."""

    sent: list[Message] = field(default_factory=list)
    _message_sent: asyncio.Event = field(default_factory=asyncio.Event)
    _disconnected: asyncio.Event = field(default_factory=asyncio.Event)
    chunks: list[bytes] = field(default_factory=list)

    def disconnect(self) -> None:
        self._disconnected.set()

    async def wait_for_messages(self, messages: int) -> None:
        """Wait until the app has sent this many ASGI messages."""
        while len(self.sent) < messages:
            self._message_sent.clear()
            await self._message_sent.wait()

    async def run(self, app: ASGIApp, scope: dict[str, Any], chunks: Sequence[bytes]) -> Reply:
        self.chunks = list(chunks)
        async with asyncio.timeout(10):
            await app(scope, self.receive, self.send)
        return self.reply()

    def reply(self) -> Reply:
        start = next(message for message in self.sent if message["type"] == "http.response.start")
        body = b"".join(message.get("body", b"") for message in self.sent if message["type"] == "http.response.body")
        return Reply(start["status"], dict(start["headers"]), body)

    async def receive(self) -> Message:
        if self.chunks:
            chunk = self.chunks.pop(0)
            return {"type": "http.request", "body": chunk, "more_body": bool(self.chunks)}
        await self._disconnected.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        self._message_sent.set()


def modern_headers(method: str = "tools/call", name: str | None = "shop.echo") -> Headers:
    headers = [
        (b"host", b"127.0.0.1:8787"),
        (b"content-type", b"application/json"),
        (b"accept", b"application/json, text/event-stream"),
        (b"mcp-protocol-version", MODERN.encode()),
        (b"mcp-method", method.encode()),
    ]
    return headers if name is None else [*headers, (b"mcp-name", name.encode())]


def message(method: str, params: Any, id: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def tool_call(name: str, arguments: Any = None, **meta: Any) -> dict[str, Any]:
    return message("tools/call", {"name": name, "arguments": arguments or {}, "_meta": {**META, **meta}})


def build_scope(headers: Headers, **more: Any) -> dict[str, Any]:
    return {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": headers, **more}


async def post(app: ASGIApp, body: Any, headers: Headers | None = None, **scope: Any) -> Reply:
    """Post a message, bytes or chunks, and wait for the whole response."""
    if isinstance(body, dict):
        body = json.dumps(body).encode("utf-8")
    chunks = [body] if isinstance(body, bytes) else body
    return await Exchange().run(app, build_scope(modern_headers() if headers is None else headers, **scope), chunks)


async def call(app: ASGIApp, name: str, arguments: Any = None, **meta: Any) -> Any:
    """Make a plain modern call that must succeed, and return its result."""
    reply = await post(app, tool_call(name, arguments, **meta), modern_headers(name=name))
    assert reply.status == 200, reply.body
    return reply.json["result"]
