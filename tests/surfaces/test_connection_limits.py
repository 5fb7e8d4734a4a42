"""Which connections are closed: the silent ones after their time, then those of the peer that has the most."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sanya.surfaces.connection_limits import (
    RESERVED_CONNECTIONS,
    ConnectionLimits,
    choose_excess,
    fit_to_descriptors,
    identify_peer,
)

LIMITS = ConnectionLimits(total=100, per_peer=5, head_timeout_s=10)


@dataclass(frozen=True)
class Opened:
    peer: str
    opened_at: float
    is_busy: bool = False
    has_begun: bool = True


def test_a_silent_connection_is_closed_after_its_time() -> None:
    late, silent, served = Opened("a", 0, has_begun=False), Opened("a", 5, has_begun=False), Opened("a", 0)
    assert choose_excess([late, silent, served], LIMITS, 10.5) == [late]


def test_a_peer_above_its_limit_loses_its_oldest_idle_connections() -> None:
    busy = [Opened("a", at, is_busy=True) for at in range(3)]
    idle = [Opened("a", at) for at in range(10, 16)]
    others = [Opened("b", at) for at in range(5)]
    closed = choose_excess([*busy, *idle, *others], LIMITS, 20)
    assert sorted(connection.opened_at for connection in closed) == [10, 11, 12, 13]
    assert {connection.peer for connection in closed} == {"a"}


def test_calls_are_interrupted_only_where_a_peer_has_nothing_else() -> None:
    busy = [Opened("a", at, is_busy=True) for at in range(7)]
    assert [connection.opened_at for connection in choose_excess(busy, LIMITS, 20)] == [5, 6]


def test_above_the_total_the_peer_with_the_most_connections_makes_room() -> None:
    limits = ConnectionLimits(total=10, per_peer=0, head_timeout_s=10)
    many, few = [Opened("many", at) for at in range(9)], [Opened(f"peer {at}", 0) for at in range(4)]
    assert [connection.peer for connection in choose_excess([*few, *many], limits, 1)] == ["many"] * 3


def test_without_a_limit_for_a_peer_only_the_total_counts() -> None:
    limits = ConnectionLimits(total=100, per_peer=0, head_timeout_s=10)
    assert choose_excess([Opened("proxy", 0) for _ in range(100)], limits, 1) == []


@pytest.mark.parametrize(
    ("address", "peer"),
    [
        (("192.0.2.7", 5000), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5000, 0, 0), "2001:db8:1:2::/64"),
        (("2001:db8:1:2::9", 6000, 0, 0), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 5000, 0, 0), "192.0.2.7"),
        (("fe80::1%eth0", 5000, 0, 2), "fe80::/64"),
        (None, ""),
    ],
)
def test_a_peer_is_a_host_or_an_ipv6_network(address: object, peer: str) -> None:
    assert identify_peer(address) == peer


def test_the_total_fits_into_the_files_that_the_process_may_open(caplog: pytest.LogCaptureFixture) -> None:
    limits = ConnectionLimits(total=4096, per_peer=512, head_timeout_s=10)
    assert fit_to_descriptors(limits, 0, 2) == limits
    assert fit_to_descriptors(limits, 100_000, 2) == limits
    fitted = fit_to_descriptors(limits, 1024, 2)
    assert 2 * (fitted.total + RESERVED_CONNECTIONS) < 1024 and "ulimit" in caplog.text
