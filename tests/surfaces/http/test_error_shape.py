"""Every error has the same envelope; this file sends a request for every kind of error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from sanya.kernel.faults import list_fault_kinds
from sanya.suites.tasks.dialect import DIALECT as TASKS
from sanya.surfaces.http.envelope import STATUSES, find_status
from tests.surfaces.http.conftest import SECRET, WAIT_S, AsgiRequest, DemoServer, OpenServer, bearer

ENVELOPE = {"request_id", "tool", "ok", "data", "meta", "error"}
META = {"duration_ms", "next_cursor", "audit", "replayed", "call_id"}
ERROR = {"code", "message", "retry_after_ms", "details"}

SendRequest = Callable[[DemoServer], Awaitable[httpx.Response]]


def _post(path: str, content: bytes = b"{}", **headers: str) -> SendRequest:
    async def way(server: DemoServer) -> httpx.Response:
        given = {
            "content-type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        return await server.client.post(path, content=content, headers=given)

    return way


def _send(method: str, path: str, **headers: str) -> SendRequest:
    async def way(server: DemoServer) -> httpx.Response:
        return await server.client.request(method, path, headers=headers)

    return way


def _call(tool: str, arguments: dict[str, Any] | None = None) -> SendRequest:
    async def way(server: DemoServer) -> httpx.Response:
        return await server.call(tool, arguments)

    return way


SAY = "/tools/demo.say"
DEEP = b'{"args":' + b"[" * 5000 + b"]" * 5000 + b"}"

FAILING_REQUESTS: dict[str, tuple[SendRequest, int, str]] = {
    # access control
    "wrong host": (_send("GET", "/tools", host="evil.com"), 421, "INVALID_ARGUMENT"),
    "wrong origin": (_send("GET", "/tools", origin="http://evil.com"), 403, "UNAUTHORIZED"),
    # the path and the method
    "no such path": (_send("GET", "/nowhere"), 404, "NOT_FOUND"),
    "no such file of the console": (_send("GET", "/console/0123456789abcdef/main.js"), 404, "NOT_FOUND"),
    "post the root": (_send("POST", "/"), 405, "INVALID_ARGUMENT"),
    "a path below a tool": (_send("GET", "/tools/demo.say/more"), 404, "NOT_FOUND"),
    "metadata without oauth": (_send("GET", "/.well-known/oauth-protected-resource"), 404, "NOT_FOUND"),
    "delete tools": (_send("DELETE", "/tools"), 405, "INVALID_ARGUMENT"),
    "put a tool": (_send("PUT", SAY), 405, "INVALID_ARGUMENT"),
    "post health": (_send("POST", "/health"), 405, "INVALID_ARGUMENT"),
    "patch mcp": (_send("PATCH", "/mcp"), 405, "INVALID_ARGUMENT"),
    "an invented method": (_send("BREW", "/metrics"), 405, "INVALID_ARGUMENT"),
    "show an unknown tool": (_send("GET", "/tools/demo.sai"), 404, "NOT_FOUND"),
    # the body
    "no content type": (_post(SAY, content_type=""), 415, "INVALID_ARGUMENT"),
    "a form": (_post(SAY, content_type="application/x-www-form-urlencoded"), 415, "INVALID_ARGUMENT"),
    "another charset": (_post(SAY, content_type="application/json; charset=latin-1"), 415, "INVALID_ARGUMENT"),
    "a compressed body": (_post(SAY, content_encoding="gzip"), 415, "INVALID_ARGUMENT"),
    "an empty body": (_post(SAY, b""), 400, "INVALID_ARGUMENT"),
    "broken JSON": (_post(SAY, b'{"args": '), 400, "INVALID_ARGUMENT"),
    "not UTF-8": (_post(SAY, b'{"args": "\xff"}'), 400, "INVALID_ARGUMENT"),
    "NaN": (_post(SAY, b'{"args": {"text": NaN}}'), 400, "INVALID_ARGUMENT"),
    "a list": (_post(SAY, b"[]"), 400, "INVALID_ARGUMENT"),
    "a string": (_post(SAY, b'"args"'), 400, "INVALID_ARGUMENT"),
    "null": (_post(SAY, b"null"), 400, "INVALID_ARGUMENT"),
    "too deep": (_post(SAY, DEEP), 400, "INVALID_ARGUMENT"),
    "too large": (_post(SAY, b" " * (4 * 1024 * 1024 + 1)), 413, "INVALID_ARGUMENT"),
    # the envelope
    "an unknown key": (_post(SAY, b'{"args": {}, "arguments": {}}'), 400, "INVALID_ARGUMENT"),
    "args not an object": (_post(SAY, b'{"args": []}'), 400, "INVALID_ARGUMENT"),
    "context not an object": (_post(SAY, b'{"context": "x"}'), 400, "INVALID_ARGUMENT"),
    "an unknown context key": (_post(SAY, b'{"context": {"user": "x"}}'), 400, "INVALID_ARGUMENT"),
    "a trace id that is a number": (_post(SAY, b'{"context": {"trace_id": 7}}'), 400, "INVALID_ARGUMENT"),
    "a long session id": (_post(SAY, b'{"context": {"session_id": "' + b"x" * 129 + b'"}}'), 400, "INVALID_ARGUMENT"),
    "a request id that is a number": (_post(SAY, b'{"request_id": 1}'), 400, "INVALID_ARGUMENT"),
    "a blank request id": (_post(SAY, b'{"request_id": " "}'), 400, "INVALID_ARGUMENT"),
    "a long request id": (_post(SAY, b'{"request_id": "' + b"x" * 129 + b'"}'), 400, "INVALID_ARGUMENT"),
    "no tool": (_post("/tools"), 400, "INVALID_ARGUMENT"),
    "a tool that is a number": (_post("/tools", b'{"tool": 1}'), 400, "INVALID_ARGUMENT"),
    "two tools": (_post(SAY, b'{"tool": "demo.lost"}'), 400, "INVALID_ARGUMENT"),
    "an unknown tool in the path": (_post("/tools/demo.sai"), 404, "NOT_FOUND"),
    "an unknown tool in the body": (_post("/tools", b'{"tool": "demo.sai"}'), 404, "NOT_FOUND"),
    # the call
    "a missing argument": (_call("demo.say", {}), 400, "INVALID_ARGUMENT"),
    "an unknown argument": (_call("demo.say", {"text": "x", "loud": True}), 400, "INVALID_ARGUMENT"),
    "an argument out of bounds": (_call("demo.say", {"text": "x", "times": 6}), 400, "INVALID_ARGUMENT"),
    "a thing that is not there": (_call("demo.lost"), 404, "NOT_FOUND"),
    "a source that is down": (_call("demo.upstream"), 502, "UNAVAILABLE"),
    "a store that is full": (_call("demo.store"), 503, "UNAVAILABLE"),
    "a tool that is too slow": (_call("demo.slow"), 504, "TIMEOUT"),
    "a mistake of ours": (_call("demo.mistake"), 500, "INTERNAL_ERROR"),
    "a body outside the contract": (_call("demo.lie"), 500, "INTERNAL_ERROR"),
}


def assert_envelope(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-store"
    body: dict[str, Any] = response.json()
    assert set(body) == ENVELOPE
    assert set(body["meta"]) == META
    assert set(body["error"]) == ERROR
    assert (body["ok"], body["data"], body["error"]["code"]) == (False, None, code)
    assert body["request_id"]
    assert body["error"]["message"].strip()
    assert "Traceback" not in response.text
    assert SECRET not in response.text
    return body


@pytest.mark.parametrize("name", FAILING_REQUESTS)
async def test_every_error_has_the_envelope(server: DemoServer, name: str) -> None:
    way, status, code = FAILING_REQUESTS[name]
    async with asyncio.timeout(WAIT_S):
        assert_envelope(await way(server), status, code)


async def test_a_head_request_gets_the_status_and_no_body(server: DemoServer) -> None:
    response = await server.client.head("/nowhere")
    assert (response.status_code, response.content) == (404, b"")


async def test_missing_credentials_have_the_envelope(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    assert_envelope(await server.call("demo.say"), 401, "UNAUTHORIZED")
    assert_envelope(await server.client.get("/nowhere"), 401, "UNAUTHORIZED")
    assert_envelope(await server.client.post("/mcp", json={}), 401, "UNAUTHORIZED")


async def test_a_missing_scope_has_the_envelope_and_names_the_scope(server: DemoServer) -> None:
    key = await server.app.keys.create("reader", ["other:read"])
    for way, scope in (("/tools/demo.say", "demo:read"), ("/tools/demo.write", "demo:write")):
        response = await server.client.post(way, json={"args": {"text": "x"}}, headers=bearer(key))
        body = assert_envelope(response, 403, "UNAUTHORIZED")
        assert body["error"]["details"]["scope"] == scope
        assert f'error="insufficient_scope", scope="{scope}"' in response.headers["www-authenticate"]
    assert_envelope(await server.client.get("/metrics", headers=bearer(key)), 403, "UNAUTHORIZED")


async def test_rate_limiting_has_the_envelope_and_a_correct_retry_time(server: DemoServer) -> None:
    key = await server.app.keys.create("slow", ["*"], 1)
    assert (await server.client.post(SAY, json={"args": {"text": "x"}}, headers=bearer(key))).status_code == 200
    response = await server.client.post(SAY, json={"args": {"text": "x"}}, headers=bearer(key))
    body = assert_envelope(response, 429, "RATE_LIMITED")
    wait_ms = body["error"]["retry_after_ms"]
    assert 50_000 < wait_ms <= 60_000
    assert int(response.headers["retry-after"]) == -(-wait_ms // 1000)


async def test_an_unready_server_has_the_envelope(server: DemoServer) -> None:
    server.app.ledger.failing = True
    body = assert_envelope(await server.client.get("/health"), 503, "UNAVAILABLE")
    assert body["error"]["details"]["checks"]["ledger"] == "rows wait to be written"


async def test_a_body_timeout_has_the_envelope(open_server: OpenServer) -> None:
    server = await open_server(body_timeout_s=1)
    for path in (SAY, "/mcp"):
        request = AsgiRequest(path)
        request.body(b'{"args": ', more=True)
        async with asyncio.timeout(WAIT_S):
            await request.start(server.application)
        response = httpx.Response(request.status, headers=request.sent[0]["headers"], content=request.sent[1]["body"])
        assert_envelope(response, 408, "TIMEOUT")


async def test_an_internal_error_outside_a_tool_has_the_envelope_and_is_logged(
    server: DemoServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr("sanya.surfaces.http.routes.list_tools", broken)
    with caplog.at_level(logging.ERROR):
        body = assert_envelope(await server.client.get("/tools"), 500, "INTERNAL_ERROR")
    record = next(record for record in caplog.records if record.name == "sanya.surfaces.http.application")
    assert getattr(record, "error_id", None) == body["error"]["details"]["error_id"]
    assert record.exc_info is not None


async def test_errors_use_the_dialect_of_the_tool_in_the_path(server: DemoServer) -> None:
    broken = await server.client.post("/tools/other.say", content=b"{", headers={"content-type": "application/json"})
    refused = await server.call("other.say", {})
    assert broken.json()["tool"] == refused.json()["tool"] == "other.say"
    assert "INVALID_ARG" in broken.text
    assert "INVALID_ARGUMENT" not in broken.text
    assert (broken.status_code, refused.status_code) == (400, 400)


async def test_errors_carry_the_request_id(server: DemoServer) -> None:
    wrong: list[dict[str, Any]] = [{"bad": 1}, {"args": []}, {"args": {"times": 9}}, {"tool": "demo.lost"}]
    for envelope in wrong:
        response = await server.client.post(SAY, json={"request_id": "mine", **envelope})
        assert response.json()["request_id"] == "mine"
        assert response.status_code == 400


def test_every_fault_has_a_status() -> None:
    shown = {
        kind: find_status(fault("x", source="s") if kind == "upstream_failed" else fault("x"))  # type: ignore[call-arg]
        for kind, fault in list_fault_kinds().items()
    }
    assert set(shown.values()) == set(STATUSES.values())
    assert shown["bad_cursor"] == 400
    assert shown["unknown_tool"] == 404
    assert shown["store_unavailable"] == 503
    assert shown["invariant_broken"] == 500


def test_the_gateway_uses_the_seven_codes_of_the_contract() -> None:
    seven = {
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "TIMEOUT",
        "RATE_LIMITED",
        "UNAUTHORIZED",
        "INTERNAL_ERROR",
        "UNAVAILABLE",
    }
    assert set(TASKS.codes) == seven
