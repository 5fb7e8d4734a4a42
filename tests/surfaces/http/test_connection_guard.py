"""The guard finds the connections of its port among all descriptors of the process, and closes no other."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

from sanya.surfaces.connection_limits import ConnectionLimits
from sanya.surfaces.http.connection_guard import ConnectionGuard, RequestActivity

LIMITS = ConnectionLimits(total=8, per_peer=4, head_timeout_s=10)


@dataclass
class Sockets:
    """A listening socket, and both ends of its connections."""

    stack: ExitStack
    listener: socket.socket = field(init=False)

    def __post_init__(self) -> None:
        self.listener = self.stack.enter_context(socket.create_server(("127.0.0.1", 0)))

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def connect(self, peer: str = "127.0.0.1") -> tuple[socket.socket, socket.socket]:
        client = self.stack.enter_context(socket.socket())
        client.settimeout(10)
        client.bind((peer, 0))
        client.connect(self.listener.getsockname())
        accepted, _ = self.listener.accept()
        return client, self.stack.enter_context(accepted)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def sockets() -> Iterator[Sockets]:
    with ExitStack() as stack:
        yield Sockets(stack)


@pytest.fixture
def guard(sockets: Sockets) -> ConnectionGuard:
    made = ConnectionGuard(sockets.port, LIMITS, RequestActivity(), Clock())
    if not made.is_supported:
        pytest.skip("a process cannot list its descriptors here")
    return made


def _is_closed(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False


def test_connections_above_the_limit_of_their_peer_are_closed(sockets: Sockets, guard: ConnectionGuard) -> None:
    flood = [sockets.connect()[0] for _ in range(7)]
    other = sockets.connect("127.0.0.2")[0]
    assert guard.scan() == 3
    assert sum(map(_is_closed, flood)) == 3 and not _is_closed(other)
    assert guard.scan() == 0, "they are not closed twice"


def test_connections_of_other_ports_are_left_alone(sockets: Sockets, guard: ConnectionGuard) -> None:
    with ExitStack() as stack:
        others = Sockets(stack)
        clients = [others.connect()[0] for _ in range(7)]
        assert guard.scan() == 0
        assert not any(map(_is_closed, clients))


def test_a_silent_connection_is_closed_after_its_time_and_a_used_one_is_not(sockets: Sockets) -> None:
    clock, activity = Clock(), RequestActivity()
    guard = ConnectionGuard(sockets.port, LIMITS, activity, clock)
    (silent, _), (used, _), (busy, _) = sockets.connect(), sockets.connect(), sockets.connect()
    guard.scan()
    with activity.track(used.getsockname()):
        pass
    with activity.track((busy.getsockname()[0], str(busy.getsockname()[1]))):
        clock.now = 11
        assert guard.scan() == 1
    assert [_is_closed(client) for client in (silent, used, busy)] == [True, False, False]


def test_what_connections_did_is_forgotten_with_them(sockets: Sockets) -> None:
    activity = RequestActivity()
    guard = ConnectionGuard(sockets.port, LIMITS, activity, Clock())
    kept, _ = sockets.connect()
    for address in (kept.getsockname(), *(("127.0.0.3", port) for port in range(1, 500))):
        with activity.track(address):
            pass
    for _ in range(2):
        guard.scan()
    assert activity.served == {kept.getsockname()}
