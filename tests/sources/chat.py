"""An OpenAI-compatible chat endpoint on loopback, that says what a test has it say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import orjson

Say = Callable[[dict[str, Any]], tuple[int, bytes]]


def saying(text: str) -> Say:
    return lambda _: (200, orjson.dumps({"choices": [{"message": {"content": text}}]}))


class Chat:
    """`asked` are the requests as they came, `heads` their headers."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.asked: list[dict[str, Any]] = []
        self.heads: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = [line.partition(":") for line in head.lower().splitlines()]
        length = next(int(value) for name, _, value in lines if name == "content-length")
        request = orjson.loads(await reader.readexactly(length))
        self.heads.append(head)
        self.asked.append(request)
        status, body = self.say(request)
        writer.write(f"HTTP/1.1 {status} x\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def served(chat: Chat) -> AsyncIterator[str]:
    server = await asyncio.start_server(chat.serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
