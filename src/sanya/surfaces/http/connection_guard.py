"""Closes the HTTP server's connections that exceed the limits.

granian accepts connections in a thread of its own and tells nobody. It has a limit for all connections and a deadline
for a request's head that is also the idle time between requests, and no limit for a peer. But its sockets are
descriptors of this process. So a thread looks through them a few times a second, asks each new socket for its peer, and
shuts down what exceeds the limits; granian then drops the connection as if the client had closed it.

A descriptor may be closed and taken by another socket at any time. So the guard never acts on a number: it duplicates
the descriptor, which pins the socket, makes sure that it still is the one it looked at, and acts on the duplicate.
"""

from __future__ import annotations

import logging
import os
import socket
import stat
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sanya.surfaces.connection_limits import ConnectionLimits, choose_excess, identify_peer

log = logging.getLogger(__name__)

SocketAddress = tuple[str, int]

_FOLDERS = ("/proc/self/fd", "/dev/fd")
_SCAN_S = 0.2
_REPEAT_S = 0.02
"""Pause after a scan that closed something: whoever opens too many connections is likely to open more."""
_MAX_SHARE = 0.2
"""Share of its time that the guard may scan."""
_LOG_S = 10.0
_RESET = struct.pack("ii", 1, 0)


class RequestActivity:
    """Tells the guard which connections serve a request. The event loop writes, the guard's thread reads."""

    def __init__(self) -> None:
        self.served: set[SocketAddress] = set()
        self._running: dict[SocketAddress, int] = {}
        self._unseen: set[SocketAddress] = set()

    def track(self, client: Sequence[Any] | None) -> AbstractContextManager[None]:
        """Note a request of this client while it is served. granian gives the port as text."""
        return _ServedRequest(self, (str(client[0]), int(client[1]))) if client else nullcontext()

    def begin(self, address: SocketAddress) -> None:
        self.served.add(address)
        self._running[address] = self._running.get(address, 0) + 1

    def end(self, address: SocketAddress) -> None:
        left = self._running.pop(address) - 1
        if left:
            self._running[address] = left

    def list_busy(self) -> frozenset[SocketAddress]:
        return frozenset(list(self._running))

    def forget_closed(self, seen: set[SocketAddress]) -> None:
        """Forget connections that two scans did not see. One is not enough: a connection may be newer than the scan."""
        unseen = set(self.served) - seen - self.list_busy()
        self.served -= unseen & self._unseen
        self._unseen = unseen


class _ServedRequest:
    """A context manager as a class: one made of a generator took twice the time, for every request."""

    __slots__ = ("_activity", "_address")

    def __init__(self, activity: RequestActivity, address: SocketAddress) -> None:
        self._activity = activity
        self._address = address

    def __enter__(self) -> None:
        self._activity.begin(self._address)

    def __exit__(self, *_: object) -> None:
        self._activity.end(self._address)


@dataclass(slots=True)
class GuardedConnection:
    descriptor: int
    inode: int
    address: SocketAddress
    peer: str
    opened_at: float
    is_busy: bool = False
    has_begun: bool = False


class ConnectionGuard:
    def __init__(
        self,
        port: int,
        limits: ConnectionLimits,
        activity: RequestActivity,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._port = port
        self._limits = limits
        self._activity = activity
        self._monotonic = monotonic
        self._folder = next((folder for folder in _FOLDERS if Path(folder).is_dir()), None)
        self._open: dict[int, GuardedConnection] = {}
        self._others: dict[int, int] = {}
        """Inodes of descriptors that are no connections of ours."""
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._closed: Counter[str] = Counter()
        self._logged_at = -_LOG_S
        self.closed_total = 0

    @property
    def is_supported(self) -> bool:
        """True where a process can list its descriptors. Elsewhere only granian's own limits apply."""
        return self._folder is not None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Guard in a thread."""
        if not self.is_supported:
            yield
            return
        self._thread = threading.Thread(target=self._run, name="connection guard", daemon=True)
        self._thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            self._thread.join()

    def _run(self) -> None:
        pause = _SCAN_S
        while not self._stopping.wait(pause):
            started = self._monotonic()
            try:
                closed = self.scan()
            except Exception:  # the guard must go on: without it one peer can shut everybody out
                log.exception("the scan of connections failed")
                closed = 0
            took = self._monotonic() - started
            pause = max(_REPEAT_S if closed else _SCAN_S, took * (1 / _MAX_SHARE - 1))

    def scan(self) -> int:
        """Look through the connections once and close what exceeds the limits. Returns their number."""
        now = self._monotonic()
        self._refresh(now)
        busy = self._activity.list_busy()
        for connection in self._open.values():
            connection.is_busy = connection.address in busy
            connection.has_begun = connection.has_begun or connection.address in self._activity.served
        closed = [
            connection
            for connection in choose_excess(self._open.values(), self._limits, now)
            if _shut_down(connection.descriptor, connection.address)
        ]
        for connection in closed:
            del self._open[connection.descriptor]
            self._others[connection.descriptor] = connection.inode
        self._report(closed, now)
        return len(closed)

    def _refresh(self, now: float) -> None:
        """Find new connections and forget closed ones."""
        assert self._folder is not None
        seen: dict[int, GuardedConnection] = {}
        others: dict[int, int] = {}
        for name in os.listdir(self._folder):  # noqa: PTH208 - numbers, not paths
            descriptor = int(name)
            inode = _read_socket_inode(descriptor)
            if inode is None:
                continue
            known = self._open.get(descriptor)
            if known is not None and known.inode == inode:
                seen[descriptor] = known
            elif self._others.get(descriptor) == inode or (address := self._read_client(descriptor)) is None:
                others[descriptor] = inode
            else:
                seen[descriptor] = GuardedConnection(descriptor, inode, address, identify_peer(address), now)
        self._activity.forget_closed({connection.address for connection in seen.values()})
        self._open, self._others = seen, others

    def _read_client(self, descriptor: int) -> SocketAddress | None:
        """Return the client's address if this is a connection to our port."""
        with _pin(descriptor) as pinned:
            if pinned is None or pinned.family not in (socket.AF_INET, socket.AF_INET6):
                return None
            try:
                return pinned.getpeername()[:2] if pinned.getsockname()[1] == self._port else None
            except OSError:  # a listening socket, or a connection that is already gone
                return None

    def _report(self, closed: list[GuardedConnection], now: float) -> None:
        self.closed_total += len(closed)
        self._closed.update(connection.peer for connection in closed)
        if self._closed and now - self._logged_at >= _LOG_S:
            self._logged_at = now
            for peer, count in self._closed.most_common(5):
                log.warning("closed %d connections of %s: silent, or more than a limit allows", count, peer)
            self._closed.clear()


def _read_socket_inode(descriptor: int) -> int | None:
    try:
        status = os.fstat(descriptor)
    except OSError:
        return None
    return status.st_ino if stat.S_ISSOCK(status.st_mode) else None


@contextmanager
def _pin(descriptor: int) -> Iterator[socket.socket | None]:
    """Hold the socket behind a descriptor, whatever becomes of the descriptor meanwhile."""
    try:
        duplicate = os.dup(descriptor)
    except OSError:
        yield None
        return
    try:
        pinned = socket.socket(fileno=duplicate)
    except OSError:
        os.close(duplicate)
        yield None
        return
    with pinned:
        yield pinned


def _shut_down(descriptor: int, address: SocketAddress) -> bool:
    with _pin(descriptor) as pinned:
        if pinned is None:
            return False
        try:
            if pinned.getpeername()[:2] != address:
                return False
            # With a reset when granian closes it: otherwise the kernel would keep it for a minute more.
            pinned.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            pinned.shutdown(socket.SHUT_RDWR)
        except OSError:
            return False
        return True
