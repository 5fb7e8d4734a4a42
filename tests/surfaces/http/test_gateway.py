"""Calls through the gateway: the envelope of a good answer, request ids, trace ids, clients that leave."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from uuid import UUID

import orjson
import pytest

from sanya.kernel.ledger import Entry
from tests.surfaces.http.conftest import WAIT_S, House, OpenHouse, Wire, bearer

SAY = "/tools/demo.say"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


async def last_row(house: House) -> Entry:
    await house.app.ledger.flush()
    rows = [link.entry async for link in house.app.ledger_store.links("main")]
    return rows[-1]


async def test_a_good_answer_has_the_envelope_of_the_contract(house: House) -> None:
    response = await house.call("demo.say", {"text": "สวัสดี", "times": 2})
    body = response.json()
    assert response.status_code == 200
    assert set(body) == {"request_id", "tool", "ok", "data", "meta", "error"}
    assert (body["tool"], body["ok"], body["error"]) == ("demo.say", True, None)
    assert body["data"] == {"said": ["สวัสดี", "สวัสดี"], "next_cursor": "more"}
    assert body["meta"]["next_cursor"] == "more"
    assert body["meta"]["duration_ms"] >= 0
    assert body["meta"]["replayed"] is False
    assert UUID(body["request_id"])


async def test_the_stamp_in_the_answer_is_the_one_in_the_ledger(house: House) -> None:
    meta = (await house.call("demo.say")).json()["meta"]
    row = await last_row(house)
    assert meta["call_id"] == row.id
    assert set(meta["audit"]) == {"in_hash", "out_hash", "latency_ms", "seed", "status"}
    assert (meta["audit"]["in_hash"], meta["audit"]["out_hash"]) == (row.in_hash, row.out_hash)
    assert (row.surface, row.caller) == ("http", "anonymous")


async def test_the_tool_may_be_named_in_the_path_or_in_the_body_or_the_same_in_both(house: House) -> None:
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
        body = (await house.client.post(path, json=envelope)).json()
        assert (body["ok"], body["tool"]) == (True, "demo.say"), path


@pytest.mark.parametrize("envelope", [{}, {"args": None}, {"args": {}}, {"context": None}, {"context": {}}])
async def test_what_is_optional_in_the_envelope_may_be_left_out_or_null(house: House, envelope: Any) -> None:
    response = await house.client.post("/tools/get_tasks", json=envelope)
    assert response.json()["ok"] is True


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "APPLICATION/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF-8"'],
)
async def test_json_is_json_however_it_is_written(house: House, content_type: str) -> None:
    content = orjson.dumps({"args": {"text": "x"}})
    assert (await house.client.post(SAY, content=content, headers={"content-type": content_type})).status_code == 200


async def test_a_request_id_sent_again_gets_the_first_answer(house: House) -> None:
    first = (await house.call("demo.write", {"text": "once"}, request_id="r1")).json()
    again = (await house.call("demo.write", {"text": "once"}, request_id="r1")).json()
    assert house.stage.runs == ["once"]
    assert first["request_id"] == again["request_id"] == "r1"
    assert (first["meta"]["replayed"], again["meta"]["replayed"]) == (False, True)
    assert first["data"] == again["data"]
    assert first["meta"]["audit"] == again["meta"]["audit"]


async def test_a_request_id_with_another_input_or_tool_is_refused(house: House) -> None:
    await house.call("demo.say", {"text": "one"}, request_id="r1")
    for tool, text in (("demo.say", "two"), ("demo.write", "one")):
        refused = await house.call(tool, {"text": text}, request_id="r1")
        assert refused.status_code == 400
        assert refused.json()["error"]["details"]["field"] == "request_id"
    assert house.stage.runs == ["one"]


async def test_a_request_id_belongs_to_its_caller(house: House) -> None:
    for name in ("first", "second"):
        key = await house.app.keys.create(name, ["*"])
        envelope = {"args": {"text": name}, "request_id": "r1"}
        response = await house.client.post(SAY, json=envelope, headers=bearer(key))
        assert response.json()["meta"]["replayed"] is False
    assert house.stage.runs == ["first", "second"]


async def test_the_same_id_at_the_same_moment_runs_once(house: House) -> None:
    calls = [asyncio.create_task(house.call("demo.wait", request_id="r1")) for _ in range(5)]
    await asyncio.wait_for(house.stage.started.wait(), WAIT_S)
    house.stage.go_on.set()
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
    house: House, context: dict[str, str], traceparent: str | None, kept: str | None
) -> None:
    headers = {} if traceparent is None else {"traceparent": traceparent}
    await house.client.post(SAY, json={"args": {"text": "x"}, "context": context}, headers=headers)
    assert (await last_row(house)).trace_id == kept


async def test_calls_are_logged_where_somebody_watches_and_without_their_arguments(
    open_house: OpenHouse, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "sanya"):
        house = await open_house()
        await house.call("demo.say", {"text": "private"})
        await house.call("demo.lost", {"text": "private"})
    records = [one for one in caplog.records if one.name == "sanya.calls"]
    assert [(vars(one)["tool"], one.getMessage()) for one in records] == [
        ("demo.say", "ok"),
        ("demo.lost", "not_found"),
    ]
    assert "private" not in str([vars(one) for one in records])


async def test_a_client_that_leaves_cancels_its_call(house: House) -> None:
    wire = Wire("/tools/demo.wait")
    wire.body(b'{"args": {"text": "x"}}')
    serving = wire.start(house.application)
    await asyncio.wait_for(house.stage.started.wait(), WAIT_S)
    wire.leave()
    await asyncio.wait_for(serving, WAIT_S)
    assert house.stage.stopped.is_set()
    assert wire.sent == []
    assert (await last_row(house)).fault == "cancelled"


async def test_a_body_that_breaks_off_is_refused_whether_anybody_hears_it_or_not_and_runs_nothing(house: House) -> None:
    wire = Wire(SAY)
    wire.body(b'{"args":', more=True)
    wire.leave()
    await asyncio.wait_for(wire.start(house.application), WAIT_S)
    assert wire.status == 400
    assert house.stage.runs == []


async def test_a_body_in_many_pieces_is_one_body(house: House) -> None:
    content = orjson.dumps({"args": {"text": "ก" * 1000}})
    for headers in ([], [(b"content-length", b"%d" % len(content))]):
        wire = Wire(SAY, headers)
        for position in range(len(content)):
            wire.body(content[position : position + 1], more=True)
        wire.body(b"")
        await asyncio.wait_for(wire.start(house.application), WAIT_S)
        assert wire.status == 200


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
async def test_an_announced_length_is_checked_before_a_byte_is_read(
    house: House, headers: list[tuple[bytes, bytes]], status: int
) -> None:
    wire = Wire(SAY, headers)
    await asyncio.wait_for(wire.start(house.application), WAIT_S)
    assert wire.status == status


async def test_a_body_that_grows_past_the_limit_is_refused_while_it_streams(open_house: OpenHouse) -> None:
    house = await open_house(max_body_bytes=2048)
    wire = Wire(SAY)
    for _ in range(3):
        wire.body(b" " * 1024, more=True)
    await asyncio.wait_for(wire.start(house.application), WAIT_S)
    assert wire.status == 413


async def test_a_body_of_exactly_the_limit_is_read(open_house: OpenHouse) -> None:
    house = await open_house(max_body_bytes=1024)
    content = orjson.dumps({"args": {"text": "x"}}).ljust(1024)
    headers = {"content-type": "application/json"}
    assert (await house.client.post(SAY, content=content, headers=headers)).status_code == 200
    assert (await house.client.post(SAY, content=content + b" ", headers=headers)).status_code == 413


async def test_options_and_405_name_the_methods(house: House) -> None:
    for path, methods in {
        "/tools": "GET, HEAD, OPTIONS, POST",
        SAY: "GET, HEAD, OPTIONS, POST",
        "/health": "GET, HEAD, OPTIONS",
        "/mcp": "DELETE, GET, OPTIONS, POST",
    }.items():
        options = await house.client.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, methods)
        assert (await house.client.request("PUT", path)).headers["allow"] == methods


async def test_answers_carry_the_security_headers(house: House) -> None:
    for response in (await house.call("demo.say"), await house.client.get("/tools"), await house.client.get("/health")):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["server"] == "sanya"


async def test_mcp_is_served_behind_the_same_door(house: House) -> None:
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
        response = await house.client.post(path, json=message, headers=headers)
        assert response.json()["result"]["structuredContent"]["said"] == ["x"]
        assert response.headers["access-control-allow-origin"] == "http://localhost:6274"
        assert response.headers["x-content-type-options"] == "nosniff"
    assert (await last_row(house)).caller == "anonymous"
