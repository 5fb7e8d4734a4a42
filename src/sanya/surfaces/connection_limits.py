"""Limits the connections of a server, those of one peer, and the time that a new one may stay silent.

A connection costs a descriptor, and a process has a limited number of those. So a peer that opens connections and sends
nothing, or half a request, would in the end keep everybody else out, without a key. Three limits prevent that: so many
connections for each peer, so many for all, and a deadline for the first request. A server above its total closes the
oldest connections without a running request, those of the peer with the most connections first. So there is always a
place for a new connection, such as a health probe's.
"""

from __future__ import annotations

import logging
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from heapq import heapify, heapreplace
from ipaddress import ip_address, ip_network
from typing import Any, Protocol, TypeVar

from sanya.settings import Settings

log = logging.getLogger(__name__)

RESERVED_CONNECTIONS = 128
"""Places above the total: a new connection gets one at once, while older ones are being closed."""
_OTHER_DESCRIPTORS = 256
"""Descriptors for everything but connections: databases, indexes, pipes, requests to other servers."""
_IPV6_PREFIX = 64


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    total: int
    per_peer: int
    """0 means no limit."""
    head_timeout_s: float
    """Time for the head of the first HTTP request, and for the preface of HTTP/2."""


class TrackedConnection(Protocol):
    @property
    def peer(self) -> str: ...

    @property
    def opened_at(self) -> float: ...

    @property
    def is_busy(self) -> bool:
        """True while it serves a request."""
        ...

    @property
    def has_begun(self) -> bool:
        """True once the first request, or HTTP/2's preface, has arrived."""
        ...


AnyConnection = TypeVar("AnyConnection", bound=TrackedConnection)


def identify_peer(address: Any) -> str:
    """Return the host of a socket address; for IPv6 its network, because one subscriber has all addresses of a /64."""
    host = str(address[0]).partition("%")[0] if isinstance(address, tuple) and address else ""
    if ":" not in host:
        return host
    parsed = ip_address(host)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return str(mapped) if mapped is not None else str(ip_network((parsed, _IPV6_PREFIX), strict=False))


def choose_excess(connections: Iterable[AnyConnection], limits: ConnectionLimits, now: float) -> list[AnyConnection]:
    """Return the connections to close: those past the deadline, and those that exceed a limit."""
    expired: list[AnyConnection] = []
    open_ones: list[AnyConnection] = []
    for connection in connections:
        is_late = not connection.has_begun and now - connection.opened_at > limits.head_timeout_s
        (expired if is_late else open_ones).append(connection)
    by_peer: dict[str, list[AnyConnection]] = defaultdict(list)
    for connection in open_ones:
        by_peer[connection.peer].append(connection)
    excess: list[AnyConnection] = []
    for peer, own in by_peer.items():
        by_peer[peer] = own = sorted(own, key=_rank_by_use)
        if limits.per_peer and len(own) > limits.per_peer:
            excess += own[limits.per_peer :]
            del own[limits.per_peer :]
    return expired + excess + _choose_above_total(by_peer, limits.total)


def _rank_by_use(connection: TrackedConnection) -> tuple[bool, float]:
    """Rank connections that serve a request first, in the order of their age, then the newest of the others."""
    return not connection.is_busy, connection.opened_at if connection.is_busy else -connection.opened_at


def _choose_above_total(by_peer: dict[str, list[AnyConnection]], total: int) -> list[AnyConnection]:
    largest_first = [(-len(own), peer) for peer, own in by_peer.items()]
    heapify(largest_first)
    chosen: list[AnyConnection] = []
    for _ in range(sum(map(len, by_peer.values())) - total):
        size, peer = largest_first[0]
        chosen.append(by_peer[peer].pop())
        heapreplace(largest_first, (size + 1, peer))
    return chosen


def raise_descriptor_limit() -> int:
    """Raise the limit of open files to what the system allows. Returns it, or 0 where there is none."""
    if sys.platform == "win32":
        return 0
    import resource  # here: Windows has neither the module nor the limit

    limit, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit != hard:
        with suppress(ValueError, OSError):  # macOS names a limit that it does not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            limit = hard
    return 0 if limit == resource.RLIM_INFINITY else limit


def read_limits(settings: Settings) -> ConnectionLimits:
    return ConnectionLimits(settings.max_connections, settings.max_connections_per_peer, settings.head_timeout_s)


def fit_to_descriptors(limits: ConnectionLimits, descriptors: int, ports: int) -> ConnectionLimits:
    """Return the limits with a total that the descriptors suffice for, on so many ports."""
    if not descriptors:
        return limits
    possible = max(1, (descriptors - _OTHER_DESCRIPTORS) // ports - RESERVED_CONNECTIONS)
    if possible >= limits.total:
        return limits
    log.warning(
        "at most %d connections: this process may open %d files; raise the limit (ulimit -n) for max_connections = %d",
        possible,
        descriptors,
        limits.total,
    )
    return ConnectionLimits(possible, limits.per_peer, limits.head_timeout_s)
