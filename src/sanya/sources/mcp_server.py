"""A client of another MCP server, on standard input and output or over HTTP, in both eras of the protocol.

The SDK's client must be entered and left in one task, so a task of its own holds the connection; calls come from any.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any, TextIO, TypeVar

import anyio
import httpx2
from mcp import MCPError, types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import BaseModel, ValidationError

from sanya.kernel.calls.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.faults import Fault, InvalidArgument, Unavailable, UpstreamFailed
from sanya.sources.egress import BadDestination, Destination
from sanya.sources.http_connections import HttpConnections, can_connect
from sanya.sources.mcp_direct_calls import DirectCalls, is_modern_version
from sanya.suite.servers import McpServerAddress, ServerListing

log = logging.getLogger(__name__)

_CONNECT_TIMEOUT_S = 30.0
_MAX_PAGES = 100
_SHOWN_CHARS = 1000
_RETRY_AFTER_MS = 1000
_LIST_CHANGES = (
    types.ToolListChangedNotification,
    types.PromptListChangedNotification,
    types.ResourceListChangedNotification,
)

_Result = TypeVar("_Result")


class McpServerClient:
    """A connection to one server. `name` is how messages call it."""

    def __init__(self, name: str, address: McpServerAddress, version: str) -> None:
        self.name = name
        self._address = address
        self._version = version
        self._client: Client | None = None
        self._direct: DirectCalls | None = None
        self._holder: asyncio.Task[None] | None = None
        self._leave = asyncio.Event()
        self._connecting = asyncio.Lock()
        self._generation = 0

    async def connect(self) -> int:
        if self._client is None:
            async with self._connecting:
                if self._client is None:
                    await self._open()
        return self._generation

    async def close(self) -> None:
        self._leave.set()
        self._client = None
        if self._holder is not None:
            await asyncio.gather(self._holder, return_exceptions=True)
            self._holder = None

    async def list_all(self) -> ServerListing:
        client = await self._get_client()
        info = client.server_info
        offers = client.server_capabilities
        listed: dict[str, list[dict[str, Any]]] = {}
        for key, offered, list_page in (
            ("tools", offers.tools, client.list_tools),
            ("resources", offers.resources, client.list_resources),
            ("templates", offers.resources, client.list_resource_templates),
            ("prompts", offers.prompts, client.list_prompts),
        ):
            listed[key] = await self._list_pages(key, list_page) if offered is not None else []
        server = {} if info is None else {"name": info.name, "version": info.version}
        return ServerListing(server={**server, "protocol": client.protocol_version}, **listed)

    async def call_tool(self, name: str, arguments: Mapping[str, Any], progress: ProgressSink) -> dict[str, Any]:
        async def report(progress: float, total: float | None, message: str | None) -> None:
            send(Progress(progress, total, message))

        send = progress

        async def call(client: Client) -> dict[str, Any]:
            if self._direct is not None and send is ignore_progress:
                try:
                    return await self._direct.call(name, arguments)
                except MCPError as error:
                    if error.code != types.HEADER_MISMATCH:
                        raise  # else the tool wants headers from its schema: the SDK knows them, and nothing ran yet
            callback = None if send is ignore_progress else report
            return _dump(await client.call_tool(name, dict(arguments), progress_callback=callback))

        return await self._ask(call)

    async def read_resource(self, uri: str) -> list[dict[str, Any]]:
        result = await self._ask(lambda client: client.read_resource(uri))
        return [_dump(content) for content in result.contents]

    async def get_prompt(self, name: str, arguments: Mapping[str, str]) -> list[dict[str, Any]]:
        result = await self._ask(lambda client: client.get_prompt(name, dict(arguments)))
        return [_dump(message) for message in result.messages]

    async def complete(self, ref: Mapping[str, str], argument: str, value: str, chosen: Mapping[str, str]) -> list[str]:
        client = await self._get_client()
        if client.server_capabilities.completions is None:
            return []
        named: types.PromptReference | types.ResourceTemplateReference = (
            types.PromptReference(type="ref/prompt", name=ref["prompt"])
            if "prompt" in ref
            else types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])
        )
        given = {"name": argument, "value": value}
        result = await self._ask(lambda client: client.complete(named, given, context_arguments=dict(chosen) or None))
        return list(result.completion.values)

    async def _list_pages(self, key: str, list_page: Callable[..., Awaitable[Any]]) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = []
        cursor: str | None = None
        field = "resource_templates" if key == "templates" else key
        for _ in range(_MAX_PAGES):
            page = await self._ask(partial(_list_page, list_page, cursor))
            if page is None:
                break
            listed += [_dump(item) for item in getattr(page, field)]
            cursor = page.next_cursor
            if not cursor:
                break
        return listed

    async def _get_client(self) -> Client:
        await self.connect()
        client = self._client
        if client is None:
            raise self._make_unavailable("the connection was lost")
        return client

    async def _ask(self, ask: Callable[[Client], Awaitable[_Result]]) -> _Result:
        client = await self._get_client()
        try:
            return await ask(client)
        except MCPError as error:
            raise self._translate(client, error) from None
        except ValidationError:
            message = f"the server {self.name} answered with something that is no MCP result"
            raise UpstreamFailed(message, source=self.name) from None
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, httpx2.HTTPError, OSError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and self._client is client:  # the SDK checks an answer's schema as well
                raise UpstreamFailed(f"{self.name}: {str(error)[:_SHOWN_CHARS]}", source=self.name) from None
            self._drop(client)
            raise self._make_unavailable(str(error) or type(error).__name__) from None

    def _translate(self, client: Client, error: MCPError) -> Fault:
        message = f"{self.name}: {error.message[:_SHOWN_CHARS]}"
        if error.code == types.INVALID_PARAMS:
            return InvalidArgument(message)
        if error.code == types.CONNECTION_CLOSED or (self._holder is not None and self._holder.done()):
            self._drop(client)
            return self._make_unavailable(error.message)
        if self._address.url and "session" in error.message.lower():  # it forgot us: a restart, or an idle limit
            self._drop(client)
            return self._make_unavailable(error.message)
        return UpstreamFailed(message, source=self.name)

    def _drop(self, client: Client) -> None:
        """Let go of a connection that is lost; the next use makes another."""
        if self._client is client:
            self._client = None
            self._leave.set()

    async def _open(self) -> None:
        if self._holder is not None:  # of a lost connection
            self._leave.set()
            self._holder.cancel()
            await asyncio.gather(self._holder, return_exceptions=True)
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._leave = asyncio.Event()
        self._holder = asyncio.create_task(self._hold(ready, self._leave), name=f"connection to {self.name}")
        try:
            async with asyncio.timeout(_CONNECT_TIMEOUT_S):
                self._client = await asyncio.shield(ready)
        except TimeoutError:
            self._holder.cancel()
            raise self._make_unavailable(f"no answer within {_CONNECT_TIMEOUT_S:.0f} s") from None
        self._generation += 1

    async def _hold(self, ready: asyncio.Future[Client], leave: asyncio.Event) -> None:
        client: Client | None = None
        try:
            async with AsyncExitStack() as stack:
                transport = await self._build_transport(stack)
                client = await stack.enter_async_context(
                    Client(
                        transport,
                        message_handler=self._record_change,
                        client_info=types.Implementation(name="sanya", version=self._version),
                        cache=None,
                    )
                )
                self._direct = self._build_direct_calls(client, stack)
                ready.set_result(client)
                await leave.wait()
        except Exception as error:  # the SDK raises groups of whatever a transport raises
            reason = _find_reason(error)
            if ready.done():
                log.warning("the connection to %s ended: %s", self.name, reason)
            else:
                ready.set_exception(self._make_unavailable(reason))
        finally:
            if client is not None and self._client is client:
                self._client = None

    def _build_direct_calls(self, client: Client, stack: AsyncExitStack) -> DirectCalls | None:
        url, version = self._address.url, client.protocol_version
        if not url or not is_modern_version(version) or not can_connect(url):
            return None
        connections = HttpConnections(url, self._address.headers)
        stack.callback(connections.close)
        return DirectCalls(connections, version, {"name": "sanya", "version": self._version})

    async def _build_transport(self, stack: AsyncExitStack) -> Any:
        if self._address.url:
            try:
                Destination.from_url(self._address.url, private=True)  # the owner wrote the address
            except BadDestination as problem:
                raise UpstreamFailed(str(problem), source=self.name) from None
            http = await stack.enter_async_context(
                httpx2.AsyncClient(headers=dict(self._address.headers), timeout=httpx2.Timeout(30, read=300))
            )
            return streamable_http_client(self._address.url, http_client=http)
        command, *arguments = self._address.command
        started = StdioServerParameters(command=command, args=arguments, env=dict(self._address.environment))
        return stdio_client(started, errlog=_open_error_stream(stack))

    async def _record_change(self, message: object) -> None:
        if isinstance(getattr(message, "root", message), _LIST_CHANGES):
            self._generation += 1

    def _make_unavailable(self, reason: str) -> Unavailable:
        shown = reason[:_SHOWN_CHARS]
        return Unavailable(
            f"the server {self.name} ({self._address.shown}) does not answer: {shown}", retry_after_ms=_RETRY_AFTER_MS
        )


def _open_error_stream(stack: AsyncExitStack) -> TextIO:
    """Return our own standard error, where it is a file: a started server writes its log to it."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.fileno()
        return sys.stderr
    return stack.enter_context(open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123 - no path of ours


async def _list_page(list_page: Callable[..., Awaitable[Any]], cursor: str | None, _: Client) -> Any:
    """Return a page of a list, or None where the server has no such list: many offer resources but no templates."""
    try:
        return await list_page(cursor=cursor)
    except MCPError as error:
        if error.code == types.METHOD_NOT_FOUND:
            return None
        raise


def _find_reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


def _dump(result: BaseModel) -> dict[str, Any]:
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)
