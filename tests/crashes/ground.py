"""A home for kill tests and its outside services: everything that a writer in another process needs to know."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import orjson

import sanya
from sanya import App
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller

_DIM = 16
Fact = dict[str, Any]


@dataclass(frozen=True)
class Ground:
    home: str
    database_url: str
    eutils_url: str
    embedder_url: str
    folder: str
    """The folder of files to import."""

    def open_home(self) -> AbstractAsyncContextManager[App]:
        """Open the home like a command does. A small endpoint embeds texts, because a model takes long to load."""
        return sanya.open(
            self.home,
            database_url=self.database_url,
            entrez_url=self.eutils_url,
            entrez_requests_per_second=1000,
            ingest_roots=(self.folder,),
            embedder="openai",
            embedder_model="words",
            embedder_url=self.embedder_url,
            embedder_dim=_DIM,
        )

    def write_file(self, name: str, content: bytes) -> Path:
        path = Path(self.folder) / name
        path.write_bytes(content)
        return path


class WritePath(Protocol):
    """A kind of write. `tools` are the tools it calls; a command calls none."""

    name: str
    tools: frozenset[str]

    def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        """Do write number `number` and yield facts as they are acknowledged. `call` in a fact is the id of a call;
        `step` distinguishes the facts of one write."""
        ...

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        """Compare the home with everything that was acknowledged, and find nothing half-written."""
        ...


async def call_tool(
    app: App, tool: str, arguments: dict[str, Any], request_id: str | None = None, caller: Caller = OWNER
) -> Answered:
    """Return the answer of a call; raise a refusal as its fault."""
    outcome = await app.kernel.call(Call(tool, arguments, caller, request_id=request_id))
    if isinstance(outcome, Answered):
        return outcome
    raise outcome.fault


@asynccontextmanager
async def local_embedder() -> AsyncIterator[str]:
    """An endpoint that computes a vector from the words of a text."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            asked = orjson.loads(await reader.readexactly(int(length.partition(b":")[2])))
            data = [{"index": at, "embedding": _compute_vector(text)} for at, text in enumerate(asked["input"])]
            body = orjson.dumps({"data": data})
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the client was killed
    finally:
        writer.close()


def _compute_vector(text: str) -> list[float]:
    vector = [0.01] * _DIM
    for word in text.lower().split():
        vector[sha256(word.encode()).digest()[0] % _DIM] += 1.0
    return vector
