"""Sends raw HTTP requests over a real connection, including those that no ordinary client would send."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import orjson

from tests.attacks.case_counts import count_case

WAIT_S = 120.0
MODERN = "2026-07-28"
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "attacker", "version": "1"},
}
ACCEPT = ("Accept", "application/json, text/event-stream")

HeaderList = Sequence[tuple[str, str | bytes]]


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The parsed body; of an event stream, the last event."""
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            lines = [line for line in self.body.splitlines() if line.startswith(b"data: {")]
            return orjson.loads(lines[-1].removeprefix(b"data: "))
        return orjson.loads(self.body)


class RawConnection:
    """A keep-alive connection that reopens after the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._streams is not None:
            _, writer = self._streams
            self._streams = None
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    async def request(
        self, method: str, target: str, headers: HeaderList = (), body: bytes = b"", *, host: str | None = ""
    ) -> Reply:
        """Send a request. `host` "" means the right one, None sends none. Adds Content-Length unless given."""
        lines: list[tuple[str, str | bytes]] = []
        if host is not None:
            lines.append(("Host", host or f"127.0.0.1:{self.port}"))
        lines += headers
        named = {name.lower() for name, _ in lines}
        if body and not named & {"content-length", "transfer-encoding"}:
            lines.append(("Content-Length", str(len(body))))
        head = f"{method} {target} HTTP/1.1\r\n".encode()
        for name, value in lines:
            head += name.encode("latin-1") + b": " + (value if isinstance(value, bytes) else value.encode()) + b"\r\n"
        return await self.send_raw(head + b"\r\n" + body, has_body=method != "HEAD")

    async def send_raw(self, data: bytes, *, has_body: bool = True) -> Reply:
        """Send bytes and read the reply; status 0 if the server closed the connection without one."""
        count_case()
        async with asyncio.timeout(WAIT_S):
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self._streams
            try:
                writer.write(data)
                await writer.drain()
                reply = await _read_reply(reader, has_body)
            except (ConnectionError, asyncio.IncompleteReadError):
                await self.close()
                return Reply(0, {}, b"")
        if reply.headers.get("connection") == "close" or reader.at_eof():
            await self.close()
        return reply

    async def call_tool(self, name: str, arguments: object, key: str = "", **envelope: Any) -> Reply:
        return await self.post(f"/tools/{name}", {"args": arguments, **envelope}, key)

    async def post(self, path: str, content: object, key: str = "", headers: HeaderList = ()) -> Reply:
        lines = [("Content-Type", "application/json"), *bearer(key), *headers]
        return await self.request("POST", path, lines, orjson.dumps(content))

    async def send_mcp(self, method: str, params: dict[str, Any], key: str = "", headers: HeaderList = ()) -> Reply:
        """Send a modern MCP request. `headers` replace default headers of the same name."""
        name = params.get("name", params.get("uri"))
        own = [
            ("Content-Type", "application/json"),
            ACCEPT,
            ("MCP-Protocol-Version", MODERN),
            ("Mcp-Method", method),
            *([("Mcp-Name", encode_header_value(name))] if isinstance(name, str) else []),
            *bearer(key),
        ]
        given = {header.lower() for header, _ in headers}
        lines = [*(line for line in own if line[0].lower() not in given), *headers]
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": META, **params}}
        return await self.request("POST", "/mcp", lines, orjson.dumps(message))


def bearer(key: str) -> list[tuple[str, str | bytes]]:
    return [("Authorization", f"Bearer {key}")] if key else []


def encode_header_value(text: str) -> str:
    """Encode text that a header cannot hold in base64, as the protocol specifies."""
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?"):
        return text
    from base64 import b64encode

    return f"=?base64?{b64encode(text.encode('utf-8', 'surrogatepass')).decode('ascii')}?="


async def _read_reply(reader: asyncio.StreamReader, has_body: bool) -> Reply:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip("\r\n").split("\r\n")
    status = int(first.split(" ")[1])
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if not has_body or status in (204, 304):
        return Reply(status, headers, b"")
    if headers.get("transfer-encoding") == "chunked":
        return Reply(status, headers, await _read_chunks(reader))
    return Reply(status, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body
