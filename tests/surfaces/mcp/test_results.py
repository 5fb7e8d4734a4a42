"""Results of `tools/call`: text and structured content, stamps, and errors without internal details."""

from __future__ import annotations

import json
import logging
from hashlib import sha256
from typing import Any

import pytest

from sanya.kernel.calls.call import Answered, Call, Caller
from sanya.kernel.canonical import to_canonical_json
from sanya.surfaces.mcp.endpoint import McpEndpoint
from sanya.surfaces.mcp.results import build_tool_result
from tests.surfaces.mcp.asgi_requests import call, modern_headers, post, tool_call
from tests.surfaces.mcp.sample_suites import SECRET, SampleKernel


async def test_text_and_structured_content_are_the_same_body(endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "shop.echo", {"text": "ค้อน", "times": 2})
    assert result["structuredContent"] == {"said": ["ค้อน", "ค้อน"], "price": None}
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert (result["isError"], result["resultType"]) == (False, "complete")


async def test_the_stamp_in_meta_matches_the_body(endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "shop.echo", {"text": "a"})
    stamp = result["_meta"]["sanya/audit"]
    assert stamp["out_hash"] == sha256(to_canonical_json(result["structuredContent"])).hexdigest()
    assert stamp["seed"] == int(stamp["in_hash"][:16], 16)
    assert stamp["status"] == "ok"


async def test_a_stamp_in_the_body_is_not_repeated_in_meta(endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "garden.leaf", {"text": "a"})
    assert result["structuredContent"]["audit"]["status"] == "ok"
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert "sanya/audit" not in result["_meta"]


async def test_a_dialect_with_a_sentence_puts_it_before_the_figures(endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "fair_price", {"limit": 2})
    sentence, figures = result["content"]
    assert sentence == {"type": "text", "text": "2 lines"}
    assert json.loads(figures["text"]) == result["structuredContent"]
    assert len(result["structuredContent"]["items"]) == 2
    assert result["_meta"]["lang"] == "en"


async def test_a_note_stands_in_meta_and_its_message_in_the_text(shop: SampleKernel) -> None:
    outcome = await shop.kernel.call(Call("shop.echo", {"text": "a"}))
    assert isinstance(outcome, Answered)
    note = {"fit": "weak", "message": "Nothing here fits the question well."}
    result = build_tool_result(outcome._replace(notes={"search": note}))
    assert result["_meta"]["sanya/search"] == note
    assert [part["text"] for part in result["content"][1:]] == ["Nothing here fits the question well."]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


async def test_an_error_is_a_result_with_the_suites_own_object(endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "shop.echo", {"text": "a", "times": 9})
    assert result["isError"] is True
    assert result["structuredContent"]["code"] == "INVALID_ARGUMENT"
    assert result["structuredContent"]["details"]["field"] == "times"
    assert result["content"][0]["text"] == result["structuredContent"]["message"]
    assert result["_meta"]["sanya/audit"]["status"] == "error"


async def test_an_unknown_tool_is_a_protocol_error_that_names_the_nearest(endpoint: McpEndpoint) -> None:
    reply = await post(endpoint, tool_call("shop.ecko"), modern_headers(name="shop.ecko"))
    assert reply.status == 400
    assert reply.json["error"]["code"] == -32602
    assert "shop.echo" in reply.json["error"]["message"]


async def test_internal_errors_show_no_details(endpoint: McpEndpoint, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        result = await call(endpoint, "shop.fail")
    assert result["structuredContent"]["code"] == "INTERNAL_ERROR"
    assert "hunter2" not in json.dumps(result)
    assert "Traceback" not in json.dumps(result)
    assert SECRET in caplog.text
    assert result["structuredContent"]["details"]["error_id"] in [
        vars(record).get("error_id") for record in caplog.records
    ]


async def test_a_result_over_the_limit_is_refused_with_a_limit_that_fits(endpoint: McpEndpoint) -> None:
    refused = await call(endpoint, "shop.page", {"limit": 50_000})
    assert refused["isError"]
    assert refused["structuredContent"]["details"]["field"] == "limit"
    smaller = int(refused["content"][0]["text"].split("limit ")[1].split()[0])
    answered = await call(endpoint, "shop.page", {"limit": smaller})
    assert len(answered["structuredContent"]["items"]) == smaller
    assert len(answered["content"][0]["text"]) < 75_000


async def test_a_repeated_request_id_gets_the_first_answer_again(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    first, again = [await call(endpoint, "shop.note", {"text": "once"}, **{"sanya/request_id": "r1"}) for _ in "ab"]
    assert again["structuredContent"] == first["structuredContent"] == {"count": 1}
    assert (first["_meta"].get("sanya/replayed"), again["_meta"].get("sanya/replayed")) == (None, True)
    assert again["_meta"]["sanya/request_id"] == "r1"
    assert shop.events == ["noted once"]


async def test_a_missing_request_id_is_generated(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "shop.echo", {"text": "a"})
    (row,) = await shop.read_rows()
    assert (row.request_id, row.surface) == (result["_meta"]["sanya/request_id"], "mcp")


async def test_the_ledger_records_the_clients_trace_id(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    await call(endpoint, "shop.echo", {"text": "a"}, traceparent=f"00-{trace}-00f067aa0ba902b7-01")
    await call(endpoint, "shop.echo", {"text": "a"}, traceparent="nonsense")
    assert [row.trace_id for row in await shop.read_rows()] == [trace, None]


@pytest.mark.parametrize("meta", [{}, {"progressToken": 1}])
async def test_the_caller_in_the_scope_makes_the_call(
    shop: SampleKernel, endpoint: McpEndpoint, meta: dict[str, Any]
) -> None:
    guest = Caller("guest", frozenset({"garden:read"}))
    body = tool_call("shop.echo", {"text": "a"}, **meta)
    reply = await post(endpoint, body, modern_headers(), **{"sanya.caller": guest})
    assert reply.json["result"]["structuredContent"]["code"] == "UNAUTHORIZED"
    assert [row.caller for row in await shop.read_rows()] == ["guest"]
