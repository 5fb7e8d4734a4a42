"""The hot path answers like the SDK: the same valid and invalid requests go through both."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp

from sanya.surfaces.mcp.endpoint import McpEndpoint
from tests.long_form import often
from tests.surfaces.mcp.asgi_requests import META, Headers, Reply, message, modern_headers, post, tool_call

ECHO = tool_call("shop.echo", {"text": "hi"})
VARYING_KEYS = {"latency_ms", "sanya/request_id", "error_id"}


def drop_varying(value: Any) -> Any:
    """Drop the members that differ between any two calls."""
    if isinstance(value, dict):
        return {key: drop_varying(item) for key, item in value.items() if key not in VARYING_KEYS}
    if isinstance(value, list):
        return [drop_varying(item) for item in value]
    if isinstance(value, str) and value.startswith("{") and '"audit"' in value:
        return drop_varying(json.loads(value))  # a body as text, with its stamp in it
    return value


def to_comparable(reply: Reply) -> tuple[int, bytes | None, Any]:
    content_type = reply.headers.get(b"content-type", b"")
    if content_type.startswith(b"text/event-stream"):
        return reply.status, content_type, drop_varying(reply.events)
    if content_type == b"application/json":
        found = drop_varying(reply.json)
        if b"error_id" in reply.body:
            del found["result"]["_meta"]["sanya/audit"]["out_hash"]  # the error's own id is in it
        return reply.status, content_type, found
    return reply.status, content_type, reply.body


def with_header(name: bytes, value: bytes | None) -> Headers:
    kept = [pair for pair in modern_headers() if pair[0] != name]
    return kept if value is None else [*kept, (name, value)]


def with_params(**changes: Any) -> dict[str, Any]:
    return {**ECHO, "params": {**ECHO["params"], **changes}}


def with_meta(**changes: Any) -> dict[str, Any]:
    return with_params(_meta={**META, **changes})


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in ECHO.items() if name != key}


def base64_name(text: bytes) -> bytes:
    return b"=?base64?" + text + b"?="


GOOD_BODIES: dict[str, Any] = {
    "plain": ECHO,
    "no arguments": tool_call("shop.echo"),
    "arguments null": with_params(arguments=None),
    "arguments absent": message("tools/call", {"name": "shop.echo", "_meta": META}),
    "bad argument": with_params(arguments={"text": 3}),
    "unknown argument": with_params(arguments={"text": "a", "nope": 1}),
    "thai": with_params(arguments={"text": "สวัสดี\u2028\U0001f9ea", "times": 2}),
    "fraction for an integer": with_params(arguments={"text": "a", "times": 2.0}),
    "small fraction": with_params(arguments={"text": "a", "price": 1e-7}),
    "minus zero": with_params(arguments={"text": "a", "price": -0.0}),
    "id text": {**ECHO, "id": "ไอดี"},
    "id zero": {**ECHO, "id": 0},
    "id negative": {**ECHO, "id": -5},
    "id empty": {**ECHO, "id": ""},
    "extra members": {**ECHO, "more": 1},
    "extra params": with_params(more=1),
    "no client info": with_params(_meta={key: META[key] for key in list(META)[:2]}),
    "client info null": with_meta(**{"io.modelcontextprotocol/clientInfo": None}),
    "extra meta": with_meta(**{"com.example/x": [1], "traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}),
    "log level": with_meta(**{"io.modelcontextprotocol/logLevel": "info"}),
    "spaces around": b"\n " + json.dumps(ECHO).encode() + b"\n",
    "in chunks": [b"", json.dumps(ECHO).encode()[:20], json.dumps(ECHO).encode()[20:], b""],
    "byte order mark": b"\xef\xbb\xbf" + json.dumps(ECHO).encode(),
    "utf-16": json.dumps(ECHO).encode("utf-16"),
}

BAD_BODIES: dict[str, Any] = {
    "nothing": b"",
    "not json": b"{",
    "not utf-8": b'{"\xff": 1}',
    "nul behind": json.dumps(ECHO).encode() + b"\x00",
    "NaN": b"NaN",
    "NaN argument": json.dumps(with_params(arguments={"text": "a", "price": float("nan")})).encode(),
    "too large a fraction": json.dumps(ECHO).replace('"hi"', "1e999").encode(),
    "half a pair": json.dumps(ECHO).replace('"hi"', '"\\ud800"').encode(),
    "deep": b"[" * 100_000,
    "deep arguments": json.dumps(ECHO).replace('"hi"', "[" * 900 + "]" * 900).encode(),
    "long integer": with_params(arguments={"text": 2**64}),
    "long id": {**ECHO, "id": 2**70},
    "huge integer": json.dumps(ECHO).replace('"hi"', "9" * 5000).encode(),
    "list": b"[]",
    "batch": [json.dumps([ECHO]).encode()],
    "text": b'"tools/call"',
    "null": b"null",
    "response": {"jsonrpc": "2.0", "id": 1, "result": {}},
    "notification": without("id"),
    "id null": {**ECHO, "id": None},
    "id true": {**ECHO, "id": True},
    "id fraction": {**ECHO, "id": 1.5},
    "id whole fraction": {**ECHO, "id": 1.0},
    "id object": {**ECHO, "id": {}},
    "no version": without("jsonrpc"),
    "other version": {**ECHO, "jsonrpc": "1.0"},
    "no method": without("method"),
    "other method": {**ECHO, "method": "tools/list"},
    "method number": {**ECHO, "method": 1},
    "no params": without("params"),
    "params null": {**ECHO, "params": None},
    "params list": {**ECHO, "params": []},
    "no name": message("tools/call", {"arguments": {}, "_meta": META}),
    "name null": with_params(name=None),
    "name number": with_params(name=1),
    "name list": with_params(name=["shop.echo"]),
    "other name": with_params(name="shop.note"),
    "arguments list": with_params(arguments=[]),
    "arguments text": with_params(arguments="{}"),
    "arguments number": with_params(arguments=0),
    "no meta": message("tools/call", {"name": "shop.echo", "arguments": {}}),
    "meta null": with_params(_meta=None),
    "meta list": with_params(_meta=[]),
    "meta empty": with_params(_meta={}),
    "no capabilities": with_params(_meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"}),
    "capabilities list": with_meta(**{"io.modelcontextprotocol/clientCapabilities": []}),
    "capabilities null": with_meta(**{"io.modelcontextprotocol/clientCapabilities": None}),
    "capabilities wrong": with_meta(**{"io.modelcontextprotocol/clientCapabilities": {"sampling": 1}}),
    "client info wrong": with_meta(**{"io.modelcontextprotocol/clientInfo": {"name": 1}}),
    "client info text": with_meta(**{"io.modelcontextprotocol/clientInfo": "me"}),
    "protocol version old": with_meta(**{"io.modelcontextprotocol/protocolVersion": "2025-11-25"}),
    "protocol version number": with_meta(**{"io.modelcontextprotocol/protocolVersion": 2026}),
    "protocol version null": with_meta(**{"io.modelcontextprotocol/protocolVersion": None}),
    "log level wrong": with_meta(**{"io.modelcontextprotocol/logLevel": "loud"}),
    "progress token null": with_meta(progressToken=None),
    "progress token wrong": with_meta(progressToken={}),
    "request id number": with_meta(**{"sanya/request_id": 5}),
    "request id empty": with_meta(**{"sanya/request_id": ""}),
    "request id long": with_meta(**{"sanya/request_id": "x" * 129}),
    "task": with_params(task={"ttl": 1}),
    "input responses": with_params(inputResponses={"a": 1}),
    "request state": with_params(requestState=5),
    "too large": with_params(arguments={"text": "x" * 70_000}),
    "too large in chunks": [b" " * 40_000, b" " * 40_000],
}

HEADERS: dict[str, Headers] = {
    "no version": with_header(b"mcp-protocol-version", None),
    "unknown version": with_header(b"mcp-protocol-version", b"2030-01-01"),
    "version with a blank": with_header(b"mcp-protocol-version", b"2026-07-28 "),
    "no method": with_header(b"mcp-method", None),
    "other method": with_header(b"mcp-method", b"tools/list"),
    "method in capitals": with_header(b"mcp-method", b"TOOLS/CALL"),
    "no name": with_header(b"mcp-name", None),
    "other name": with_header(b"mcp-name", b"shop.note"),
    "name with a blank": with_header(b"mcp-name", b" shop.echo"),
    "name not ascii": with_header(b"mcp-name", "ช็อป".encode()),
    "name as base64": with_header(b"mcp-name", base64_name(b64encode(b"shop.echo"))),
    "other name as base64": with_header(b"mcp-name", base64_name(b64encode(b"shop.note"))),
    "broken base64": with_header(b"mcp-name", base64_name(b"@@@")),
    "loose base64": with_header(b"mcp-name", base64_name(b"c2hvcC5lY2hv\n")),
    "base64 of no text": with_header(b"mcp-name", base64_name(b64encode(b"\xff"))),
    "half a sentinel": with_header(b"mcp-name", b"=?base64?c2hvcC5lY2hv"),
    "name twice": [*modern_headers(), (b"mcp-name", b"shop.echo")],
    "method twice": [*modern_headers(), (b"mcp-method", b"tools/call")],
    "version twice": [*modern_headers(), (b"mcp-protocol-version", b"2026-07-28")],
    "harmless header twice": [*modern_headers(), (b"x-a", b"1"), (b"x-a", b"2")],
    "parameter header": [*modern_headers(), (b"mcp-param-text", b"hi")],
    "no content type": with_header(b"content-type", None),
    "form": with_header(b"content-type", b"application/x-www-form-urlencoded"),
    "json with charset": with_header(b"content-type", b"Application/JSON; charset=utf-8"),
    "json-like": with_header(b"content-type", b"application/json-patch"),
    "no accept": with_header(b"accept", None),
    "accept anything": with_header(b"accept", b"*/*"),
    "accept wide": with_header(b"accept", b"application/*;q=0.5, text/*"),
    "accept json only": with_header(b"accept", b"application/json"),
    "accept stream only": with_header(b"accept", b"text/event-stream"),
    "accept html": with_header(b"accept", b"text/html"),
    "accept split": [*with_header(b"accept", b"application/json"), (b"accept", b"text/event-stream")],
    "length too large": with_header(b"content-length", b"99999999"),
    "length no number": with_header(b"content-length", b"many"),
    "session id": with_header(b"mcp-session-id", b"abc"),
}


async def send_to_both(apps: tuple[ASGIApp, ASGIApp], body: Any, headers: Headers | None = None) -> tuple[Any, Any]:
    ours, theirs = [to_comparable(await post(app, body, headers)) for app in apps]
    return ours, theirs


@pytest.fixture
def apps(endpoint: McpEndpoint, sdk_alone: ASGIApp) -> tuple[ASGIApp, ASGIApp]:
    return endpoint, sdk_alone


async def test_a_valid_body_gets_the_same_answer_as_from_the_sdk(apps: tuple[ASGIApp, ASGIApp]) -> None:
    for name, body in GOOD_BODIES.items():
        ours, theirs = await send_to_both(apps, body)
        assert ours == theirs, name
        assert ours[0] == 200, name
        assert "result" in ours[2], name


async def test_an_invalid_body_gets_the_same_error_as_from_the_sdk(apps: tuple[ASGIApp, ASGIApp]) -> None:
    for name, body in BAD_BODIES.items():
        ours, theirs = await send_to_both(apps, body)
        assert ours == theirs, name


async def test_headers_get_the_same_result_as_from_the_sdk(apps: tuple[ASGIApp, ASGIApp]) -> None:
    for name, headers in HEADERS.items():
        ours, theirs = await send_to_both(apps, ECHO, headers)
        assert ours == theirs, name


async def test_every_outcome_is_the_same_on_both_paths(apps: tuple[ASGIApp, ASGIApp]) -> None:
    for tool in ("shop.fail", "shop.lose", "garden.leaf", "fair_price", "shop_echo", "shop.page", "shop.nothing"):
        arguments = {"text": "x"} if tool in ("shop.lose", "garden.leaf", "shop_echo") else {}
        ours, theirs = await send_to_both(apps, tool_call(tool, arguments), modern_headers(name=tool))
        assert ours == theirs, tool


async def test_other_http_methods_get_the_same_answer_as_from_the_sdk(apps: tuple[ASGIApp, ASGIApp]) -> None:
    for method in ("GET", "DELETE", "PUT", "OPTIONS", "HEAD"):
        ours, theirs = [to_comparable(await post(app, b"", modern_headers(), method=method)) for app in apps]
        assert ours == theirs, method


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
MUTATIONS: list[Callable[[Any], dict[str, Any]]] = [
    lambda value: {**ECHO, "id": value},
    lambda value: {**ECHO, "params": value},
    lambda value: with_params(name=value),
    lambda value: with_params(arguments=value),
    lambda value: with_params(arguments={"text": value}),
    lambda value: with_params(_meta=value),
    lambda value: with_meta(**{"io.modelcontextprotocol/clientInfo": value}),
    lambda value: with_meta(**{"io.modelcontextprotocol/clientCapabilities": value}),
    lambda value: with_meta(**{"io.modelcontextprotocol/clientCapabilities": {"experimental": value}}),
    lambda value: with_meta(**{"com.example/any": value, "progress_token": value}),
    lambda value: with_meta(traceparent=value),
]


@given(place=st.sampled_from(MUTATIONS), value=JSON)
@settings(max_examples=often(50, 200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_random_values_get_the_same_answer_on_both_paths(
    apps: tuple[ASGIApp, ASGIApp], place: Callable[[Any], dict[str, Any]], value: Any
) -> None:
    ours, theirs = await send_to_both(apps, place(value))
    assert ours == theirs


async def test_a_header_that_mirrors_an_argument_must_equal_it(apps: tuple[ASGIApp, ASGIApp]) -> None:
    body, headers = tool_call("shop.region", {"region": "th"}), modern_headers(name="shop.region")
    statuses = {}
    for region in (b"th", b"jp", base64_name(b64encode(b"th")), None):
        mirrored = headers if region is None else [*headers, (b"mcp-param-region", region)]
        ours, theirs = await send_to_both(apps, body, mirrored)
        assert ours == theirs, region
        statuses[region] = ours[0]
    assert list(statuses.values()) == [200, 400, 200, 400]


async def test_a_plain_call_never_enters_the_sdk(endpoint: McpEndpoint) -> None:
    entered: list[str] = []

    async def note(ctx: Any, call_next: Any) -> Any:
        entered.append(ctx.method)
        return await call_next(ctx)

    endpoint.server.middleware.append(note)
    assert (await post(endpoint, ECHO)).status == 200
    assert (await post(endpoint, ECHO, HEADERS["name as base64"])).status == 200
    assert entered == []
    await post(endpoint, with_meta(progressToken=1))
    assert entered == ["tools/call"]
