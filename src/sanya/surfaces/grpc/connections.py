"""Connections of gRPC clients, with limits on their number, their idle time and their traffic between calls."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, cast

from httpunk.asyncio import H2ServerProtocol
from httpunk.h2.server import H2Server, ServerRequest

from sanya.kernel.calls.deadlines import get_deadlines
from sanya.surfaces.connection_limits import (
    RESERVED_CONNECTIONS,
    ConnectionLimits,
    choose_excess,
    identify_peer,
)

MAX_CONCURRENT_STREAMS = 200
IDLE_S = 300.0
SWEEP_S = 15.0
PREFACE_BYTES = 24 + 9
"""HTTP/2's preface and the frame header of the client's settings, which must follow it."""
MAX_IDLE_BYTES = 1024 * 1024
"""Bytes that a client may send between calls. A connection that sends only pings or settings is closed; the limit
leaves room for the part of a large message that arrives before its call begins."""

ServeRequest = Callable[[ServerRequest, str], Awaitable[None]]
"""Serves a request of this peer."""


class Connections:
    def __init__(self, serve: ServeRequest, limits: ConnectionLimits) -> None:
        self.serve = serve
        self.limits = limits
        self.live: set[Connection] = set()
        self._of_peer: Counter[str] = Counter()
        self._sweeping: asyncio.Task[None] | None = None

    def create_protocol(self) -> asyncio.Protocol:
        """Create the protocol of the next connection, which decides when it knows the peer."""
        return _Admission(self)

    def admit(self, peer: str) -> bool:
        """Return whether this peer may have one more connection. Makes room if the server has all it may have."""
        if self.limits.per_peer and self._of_peer[peer] >= self.limits.per_peer:
            return False
        if len(self.live) >= self.limits.total:
            for connection in choose_excess(self.live, self.limits, asyncio.get_running_loop().time()):
                connection.abort()
        return len(self.live) < self.limits.total + RESERVED_CONNECTIONS

    def add(self, connection: Connection) -> None:
        self.live.add(connection)
        self._of_peer[connection.peer] += 1

    def discard(self, connection: Connection) -> None:
        if connection in self.live:
            self.live.discard(connection)
            self._of_peer[connection.peer] -= 1
            if not self._of_peer[connection.peer]:
                del self._of_peer[connection.peer]

    def start(self) -> None:
        self._sweeping = asyncio.create_task(self._sweep(), name="grpc connections")

    async def stop(self, timeout_s: float) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
        ending = [asyncio.create_task(connection.shut_down(timeout_s)) for connection in self.live]
        if ending:
            await asyncio.wait(ending)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            since = asyncio.get_running_loop().time() - IDLE_S
            # gRPC clients reconnect by themselves with their next call.
            idle = [connection for connection in self.live if not connection.calls and connection.active_at < since]
            await asyncio.gather(*(connection.shut_down(SWEEP_S) for connection in idle), return_exceptions=True)


class Connection(H2ServerProtocol):
    def __init__(self, connections: Connections, peer: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._connections = connections
        self._idle_bytes = 0
        self._received = 0
        self.peer = peer
        self.calls = 0
        self.opened_at = self.active_at = self._loop.time()
        self._guard = get_deadlines().start(connections.limits.head_timeout_s, self._end_without_preface)

    @property
    def is_busy(self) -> bool:
        return self.calls > 0

    @property
    def has_begun(self) -> bool:
        return self._received >= PREFACE_BYTES

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[no-untyped-call]
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)  # type: ignore[no-untyped-call]
        get_deadlines().stop(self._guard)
        self._connections.discard(self)

    def abort(self) -> None:
        """Close the connection at once. It counts no longer, though its transport may take a moment."""
        self._connections.discard(self)
        abort_transport(self._transport)

    def _end_without_preface(self) -> None:
        if not self.has_begun:
            self.abort()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        self.active_at = self._loop.time()
        if not self.calls:
            self._idle_bytes += len(data)
            if self._idle_bytes > MAX_IDLE_BYTES:
                self.close()  # type: ignore[no-untyped-call]
                return
        super().data_received(data)  # type: ignore[no-untyped-call]

    async def _make_server(self) -> H2Server:
        return H2Server(self, backend=self._backend, max_concurrent_streams=MAX_CONCURRENT_STREAMS)

    async def handle(self, request: ServerRequest) -> None:
        self.calls += 1
        self._idle_bytes = 0
        try:
            await self._connections.serve(request, self.peer)
        finally:
            self.calls -= 1
            self.active_at = self._loop.time()

    async def shut_down(self, timeout_s: float) -> None:
        """Announce that no more calls are accepted, and close once running calls finish or the time is over."""
        await self.graceful_shutdown()
        try:
            async with asyncio.timeout(timeout_s):
                await self.wait_closed()
        except TimeoutError:
            self.close()  # type: ignore[no-untyped-call]
            if self._serve_task is not None:
                self._serve_task.cancel()
                await self.wait_closed()


class _Admission(asyncio.Protocol):
    """Decides by the peer's address whether a connection is served. Only then is its state worth building."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = identify_peer(transport.get_extra_info("peername"))
        if not self._connections.admit(peer):
            abort_transport(transport)
            return
        connection = Connection(self._connections, peer)
        cast(asyncio.Transport, transport).set_protocol(connection)
        connection.connection_made(transport)


def abort_transport(transport: Any) -> None:
    if transport is not None:
        transport.abort()
