"""The MCP endpoint: mounted on any path, stateless, and aware of clients that disconnect."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp.server.subscriptions import ToolsListChanged
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from sanya.kernel.calls.call import Caller
from sanya.surfaces.mcp.endpoint import McpEndpoint
from tests.surfaces.mcp.asgi_requests import (
    CLIENT,
    META,
    Exchange,
    Headers,
    build_scope,
    call,
    message,
    modern_headers,
    post,
    tool_call,
)
from tests.surfaces.mcp.conftest import build_endpoint, hold_in_one_task
from tests.surfaces.mcp.sample_suites import SampleKernel

LEGACY = "2025-11-25"


def legacy_headers(version: str | None = LEGACY) -> Headers:
    headers = [(b"content-type", b"application/json"), (b"accept", b"application/json, text/event-stream")]
    return headers if version is None else [*headers, (b"mcp-protocol-version", version.encode())]


def initialize() -> dict[str, Any]:
    return message("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": CLIENT})


async def start(endpoint: McpEndpoint, body: dict[str, Any], headers: Headers) -> tuple[Exchange, asyncio.Task[None]]:
    exchange = Exchange()

    async def run() -> None:
        async with asyncio.timeout(10):
            await endpoint(build_scope(headers), exchange.receive, exchange.send)

    exchange.chunks = [json.dumps(body).encode()]
    return exchange, asyncio.create_task(run())


async def test_an_endpoint_that_is_not_running_answers_503(shop: SampleKernel) -> None:
    reply = await post(build_endpoint(shop), tool_call("shop.echo", {"text": "a"}))
    assert (reply.status, b"Try again" in reply.body) == (503, True)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("method", ["tools/call", "server/discover"])
async def test_a_trailing_slash_makes_no_difference(endpoint: McpEndpoint, path: str, method: str) -> None:
    app = Starlette(routes=[Route("/mcp", endpoint), Mount("/mcp", endpoint)])
    name = "shop.echo" if method == "tools/call" else None
    params = {"name": name, "arguments": {"text": "a"}, "_meta": META} if name else {"_meta": META}
    reply = await post(app, message(method, params), modern_headers(method, name), path=path)
    assert (reply.status, "result" in reply.json) == (200, True)


async def test_any_process_behind_a_load_balancer_can_answer(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    hello = await post(endpoint, initialize(), legacy_headers(None))
    assert hello.events[0]["result"]["protocolVersion"] == LEGACY
    assert b"mcp-session-id" not in hello.headers
    other = build_endpoint(shop)
    async with hold_in_one_task(other.running()):
        body = message("tools/call", {"name": "shop.echo", "arguments": {"text": "a"}}, id=2)
        reply = await post(other, body, legacy_headers())
    assert reply.events[0]["result"]["structuredContent"]["said"] == ["a"]


async def test_the_endpoint_does_not_check_hosts(endpoint: McpEndpoint) -> None:
    headers = [pair for pair in modern_headers() if pair[0] != b"host"]
    reply = await post(endpoint, tool_call("shop.echo", {"text": "a"}), [*headers, (b"host", b"behind.a.proxy")])
    assert reply.status == 200


async def test_extensions_are_announced_on_the_older_handshake_too(endpoint: McpEndpoint) -> None:
    expected = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    legacy = await post(endpoint, initialize(), legacy_headers(None))
    assert legacy.events[0]["result"]["capabilities"]["extensions"] == expected
    modern = await post(endpoint, message("server/discover", {"_meta": META}), modern_headers("server/discover", None))
    assert modern.json["result"]["capabilities"]["extensions"] == expected


async def test_a_body_over_the_limit_is_refused_on_either_path(endpoint: McpEndpoint) -> None:
    large = tool_call("shop.echo", {"text": "x" * 100_000})
    assert (await post(endpoint, large)).status == 413
    assert (await post(endpoint, large, legacy_headers())).status == 413


async def test_the_caller_is_identified_in_the_older_era_too(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    guest = Caller("guest", frozenset({"garden:read"}))
    body = message("tools/call", {"name": "shop.echo", "arguments": {"text": "a"}})
    reply = await post(endpoint, body, legacy_headers(), **{"sanya.caller": guest})
    assert reply.events[0]["result"]["structuredContent"]["code"] == "UNAUTHORIZED"
    assert [row.caller for row in await shop.read_rows()] == ["guest"]


CALL_PATHS: dict[str, tuple[dict[str, Any], Headers]] = {
    "hot path": (tool_call("shop.wait"), modern_headers(name="shop.wait")),
    "modern": (tool_call("shop.wait", progressToken=1), modern_headers(name="shop.wait")),
    "legacy": (message("tools/call", {"name": "shop.wait"}), legacy_headers()),
}


@pytest.mark.parametrize("way", CALL_PATHS)
async def test_a_disconnect_stops_the_call_on_every_path(shop: SampleKernel, endpoint: McpEndpoint, way: str) -> None:
    exchange, running = await start(endpoint, *CALL_PATHS[way])
    async with asyncio.timeout(10):
        await shop.waiting.wait()
        exchange.disconnect()
        await shop.stopped.wait()
        await running
    (row,) = await shop.read_rows()
    assert (row.tool, row.fault) == ("shop.wait", "cancelled")
    assert not any(sent["type"] == "http.response.body" and b"at last" in sent["body"] for sent in exchange.sent)


async def test_a_cancellation_by_the_server_is_not_taken_for_a_disconnect(
    shop: SampleKernel, endpoint: McpEndpoint
) -> None:
    _, running = await start(endpoint, *CALL_PATHS["hot path"])
    async with asyncio.timeout(10):
        await shop.waiting.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert shop.stopped.is_set()


async def test_a_long_silent_call_is_kept_alive_as_a_stream_and_still_answered(shop: SampleKernel) -> None:
    endpoint = build_endpoint(shop, heartbeat_s=0.01)
    async with hold_in_one_task(endpoint.running()):
        exchange, running = await start(endpoint, *CALL_PATHS["hot path"])
        async with asyncio.timeout(10):
            await exchange.wait_for_messages(2)
            shop.resume.set()
            await running
    reply = exchange.reply()
    assert reply.headers[b"content-type"] == b"text/event-stream"
    assert reply.body.startswith(b": ping\r\n\r\n")
    assert reply.events[-1]["result"]["structuredContent"]["said"] == ["at last"]


async def test_a_slow_call_without_pings_is_answered_as_json(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "shop.steps", {"steps": 0, "seconds": 0.1})
    assert result["structuredContent"]["said"] == ["done"]


async def test_listeners_receive_events_and_end_with_the_endpoint(shop: SampleKernel) -> None:
    endpoint = build_endpoint(shop)
    params = {"notifications": {"toolsListChanged": True}, "_meta": META}
    async with hold_in_one_task(endpoint.running()):
        body, headers = message("subscriptions/listen", params, id="s1"), modern_headers("subscriptions/listen", None)
        exchange, running = await start(endpoint, body, headers)
        async with asyncio.timeout(10):
            await exchange.wait_for_messages(2)
            await endpoint.bus.publish(ToolsListChanged())
            await exchange.wait_for_messages(3)
    await running
    *notes, last = exchange.reply().events
    heard = [note["method"] for note in notes]
    assert heard == ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"]
    assert last["result"]["resultType"] == "complete"
