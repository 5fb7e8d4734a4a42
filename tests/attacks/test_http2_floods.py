"""HTTP/2 floods on the gRPC port, in frames written by hand: rapid resets, headers that go on, settings and pings.

While one peer floods, another client's calls are answered, and the process keeps its memory.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

import pytest
import pytest_asyncio

from tests.attacks.case_counts import count_case
from tests.attacks.conftest import AttackedServer
from tests.attacks.grpc_client import GrpcClient, grpc_client
from tests.attacks.raw_http import WAIT_S
from tests.attacks.test_grpc_abuse import (
    CANCEL,
    CONTINUATION,
    DATA,
    HEAD,
    HEADERS,
    OPENING,
    PING,
    PRIORITY,
    RESET,
    SETTINGS,
    WINDOW,
    frame,
)

STREAMS = 10_000
FRAMES = 20_000
BLOCK = 200
CALLS = 10
MAX_GROWTH_MB = 64
END_HEADERS, END_STREAM, ACK = 4, 1, 1
LAST = b"the last"
# A field that is in no table and is not added to one: 4 kB of a header block that never ends.
FILLER = b"\x00\x01a\x7f\x81\x1f" + b"b" * 4_096


def _open_and_reset() -> Iterator[bytes]:
    for number in range(STREAMS):
        stream = 2 * number + 1
        yield frame(HEADERS, END_HEADERS, stream, HEAD) + frame(RESET, 0, stream, CANCEL)


def _call_and_reset() -> Iterator[bytes]:
    """Whole calls, so that the server begins its work before it is told to stop."""
    for number in range(STREAMS):
        stream = 2 * number + 1
        message = frame(DATA, END_STREAM, stream, b"\0\0\0\0\0")
        yield frame(HEADERS, END_HEADERS, stream, HEAD) + message + frame(RESET, 0, stream, CANCEL)


def _make_the_server_reset() -> Iterator[bytes]:
    """The server must reset each stream itself: a window beyond all is an error of the stream alone."""
    for number in range(STREAMS):
        stream = 2 * number + 1
        yield frame(HEADERS, END_HEADERS, stream, HEAD) + frame(WINDOW, 0, stream, b"\x7f\xff\xff\xff")


def _continue(payload: bytes, count: int) -> Iterator[bytes]:
    yield frame(HEADERS, 0, 1, HEAD)
    for _ in range(count):
        yield frame(CONTINUATION, 0, 1, payload)


def _repeat(data: bytes) -> Iterator[bytes]:
    for _ in range(FRAMES):
        yield data


def _grow_table() -> Iterator[bytes]:
    """One field in the table, then a block that names it thousands of times."""
    entry = b"\x40\x01a\x7f\xa1\x1e" + b"b" * 4_000
    yield frame(HEADERS, END_HEADERS | END_STREAM, 1, HEAD + entry)
    for number in range(1, 200):
        yield frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, HEAD + b"\xbe" * 12_000)


FLOODS: dict[str, Callable[[], Iterator[bytes]]] = {
    "streams opened and reset": _open_and_reset,
    "calls made and reset": _call_and_reset,
    "streams that the server must reset": _make_the_server_reset,
    "a header block that goes on": lambda: _continue(FILLER, 2_500),
    "a header block of empty frames": lambda: _continue(b"", FRAMES),
    "a header block byte by byte": lambda: _continue(b"\x00", FRAMES),
    "one field named thousands of times": _grow_table,
    "settings": lambda: _repeat(frame(SETTINGS, 0, 0, b"\0\3\0\0\0\x64")),
    "pings": lambda: _repeat(frame(PING, 0, 0, b"12345678")),
    "priorities": lambda: _repeat(frame(PRIORITY, 0, 1, b"\0\0\0\0\x10")),
    "windows": lambda: _repeat(frame(WINDOW, 0, 0, b"\0\0\0\1")),
    "empty data": lambda: iter([frame(HEADERS, END_HEADERS, 1, HEAD), *_repeat(frame(DATA, 0, 1, b""))]),
}


# Frames that cost the server little, and header blocks that it refuses one by one, are read to their end. It ends the
# connection of every other flood.
READ_WHOLE = ("settings", "pings", "priorities", "windows", "one field named thousands of times")


@pytest_asyncio.fixture(loop_scope="session")
async def client(unguarded: AttackedServer) -> AsyncIterator[GrpcClient]:
    async with grpc_client(unguarded.app, unguarded.grpc_port) as client:
        yield client


async def _flood(port: int, frames: Iterator[bytes]) -> bool:
    """Send the frames and a ping. Return whether the server answered the ping; otherwise it ended the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = asyncio.create_task(_wait_for_ping(reader))
    try:
        with suppress(ConnectionError):
            for number, data in enumerate(chain([OPENING], frames, [frame(PING, 0, 0, LAST)])):
                writer.write(data)
                if number % BLOCK == 0:
                    await writer.drain()
        async with asyncio.timeout(WAIT_S):
            return await answered
    finally:
        answered.cancel()
        writer.transport.abort()


async def _wait_for_ping(reader: asyncio.StreamReader) -> bool:
    read = b""
    with suppress(ConnectionError):
        while frame(PING, ACK, 0, LAST) not in read:
            data = await reader.read(65_536)
            if not data:
                return False
            read = read[-64:] + data
        return True
    return False


def _measure_memory() -> int:
    """Return the resident memory of this process, where the server runs, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024**2


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured in /proc")
@pytest.mark.parametrize("name", FLOODS)
async def test_a_flood_of_frames_leaves_other_clients_answered_and_memory_bounded(
    unguarded: AttackedServer, client: GrpcClient, name: str
) -> None:
    assert (await client.call("get_projects"))[0] == "OK"
    before = _measure_memory()
    flood = asyncio.create_task(_flood(unguarded.grpc_port, FLOODS[name]()))
    calls, most = 0, before
    while calls < CALLS or not flood.done():
        assert (await client.call("get_projects"))[0] == "OK"
        calls, most = calls + 1, max(most, _measure_memory())
    count_case()
    assert await flood is (name in READ_WHOLE)
    assert (await client.call("get_projects"))[0] == "OK"
    assert max(most, _measure_memory()) - before < MAX_GROWTH_MB
