"""One MCP endpoint as an ASGI app, for whatever path it is mounted on, with or without a slash at its end.

Plain modern calls take the hot path. All else is the SDK's: the other methods, the older era, and everything malformed.
Nothing is kept between two requests, so any process behind a load balancer can answer the next one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.inbound import x_mcp_header_map
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from sanya.kernel.call import OWNER
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.dispatch import Kernel
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.event_loop_monitor import EventLoopMonitor
from sanya.surfaces.mcp.hot_path import HotPath
from sanya.surfaces.mcp.plain_calls import PlainCall, read_plain_call, read_tool_header
from sanya.surfaces.mcp.progress import HEARTBEAT_S
from sanya.surfaces.mcp.server import CALLER_KEY, build_server


class McpEndpoint:
    """`server` is the SDK's, and takes further handlers; events published on `bus` reach every open
    `subscriptions/listen`. `stateless=False` keeps sessions of the older era in this process."""

    def __init__(
        self,
        kernel: Kernel,
        *,
        portable: bool,
        max_body_bytes: int,
        max_result_tokens: int,
        heartbeat_s: float = HEARTBEAT_S,
        stateless: bool = True,
    ) -> None:
        reader = CallReader(kernel.catalogue, max_result_tokens)
        self.bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self.bus)
        self.server = build_server(kernel, reader, portable=portable, heartbeat_s=heartbeat_s, listen=self._listen)
        # With JSON answers only, the SDK would lose progress and not notice a client that leaves.
        self._sdk = StreamableHTTPSessionManager(
            self.server, stateless=stateless, json_response=False, max_request_body_size=max_body_bytes
        )
        self._hot_path = HotPath(kernel, reader, self.server.server_info_stamp, heartbeat_s)
        self._hot_names = _list_hot_names(kernel.catalogue)
        self._max_body_bytes = max_body_bytes
        self._loop_monitor = EventLoopMonitor(reader.called_tools)
        self._is_running = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The endpoint's life. A mounted app's own lifespan is not run by most servers, so whoever mounts it does."""
        async with self._sdk.run(), self._loop_monitor.watching():
            self._is_running = True
            try:
                yield
            finally:
                self._is_running = False
                self._listen.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_running:
            await PlainTextResponse("The server is starting or stopping; try again.", 503)(scope, receive, send)
            return
        named = read_tool_header(scope["headers"], self._max_body_bytes) if scope["method"] == "POST" else None
        if named is None:
            await self._sdk.handle_request(scope, receive, send)
            return
        read = await self._read_messages(receive)
        plain = self._read_plain_call(read, named)
        if plain is None:
            await self._sdk.handle_request(scope, _replay(read, receive), send)
        else:
            await self._hot_path.serve(plain, scope.get(CALLER_KEY, OWNER), receive, send)

    async def _read_messages(self, receive: Receive) -> list[Message]:
        """The request's messages to the end of its body, or to where it grows too large."""
        read = [await receive()]
        size = len(read[0].get("body", b""))
        while read[-1].get("more_body", False) and size <= self._max_body_bytes:
            read.append(await receive())
            size += len(read[-1].get("body", b""))
        return read

    def _read_plain_call(self, read: list[Message], named: bytes) -> PlainCall | None:
        body = read[0].get("body", b"") if len(read) == 1 else b"".join(one.get("body", b"") for one in read)
        if len(body) > self._max_body_bytes or read[-1]["type"] != "http.request":
            return None
        plain = read_plain_call(body, named)
        return plain if plain is not None and plain.name in self._hot_names else None


def _replay(read: list[Message], receive: Receive) -> Receive:
    pending = iter(read)

    async def replay() -> Message:
        message = next(pending, None)
        return await receive() if message is None else message

    return replay


def _list_hot_names(catalogue: Catalogue) -> frozenset[str]:
    """The tools that mirror no argument in a header: checking such headers is the SDK's work."""
    plain = [tool for tool in catalogue.tools if not x_mcp_header_map(tool.input_schema)]
    return frozenset(name for tool in plain for name in (tool.name, tool.portable_name))
