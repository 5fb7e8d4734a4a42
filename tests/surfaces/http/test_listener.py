"""An address that several workers share, each with a socket of its own."""

from __future__ import annotations

import socket
import sys

import pytest

from sanya.surfaces.http.listener import CannotServe, Listener, bind, join, reserve

CONNECTIONS = 64
# Fewer than this have a probability of 1e-10 where each connection goes to either worker with the same chance.
LEAST = 8
HOSTS = ("127.0.0.1", "::1")


def count_waiting(listener: Listener) -> int:
    """Accept all connections that wait, and return their number."""
    listener.setblocking(False)
    count = 0
    while True:
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not spread connections over sockets")
@pytest.mark.parametrize("host", HOSTS)
def test_connections_are_spread_over_workers_and_reach_whoever_is_left(host: str) -> None:
    try:
        bind(host, 0).close()
    except CannotServe as problem:
        pytest.skip(f"this machine does not have this address: {problem}")
    with reserve(host, 0) as holder, join(holder) as first, join(holder) as second:
        address = holder.getsockname()[:2]
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        for worker in (first, second):
            worker.listen(CONNECTIONS)
        clients = [socket.create_connection(address) for _ in range(CONNECTIONS)]
        counts = count_waiting(first), count_waiting(second)
        assert sum(counts) == CONNECTIONS
        assert min(counts) >= LEAST
        first.close()
        clients += [socket.create_connection(address) for _ in range(CONNECTIONS)]
        assert count_waiting(second) == CONNECTIONS
        for client in clients:
            client.close()


def test_a_reserved_address_is_taken_before_and_while_workers_listen() -> None:
    with reserve("127.0.0.1", 0) as holder:
        port = holder.getsockname()[1]
        for again in (bind, reserve):
            with pytest.raises(CannotServe, match="is in use"):
                again("127.0.0.1", port)
        with join(holder) as worker:
            worker.listen()
            for again in (bind, reserve):
                with pytest.raises(CannotServe, match="is in use"):
                    again("127.0.0.1", port)
