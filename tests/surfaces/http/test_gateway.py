"""Calls through the gateway: the envelope of an answer, request ids, trace ids, clients that disconnect."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from uuid import UUID

import orjson
import pytest

from sanya.kernel.ledger.chain import LedgerEntry
from tests.surfaces.http.conftest import WAIT_S, AsgiRequest, DemoServer, OpenServer, bearer

SAY = "/tools/demo.say"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


async def last_row(server: DemoServer) -> LedgerEntry:
    await server.app.ledger.flush()
    rows = [link.entry async for link in server.app.ledger_store.read_links("main")]
    return rows[-1]


async def test_an_answer_has_the_envelope_of_the_contract(server: DemoServer) -> None:
    response = await server.call("demo.say", {"text": "สวัสดี", "times": 2})
    body = response.json()
    assert response.status_code == 200
    assert set(body) == {"request_id", "tool", "ok", "data", "meta", "error"}
    assert (body["tool"], body["ok"], body["error"]) == ("demo.say", True, None)
    assert body["data"] == {"said": ["สวัสดี", "สวัสดี"], "next_cursor": "more"}
    assert body["meta"]["next_cursor"] == "more"
    assert body["meta"]["duration_ms"] >= 0
    assert body["meta"]["replayed"] is False
    assert UUID(body["request_id"])


async def test_the_stamp_in_the_answer_equals_the_one_in_the_ledger(server: DemoServer) -> None:
    meta = (await server.call("demo.say")).json()["meta"]
    row = await last_row(server)
    assert meta["call_id"] == row.id
    assert set(meta["audit"]) == {"in_hash", "out_hash", "latency_ms", "seed", "status"}
    assert (meta["audit"]["in_hash"], meta["audit"]["out_hash"]) == (row.in_hash, row.out_hash)
    assert (row.surface, row.caller) == ("http", "anonymous")


async def test_a_tool_may_be_named_in_the_path_the_body_or_both(server: DemoServer) -> None:
    args = {"text": "x"}
    ways: list[tuple[str, dict[str, Any]]] = [
        (SAY, {"args": args}),
        ("/tools/demo_say", {"args": args}),
        ("/tools", {"tool": "demo.say", "args": args}),
        ("/tools/", {"tool": "demo_say", "args": args}),
        (SAY, {"tool": "demo.say", "args": args}),
        (SAY, {"tool": "demo_say", "args": args}),
        ("/tools/demo_say/", {"tool": "demo.say", "args": args}),
    ]
    for path, envelope in ways:
        body = (await server.client.post(path, json=envelope)).json()
        assert (body["ok"], body["tool"]) == (True, "demo.say"), path


@pytest.mark.parametrize("envelope", [{}, {"args": None}, {"args": {}}, {"context": None}, {"context": {}}])
async def test_optional_envelope_fields_may_be_absent_or_null(server: DemoServer, envelope: Any) -> None:
    response = await server.client.post("/tools/get_tasks", json=envelope)
    assert response.json()["ok"] is True


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "APPLICATION/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF-8"'],
)
async def test_the_json_content_type_may_have_a_charset(server: DemoServer, content_type: str) -> None:
    content = orjson.dumps({"args": {"text": "x"}})
    assert (await server.client.post(SAY, content=content, headers={"content-type": content_type})).status_code == 200


async def test_a_request_id_sent_again_gets_the_first_answer(server: DemoServer) -> None:
    first = (await server.call("demo.write", {"text": "once"}, request_id="r1")).json()
    again = (await server.call("demo.write", {"text": "once"}, request_id="r1")).json()
    assert server.control.runs == ["once"]
    assert first["request_id"] == again["request_id"] == "r1"
    assert (first["meta"]["replayed"], again["meta"]["replayed"]) == (False, True)
    assert first["data"] == again["data"]
    assert first["meta"]["audit"] == again["meta"]["audit"]


async def test_a_request_id_with_another_input_or_tool_is_refused(server: DemoServer) -> None:
    await server.call("demo.say", {"text": "one"}, request_id="r1")
    for tool, text in (("demo.say", "two"), ("demo.write", "one")):
        refused = await server.call(tool, {"text": text}, request_id="r1")
        assert refused.status_code == 400
        assert refused.json()["error"]["details"]["field"] == "request_id"
    assert server.control.runs == ["one"]


async def test_a_request_id_belongs_to_its_caller(server: DemoServer) -> None:
    for name in ("first", "second"):
        key = await server.app.keys.create(name, ["*"])
        envelope = {"args": {"text": name}, "request_id": "r1"}
        response = await server.client.post(SAY, json=envelope, headers=bearer(key))
        assert response.json()["meta"]["replayed"] is False
    assert server.control.runs == ["first", "second"]


async def test_concurrent_calls_with_one_request_id_run_once(server: DemoServer) -> None:
    calls = [asyncio.create_task(server.call("demo.wait", request_id="r1")) for _ in range(5)]
    await asyncio.wait_for(server.control.started.wait(), WAIT_S)
    server.control.resume.set()
    async with asyncio.timeout(WAIT_S):
        bodies = [(await call).json() for call in calls]
    assert sorted(body["meta"]["replayed"] for body in bodies) == [False, True, True, True, True]


@pytest.mark.parametrize(
    ("context", "traceparent", "kept"),
    [
        ({"trace_id": "mine"}, None, "mine"),
        ({}, f"00-{TRACE}-00f067aa0ba902b7-01", TRACE),
        ({"trace_id": "mine"}, f"00-{TRACE}-00f067aa0ba902b7-01", "mine"),
        ({}, f"cc-{TRACE}-00f067aa0ba902b7-01-what-comes", TRACE),
        ({}, f"00-{'0' * 32}-00f067aa0ba902b7-01", None),
        ({}, f"00-{TRACE}-{'0' * 16}-01", None),
        ({}, f"00-{TRACE.upper()}-00f067aa0ba902b7-01", None),
        ({}, "nonsense", None),
        ({}, None, None),
    ],
)
async def test_the_trace_id_comes_from_the_context_or_from_the_header(
    server: DemoServer, context: dict[str, str], traceparent: str | None, kept: str | None
) -> None:
    headers = {} if traceparent is None else {"traceparent": traceparent}
    await server.client.post(SAY, json={"args": {"text": "x"}, "context": context}, headers=headers)
    assert (await last_row(server)).trace_id == kept


async def test_calls_are_logged_at_info_level_without_their_arguments(
    open_server: OpenServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "sanya"):
        server = await open_server()
        await server.call("demo.say", {"text": "private"})
        await server.call("demo.lost", {"text": "private"})
    records = [record for record in caplog.records if record.name == "sanya.calls"]
    assert [(vars(record)["tool"], record.getMessage()) for record in records] == [
        ("demo.say", "ok"),
        ("demo.lost", "not_found"),
    ]
    assert "private" not in str([vars(record) for record in records])


async def test_a_client_that_disconnects_cancels_its_call(server: DemoServer) -> None:
    request = AsgiRequest("/tools/demo.wait")
    request.body(b'{"args": {"text": "x"}}')
    serving = request.start(server.application)
    await asyncio.wait_for(server.control.started.wait(), WAIT_S)
    request.leave()
    await asyncio.wait_for(serving, WAIT_S)
    assert server.control.stopped.is_set()
    assert request.sent == []
    assert (await last_row(server)).fault == "cancelled"


async def test_a_truncated_body_is_refused_and_runs_nothing(
    server: DemoServer,
) -> None:
    request = AsgiRequest(SAY)
    request.body(b'{"args":', more=True)
    request.leave()
    await asyncio.wait_for(request.start(server.application), WAIT_S)
    assert request.status == 400
    assert server.control.runs == []


async def test_a_body_in_many_chunks_is_joined(server: DemoServer) -> None:
    content = orjson.dumps({"args": {"text": "ก" * 1000}})
    for headers in ([], [(b"content-length", b"%d" % len(content))]):
        request = AsgiRequest(SAY, headers)
        for position in range(len(content)):
            request.body(content[position : position + 1], more=True)
        request.body(b"")
        await asyncio.wait_for(request.start(server.application), WAIT_S)
        assert request.status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([(b"content-length", b"999999999")], 413),
        ([(b"content-length", b"9" * 400)], 413),
        ([(b"content-length", b"-1")], 400),
        ([(b"content-length", b"1e3")], 400),
        ([(b"content-length", "²".encode())], 400),
    ],
)
async def test_the_content_length_is_checked_before_a_byte_is_read(
    server: DemoServer, headers: list[tuple[bytes, bytes]], status: int
) -> None:
    request = AsgiRequest(SAY, headers)
    await asyncio.wait_for(request.start(server.application), WAIT_S)
    assert request.status == status


async def test_a_body_that_grows_past_the_limit_is_refused_while_it_streams(open_server: OpenServer) -> None:
    server = await open_server(max_body_bytes=2048)
    request = AsgiRequest(SAY)
    for _ in range(3):
        request.body(b" " * 1024, more=True)
    await asyncio.wait_for(request.start(server.application), WAIT_S)
    assert request.status == 413


async def test_a_body_of_exactly_the_limit_is_read(open_server: OpenServer) -> None:
    server = await open_server(max_body_bytes=1024)
    content = orjson.dumps({"args": {"text": "x"}}).ljust(1024)
    headers = {"content-type": "application/json"}
    assert (await server.client.post(SAY, content=content, headers=headers)).status_code == 200
    assert (await server.client.post(SAY, content=content + b" ", headers=headers)).status_code == 413


async def test_options_and_405_name_the_methods(server: DemoServer) -> None:
    for path, methods in {
        "/tools": "GET, HEAD, OPTIONS, POST",
        SAY: "GET, HEAD, OPTIONS, POST",
        "/health": "GET, HEAD, OPTIONS",
        "/mcp": "DELETE, GET, OPTIONS, POST",
    }.items():
        options = await server.client.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, methods)
        assert (await server.client.request("PUT", path)).headers["allow"] == methods


async def test_answers_carry_the_security_headers(server: DemoServer) -> None:
    for response in (
        await server.call("demo.say"),
        await server.client.get("/tools"),
        await server.client.get("/health"),
    ):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["server"] == "sanya"


async def test_mcp_has_the_same_access_control(server: DemoServer) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "demo.say", "arguments": {"text": "x"}, "_meta": meta}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "demo.say",
        "origin": "http://localhost:6274",
    }
    for path in ("/mcp", "/mcp/", "/mcp/portable"):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        response = await server.client.post(path, json=message, headers=headers)
        assert response.json()["result"]["structuredContent"]["said"] == ["x"]
        assert response.headers["access-control-allow-origin"] == "http://localhost:6274"
        assert response.headers["x-content-type-options"] == "nosniff"
    assert (await last_row(server)).caller == "anonymous"
