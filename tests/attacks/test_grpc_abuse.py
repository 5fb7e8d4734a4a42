"""gRPC abuse: malformed calls, incomplete frames, endless streams. Each ends without harm to the next call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
import pytest
import pytest_asyncio

from tests.attacks.conftest import AttackedServer
from tests.attacks.grpc_client import GrpcClient, Metadata, grpc_client
from tests.attacks.raw_http import WAIT_S
from tests.surfaces.grpc.test_server import NOISES

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, PING, RESET, DATA, HEADERS, CONTINUATION, WINDOW, PRIORITY, GOAWAY = 4, 6, 3, 0, 1, 9, 8, 2, 7


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"", length: int | None = None) -> bytes:
    size = len(payload) if length is None else length
    return size.to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _literal(name: bytes, value: bytes) -> bytes:
    return b"\x00" + bytes((len(name),)) + name + bytes((len(value),)) + value


HEAD = b"".join(
    _literal(*pair)
    for pair in (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", b"/sanya.v1.TasksService/GetProjects"),
        (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
    )
)
MORE = frame(CONTINUATION, 0, 1, _literal(b"a", b"b" * 100))
OPENING = PREFACE + frame(SETTINGS)

OPENED = [frame(HEADERS, 4, 2 * n + 1, HEAD) for n in range(1_000)]
CANCEL = b"\x00\x00\x00\x08"

# Malformed messages, and the acceptable statuses.
MESSAGES: dict[str, tuple[bytes, Metadata, tuple[str, ...]]] = {
    "garbage": (b"\xff" * 50, (), ("INVALID_ARGUMENT",)),
    "broken text": (b"\x0a\x02\xff\xff", (), ("INVALID_ARGUMENT",)),
    "a length that lies": (b"\x0a\x7fx", (), ("INVALID_ARGUMENT",)),
    "an unknown field": (b"\x98\x06\x01", (), ("INVALID_ARGUMENT",)),
    "groups in groups": (b"\x0b" * 5_000, (), ("INVALID_ARGUMENT",)),
    "a number without end": (b"\x08" + b"\xff" * 100, (), ("INVALID_ARGUMENT",)),
    "more than is read": (b"\x0a" + b"\x80\x80\x80\x01" + b"x" * 3_000_000, (), ("RESOURCE_EXHAUSTED",)),
    "a time that is none": (b"", (("grpc-timeout", "soon"),), ("INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "INTERNAL")),
    "an id without end": (b"", (("x-request-id", "x" * 500),), ("INVALID_ARGUMENT",)),
    "a blank id": (b"", (("x-request-id", "  "),), ("INVALID_ARGUMENT",)),
    "two ids": (b"", (("x-request-id", "a"), ("x-request-id", "b")), ("INVALID_ARGUMENT",)),
    "a page": (b"", (("origin", "https://evil.example"),), ("PERMISSION_DENIED",)),
    "a page of nowhere": (b"", (("origin", "null"),), ("PERMISSION_DENIED",)),
}
OURS = "/sanya.v1.TasksService"
PATHS = (
    "/", "//", OURS, f"{OURS}/", f"{OURS}/Nothing", "/nobody/At", f"{OURS}/../TasksService/GetProjects",
    f"{OURS}/getprojects", "/SANYA.V1.TasksService/GetProjects", "/sanya.v1.MemoryService/GetProjects",
    "/sanya.v2.TasksService/GetProjects", f"{OURS}/GetProjects/", f"{OURS}/GetProjects?x",
    "/grpc.channelz.v1.Channelz/GetServers",
)  # fmt: skip
# Handmade frames: each connection gets an error, is closed or keeps waiting. None affects another connection.
FRAMES: dict[str, bytes] = {
    "a frame without end": OPENING + frame(DATA, 0, 1, b"x", length=0xFFFFFF),
    "data of no stream": OPENING + frame(DATA, 0, 1, b"x"),
    "data of stream zero": OPENING + frame(DATA, 0, 0, b"x"),
    "headers of an even stream": OPENING + frame(HEADERS, 5, 2, HEAD),
    "headers that are no headers": OPENING + frame(HEADERS, 5, 1, b"\xff" * 100),
    "a table that grows": OPENING + frame(HEADERS, 5, 1, b"\x3f\xff\xff\xff\x7f" + HEAD),
    "headers that never end": OPENING + frame(HEADERS, 1, 1, HEAD) + MORE * 5_000,
    "settings that are none": OPENING + frame(SETTINGS, 0, 0, b"\x00\x04\xff\xff\xff\xff"),
    "settings of half a size": OPENING + frame(SETTINGS, 0, 0, b"\x00"),
    "a thousand settings": OPENING + frame(SETTINGS) * 1_000,
    "a thousand pings": OPENING + frame(PING, 0, 0, b"12345678") * 1_000,
    "windows beyond all": OPENING + frame(WINDOW, 0, 0, b"\x7f\xff\xff\xff") * 3,
    "a window of nothing": OPENING + frame(WINDOW, 0, 0, b"\x00\x00\x00\x00"),
    "resets of nothing": OPENING + frame(RESET, 0, 1, b"\x00\x00\x00\x08"),
    "streams that are reset at once": OPENING
    + b"".join(OPENED[n] + frame(RESET, 0, 2 * n + 1, CANCEL) for n in range(1_000)),
    "more streams than are allowed": OPENING + b"".join(OPENED),
    "a goodbye": OPENING + frame(GOAWAY, 0, 0, b"\x00" * 8) * 100,
    "kinds that nobody knows": OPENING + frame(200, 0, 0, b"x") * 1_000,
    "HTTP/1": b"POST /sanya.v1.TasksService/GetProjects HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "half a preface": PREFACE[:10],
}


@pytest_asyncio.fixture(loop_scope="session")
async def client(unguarded: AttackedServer) -> AsyncIterator[GrpcClient]:
    async with grpc_client(unguarded.app, unguarded.grpc_port) as client:
        yield client


async def _still_answers(client: GrpcClient) -> None:
    assert (await client.call("get_projects"))[0] == "OK"


def test_there_are_more_than_twenty_of_each() -> None:
    assert len(MESSAGES) + len(PATHS) >= 20
    assert len(FRAMES) + len(NOISES) >= 20


async def test_invalid_messages_and_paths_get_a_status(client: GrpcClient) -> None:
    for name, (payload, metadata, statuses) in MESSAGES.items():
        status, said = await client.send("SearchTasks", payload, metadata)
        assert status in statuses, (name, status, said)
        assert "Traceback" not in str(said)
        await _still_answers(client)
    for path in PATHS:
        made: Any = client.channel.unary_unary(path)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await made(b"", timeout=WAIT_S)
        assert refused.value.code() == grpc.StatusCode.UNIMPLEMENTED, path


@pytest.mark.parametrize("name", FRAMES)
async def test_malformed_http2_frames_affect_only_their_own_connection(
    unguarded: AttackedServer, client: GrpcClient, name: str
) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", unguarded.grpc_port)
    try:
        writer.write(FRAMES[name])
        await writer.drain()
        await _still_answers(client)
    except ConnectionError:
        pass
    finally:
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    await _still_answers(client)


async def test_a_call_whose_message_never_arrives_times_out(client: GrpcClient) -> None:
    """Time out as a body does over HTTP."""
    never = asyncio.Event()

    async def silence() -> AsyncIterator[bytes]:
        await never.wait()
        yield b""

    made: Any = client.channel.stream_unary(client.paths["GetProjects"])
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await made(silence(), timeout=WAIT_S)
    assert refused.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    assert "did not arrive within 1 s" in str(refused.value.details())
    never.set()  # or grpcio's own task would wait for ever
    await _still_answers(client)
