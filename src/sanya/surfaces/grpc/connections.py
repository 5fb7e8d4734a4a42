"""Connections of gRPC clients, with limits on their number, their idle time and their traffic between calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from httpunk.asyncio import H2ServerProtocol
from httpunk.h2.server import H2Server, ServerRequest

MAX_CONCURRENT_STREAMS = 200
MAX_CONNECTIONS = 500
IDLE_S = 300.0
SWEEP_S = 15.0
MAX_IDLE_BYTES = 1024 * 1024
"""Bytes that a client may send between calls. A connection that sends only pings or settings is closed; the limit
leaves room for the part of a large message that arrives before its call begins."""

ServeRequest = Callable[[ServerRequest], Awaitable[None]]


class Connections:
    def __init__(self, serve: ServeRequest) -> None:
        self.serve = serve
        self.live: set[Connection] = set()
        self._sweeping: asyncio.Task[None] | None = None

    def create_protocol(self) -> asyncio.Protocol:
        """Create the protocol of the next connection; above the limit, one that closes at once."""
        return Connection(self) if len(self.live) < MAX_CONNECTIONS else _RefusedConnection()

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
    def __init__(self, connections: Connections) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._connections = connections
        self._idle_bytes = 0
        self.calls = 0
        self.active_at = self._loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[no-untyped-call]
        self._connections.live.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)  # type: ignore[no-untyped-call]
        self._connections.live.discard(self)

    def data_received(self, data: bytes) -> None:
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
            await self._connections.serve(request)
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


class _RefusedConnection(asyncio.Protocol):
    """Closes a connection that exceeds the limit."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()
