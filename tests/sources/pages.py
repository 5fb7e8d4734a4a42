"""A small web server on loopback that plays the outside world: pages by path, and what was asked of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import orjson


@dataclass
class Page:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    """Sends its headers and half of its body, then nothing more."""


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Pages:
    port: int = 0
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def put_json(self, path: str, content: object) -> None:
        self.pages[path] = Page(orjson.dumps(content), headers={"content-type": "application/json"})

    def count(self, path: str) -> int:
        return sum(request.path == path for request in self.asked)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (asked := await _read(reader)) is not None:
                self.asked.append(asked)
                self.arrived.set()
                page = self.pages.get(asked.path, Page(status=404))
                writer.write(_bytes_of(page))
                await writer.drain()
                if page.hang:
                    await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = await reader.readline()
        if not line:
            return None
        head += line
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, path, headers, body)


def _bytes_of(page: Page) -> bytes:
    headers = {"content-length": str(len(page.body)), **page.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    shown = page.body[: len(page.body) // 2] if page.hang else page.body
    return f"HTTP/1.1 {page.status} X\r\n{lines}\r\n".encode("latin-1") + shown


@asynccontextmanager
async def local_pages() -> AsyncIterator[Pages]:
    pages = Pages()
    server = await asyncio.start_server(pages.answer, "127.0.0.1", 0)
    pages.port = server.sockets[0].getsockname()[1]
    try:
        yield pages
    finally:
        server.close()
