"""Names that change their address, live: a stand-in for a hostile DNS server answers first public, then loopback.

A real listener on loopback counts who connects. Literal addresses in any spelling are tried against it as well.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from itertools import cycle
from typing import Any

import pytest
import pytest_asyncio

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import Destination, EgressClient, EgressLimits
from tests.attacks.case_counts import count_case

PUBLIC, LOOPBACK, LINK_LOCAL = "192.0.9.1", "127.0.0.1", "169.254.169.254"
LIMITS = EgressLimits(connect_s=0.2, total_s=2)
# What the hostile server answers, question by question.
ANSWERS: dict[str, list[list[str]]] = {
    "loopback at once": [[LOOPBACK]],
    "link-local at once": [[LINK_LOCAL]],
    "loopback among public ones": [[PUBLIC, LOOPBACK]],
    "link-local last": [[PUBLIC, PUBLIC, LINK_LOCAL]],
    "IPv6 loopback among public ones": [[PUBLIC, "::1"]],
    "loopback inside IPv6": [[PUBLIC, "::ffff:127.0.0.1"]],
    "link-local with a zone": [["fe80::1%lo"]],
    "public, then loopback": [[PUBLIC], [LOOPBACK]],
    "public, then link-local": [[PUBLIC], [LINK_LOCAL]],
    "by turns": [[PUBLIC], [LOOPBACK], [PUBLIC], [LINK_LOCAL]],
}
SPELLINGS = (
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[::]", "localhost", "LOCALHOST", "localhost.", "127.0.0.1.",
)  # fmt: skip


class Listener:
    """A server on loopback that counts connections and answers none."""

    def __init__(self) -> None:
        self.connected = 0
        self.port = 0

    async def handle(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connected += 1
        writer.close()


@pytest_asyncio.fixture(loop_scope="session")
async def listener() -> AsyncIterator[Listener]:
    found = Listener()
    server = await asyncio.start_server(found.handle, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Addresses to which a socket of this process was connected. Public ones are recorded and then not reached."""
    made: list[Any] = []
    connect: Callable[[socket.socket, Any], None] = socket.socket.connect

    def record(self: socket.socket, address: Any) -> None:
        made.append(address[0])
        if address[0] == PUBLIC:
            raise ConnectionRefusedError("no request leaves this machine")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", record)
    return made


@pytest.mark.parametrize("name", ANSWERS)
async def test_a_name_that_changes_its_address_reaches_nothing_private(
    listener: Listener, reached: list[Any], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    answers = cycle(ANSWERS[name])

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        assert host == "rebind.example"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(answers)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    destination = Destination("https", "rebind.example", listener.port)
    async with EgressClient("test", [destination], LIMITS) as outside:
        for _ in range(6):
            count_case()
            with pytest.raises(UpstreamFailed):
                await outside.get(f"https://rebind.example:{listener.port}/")
    assert set(reached) == ({PUBLIC} if [PUBLIC] in ANSWERS[name] else set())
    assert listener.connected == 0


@pytest.mark.parametrize("host", SPELLINGS)
async def test_no_spelling_of_loopback_is_reached_where_the_owner_did_not_write_it(
    listener: Listener, host: str
) -> None:
    """The names resolve as they do on this machine, and something listens there."""
    url = f"https://{host}:{listener.port}/"
    async with EgressClient("test", [Destination("https", host, listener.port)], LIMITS) as outside:
        with pytest.raises(UpstreamFailed):
            await outside.get(url)
    assert listener.connected == 0
