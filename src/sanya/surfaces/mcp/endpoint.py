"""An MCP endpoint as an ASGI app: the hot path for plain modern calls, the SDK for everything else.

Both protocol eras share one endpoint. A modern client (2026-07-28 and later) names its protocol version, the method and
the tool in the headers of every request, and its capabilities in `_meta`, so each request stands alone. An older client
(2025-11-25 and before) begins with an `initialize` handshake; its Mcp-Protocol-Version header is absent or names one of
the handshake versions. The SDK's session manager chooses the era by that header. It runs stateless: an older client
gets no session id, and each of its requests is served as if the handshake had taken place. So any process behind a load
balancer can answer any request.

The hot path decides before the SDK does. We read the body; `read_tool_header` looks at the headers and
`read_plain_call` at the body, whether it is plainly a modern `tools/call`. Otherwise the SDK gets the request with the
messages already read replayed to it. The hot path never answers a malformed request: whatever is unusual falls through,
so clients see the SDK's behaviour, but for a body that has a name twice in one object. The SDK would drop one of them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp import types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.inbound import x_mcp_header_map
from mcp.types import CLIENT_CAPABILITIES_META_KEY
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from sanya.kernel.calls.call import OWNER
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.strict_json import has_duplicate_name
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.event_loop_monitor import EventLoopMonitor
from sanya.surfaces.mcp.hot_path import HotPath
from sanya.surfaces.mcp.invalid_lines import DUPLICATE_NAME, extract_id
from sanya.surfaces.mcp.listing.tool_names import ToolNames
from sanya.surfaces.mcp.listing.toolsets import AGENT_TOOLS, Toolset
from sanya.surfaces.mcp.plain_calls import PlainCall, read_plain_call, read_tool_header
from sanya.surfaces.mcp.progress import HEARTBEAT_S
from sanya.surfaces.mcp.server import CALLER_KEY, build_server


class McpEndpoint:
    """An endpoint that can be mounted on any path.

    `server` is the SDK's server; further handlers can be added to it. Events published on `bus` reach every open
    `subscriptions/listen`. `stateless=False` keeps sessions of the older era in this process.
    """

    def __init__(
        self,
        kernel: Kernel,
        *,
        portable: bool,
        max_body_bytes: int,
        max_result_tokens: int,
        toolset: Toolset = AGENT_TOOLS,
        heartbeat_s: float = HEARTBEAT_S,
        stateless: bool = True,
    ) -> None:
        reader = CallReader(kernel.catalogue, max_result_tokens)
        names = ToolNames(kernel.catalogue.tools, portable=portable)
        self.bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self.bus)
        self.server = build_server(
            kernel, reader, portable=portable, toolset=toolset, heartbeat_s=heartbeat_s, listen=self._listen
        )
        # With json_response=True the SDK drops progress notifications and does not notice a client that disconnects.
        self._sdk = StreamableHTTPSessionManager(
            self.server, stateless=stateless, json_response=False, max_request_body_size=max_body_bytes
        )
        self._hot_path = HotPath(kernel, reader, names, self.server.server_info_stamp, heartbeat_s)
        self._hot_names = _list_hot_names(kernel.catalogue)
        asking = [tool for tool in kernel.catalogue.tools if tool.asks_about]
        self._asking_names = frozenset(name for tool in asking for name in (tool.name, tool.portable_name))
        self._max_body_bytes = max_body_bytes
        self._loop_monitor = EventLoopMonitor(reader.called_tools)
        self._is_running = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the endpoint. Most servers do not run the lifespan of a mounted app, so the code that mounts it must."""
        async with self._sdk.run(), self._loop_monitor.watching():
            self._is_running = True
            try:
                yield
            finally:
                self._is_running = False
                self._listen.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_running:
            await PlainTextResponse("The server is starting or stopping. Try again.", 503)(scope, receive, send)
            return
        if scope["method"] != "POST":
            await self._sdk.handle_request(scope, receive, send)
            return
        messages = await self._read_messages(receive)
        body = self._join_body(messages)
        tool_header = None if body is None else read_tool_header(scope["headers"], self._max_body_bytes)
        plain = None if body is None or tool_header is None else self._read_plain_call(body, tool_header)
        if plain is not None:
            await self._hot_path.serve(plain, scope.get(CALLER_KEY, OWNER), receive, send)
        elif body is not None and has_duplicate_name(body):
            await _refuse_duplicate(body)(scope, receive, send)
        else:
            await self._sdk.handle_request(scope, _replay(messages, receive), send)

    async def _read_messages(self, receive: Receive) -> list[Message]:
        """Read the request's messages to the end of its body, or until it exceeds the size limit."""
        messages = [await receive()]
        size = len(messages[0].get("body", b""))
        while messages[-1].get("more_body", False) and size <= self._max_body_bytes:
            messages.append(await receive())
            size += len(messages[-1].get("body", b""))
        return messages

    def _join_body(self, messages: list[Message]) -> bytes | None:
        """Return the whole body, or None if it is too large or the client left before its end."""
        parts = [message.get("body", b"") for message in messages]
        body: bytes = parts[0] if len(parts) == 1 else b"".join(parts)
        return None if len(body) > self._max_body_bytes or messages[-1]["type"] != "http.request" else body

    def _read_plain_call(self, body: bytes, tool_header: bytes) -> PlainCall | None:
        plain = read_plain_call(body, tool_header)
        if plain is None or plain.name not in self._hot_names:
            return None
        may_ask = plain.name in self._asking_names and "elicitation" in plain.meta[CLIENT_CAPABILITIES_META_KEY]
        return None if may_ask else plain


def _refuse_duplicate(body: bytes) -> JSONResponse:
    error = {"code": types.INVALID_REQUEST, "message": DUPLICATE_NAME}
    return JSONResponse({"jsonrpc": "2.0", "id": extract_id(body), "error": error}, 400)


def _replay(messages: list[Message], receive: Receive) -> Receive:
    pending = iter(messages)

    async def replay() -> Message:
        message = next(pending, None)
        return await receive() if message is None else message

    return replay


def _list_hot_names(catalogue: Catalogue) -> frozenset[str]:
    """List the names of tools that mirror no argument in an `Mcp-Param-*` header, because the SDK checks those."""
    plain = [tool for tool in catalogue.tools if not x_mcp_header_map(tool.input_schema)]
    return frozenset(name for tool in plain for name in (tool.name, tool.portable_name))
