"""Kept connections against a server that writes what a test says, byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sanya.sources.http_connections import HttpConnections, can_connect

_OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"


class Last(bytes):
    """An answer after which the server closes the connection."""


class ScriptedServer:
    """Reads one request, then writes the next answer of the script."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)
        self.requests: list[bytes] = []
        self.connections = 0
        self.waiting = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.requests.append(head + await reader.readexactly(length))
                answer = self.answers.pop(0)
                writer.write(answer)
                self.waiting.set()
                if isinstance(answer, Last):
                    break
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(*answers: bytes) -> AsyncIterator[tuple[ScriptedServer, HttpConnections]]:
    script = ScriptedServer(*answers)
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connections = HttpConnections(f"http://127.0.0.1:{port}/mcp?a=1", {"authorization": "Bearer t"})
    try:
        yield script, connections
    finally:
        connections.close()
        server.close()


async def test_requests_share_a_connection_and_carry_their_headers() -> None:
    async with serving(_OK, _OK) as (script, connections):
        answers = [await connections.post(b"{}", {"mcp-name": "shout"}) for _ in range(2)]
    assert [(answer.status, answer.content) for answer in answers] == [(200, b"hi")] * 2
    assert script.connections == 1
    head = script.requests[0].lower()
    assert head.startswith(b"post /mcp?a=1 http/1.1\r\n")
    for header in (b"authorization: bearer t", b"mcp-name: shout", b"content-length: 2", b"host: 127.0.0.1:"):
        assert header in head


@pytest.mark.parametrize(
    ("answer", "content", "connections_made"),
    [
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", b"abcde", 1),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" + _OK, b"hi", 1),
        (b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi", b"hi", 2),
        (b"HTTP/1.1 307 Moved\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n", b"", 1),
    ],
)
async def test_every_framing_is_read(answer: bytes, content: bytes, connections_made: int) -> None:
    async with serving(answer, _OK) as (script, connections):
        assert (await connections.post(b"{}", {})).content == content
        assert (await connections.post(b"{}", {})).content == b"hi"
    assert script.connections == connections_made


@pytest.mark.parametrize(
    "broken", [b"", b"HTTP/1.1 200 OK\r\ncontent-le", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi"]
)
async def test_an_answer_that_ends_early_is_an_os_error_and_the_next_request_works(broken: bytes) -> None:
    async with serving(Last(broken), _OK) as (_, connections):
        with pytest.raises(OSError, match=r".+"):
            await connections.post(b"{}", {})
        assert (await connections.post(b"{}", {})).content == b"hi"


async def test_what_is_not_http_is_an_os_error() -> None:
    async with serving(b"SSH-2.0-OpenSSH_9.2\r\n\r\n") as (_, connections):
        with pytest.raises(OSError, match=r".+"):
            await connections.post(b"{}", {})


async def test_a_cancelled_request_does_not_leave_its_answer_to_the_next() -> None:
    async with serving(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nst", _OK) as (script, connections):
        call = asyncio.create_task(connections.post(b"{}", {}))
        await script.waiting.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await connections.post(b"{}", {})).content == b"hi"
    assert script.connections == 2


async def test_a_server_that_is_away_is_an_os_error() -> None:
    async with serving() as (_, connections):
        pass
    with pytest.raises(OSError, match=r".+"):
        await connections.post(b"{}", {})


@pytest.mark.parametrize(
    ("variables", "direct"),
    [
        ({}, True),
        ({"http_proxy": "http://proxy:3128"}, False),
        ({"all_proxy": "socks5://proxy:1080"}, False),
        ({"http_proxy": "http://proxy:3128", "no_proxy": "tools.example"}, True),
    ],
)
def test_a_proxy_in_the_environment_is_left_to_httpx2(
    variables: dict[str, str], direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert can_connect("http://tools.example/mcp") is direct
