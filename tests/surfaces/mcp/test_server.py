"""Resources, prompts and completion."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sanya.kernel.calls.call import Caller
from sanya.surfaces.mcp.endpoint import McpEndpoint
from tests.surfaces.mcp.asgi_requests import META, Reply, message, modern_headers, post
from tests.surfaces.mcp.sample_suites import SampleKernel

ITEM = {"type": "ref/resource", "uri": "shop://item/{name}"}
GREET = {"type": "ref/prompt", "name": "greet"}
GUEST = Caller("guest", frozenset({"garden:read"}))


async def ask(
    endpoint: McpEndpoint, method: str, named: str | None = None, /, caller: Any = None, **more: Any
) -> Reply:
    scope = {} if caller is None else {"sanya.caller": caller}
    return await post(endpoint, message(method, {**more, "_meta": META}), modern_headers(method, named), **scope)


async def complete(endpoint: McpEndpoint, ref: Any, argument: str, value: str, caller: Any = None) -> Any:
    reply = await ask(
        endpoint, "completion/complete", caller=caller, ref=ref, argument={"name": argument, "value": value}
    )
    return reply.json["result"]["completion"] if "result" in reply.json else reply.json["error"]


async def read(endpoint: McpEndpoint, uri: str, caller: Any = None) -> Reply:
    return await ask(endpoint, "resources/read", uri, caller=caller, uri=uri)


async def test_resources_and_templates_are_listed_separately(endpoint: McpEndpoint) -> None:
    resources = (await ask(endpoint, "resources/list")).json["result"]["resources"]
    templates = (await ask(endpoint, "resources/templates/list")).json["result"]["resourceTemplates"]
    assert [resource["uri"] for resource in resources] == ["shop://sign", "shop://broken", "ui://shop/app"]
    assert [template["uriTemplate"] for template in templates] == ["shop://item/{name}"]
    assert resources[2]["_meta"] == {"ui": {"prefersBorder": 1}}


async def test_lists_are_cacheable_and_contents_are_not(endpoint: McpEndpoint) -> None:
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        result = (await ask(endpoint, method)).json["result"]
        # A header chooses the list of tools, so shared caches must not keep it.
        scope = "private" if method == "tools/list" else "public"
        assert (result["ttlMs"], result["cacheScope"]) == (60_000, scope)
    result = (await read(endpoint, "shop://sign")).json["result"]
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")


async def test_a_resource_is_read_through_the_kernel_and_stamped(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    result = (await read(endpoint, "shop://item/%E0%B8%84%E0%B9%89%E0%B8%AD%E0%B8%99")).json["result"]
    (content,) = result["contents"]
    assert content["text"] == '{"name":"ค้อน","price":null}'
    assert content["mimeType"] == "application/json"
    (row,) = await shop.read_rows()
    assert row.out_hash == result["_meta"]["sanya/audit"]["out_hash"]


async def test_text_keeps_its_own_type_and_a_page_its_meta(endpoint: McpEndpoint) -> None:
    (sign,) = (await read(endpoint, "shop://sign")).json["result"]["contents"]
    assert (sign["text"], sign["mimeType"]) == ("ร้านเปิด", "text/plain")
    (page,) = (await read(endpoint, "ui://shop/app")).json["result"]["contents"]
    assert (page["mimeType"], page["_meta"]) == ("text/html;profile=mcp-app", {"ui": {"prefersBorder": 1}})


@pytest.mark.parametrize("uri", ["shop://nothing", "shop://item/nothing", "nonsense", ""])
async def test_a_missing_resource_is_an_invalid_parameter(endpoint: McpEndpoint, uri: str) -> None:
    reply = await read(endpoint, uri)
    assert (reply.status, reply.json["error"]["code"]) == (400, -32602)
    assert reply.json["error"]["data"]["uri"] == uri


async def test_a_resource_needs_the_scope_of_its_suite(endpoint: McpEndpoint) -> None:
    reply = await read(endpoint, "shop://sign", caller=GUEST)
    assert reply.json["error"]["code"] == -32602
    assert "shop:read" in reply.json["error"]["message"]


async def test_internal_errors_show_only_an_id(endpoint: McpEndpoint) -> None:
    failures = [
        await read(endpoint, "shop://broken"),
        await ask(endpoint, "prompts/get", "broken", name="broken"),
        await ask(endpoint, "completion/complete", ref=GREET, argument={"name": "mood", "value": ""}),
    ]
    for reply in failures:
        assert reply.json["error"]["code"] == -32603
        assert b"hunter2" not in reply.body
        assert b"error_id" in reply.body


async def test_a_prompt_is_rendered_with_its_arguments(endpoint: McpEndpoint) -> None:
    (prompt, _) = (await ask(endpoint, "prompts/list")).json["result"]["prompts"]
    assert prompt["arguments"][0] == {"name": "name", "description": "Whom to greet.", "required": True}
    given = {"name": "Nok", "mood": "merry"}
    result = (await ask(endpoint, "prompts/get", "greet", name="greet", arguments=given)).json["result"]
    assert result["messages"][0]["content"]["text"] == "Greet Nok, in a merry way."


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [("greet", {}, "name is required"), ("greet", {"name": "a", "nope": "b"}, "nope"), ("gret", {}, "greet")],
)
async def test_a_prompt_that_cannot_be_rendered_says_why(
    endpoint: McpEndpoint, name: str, arguments: dict[str, str], said: str
) -> None:
    reply = await ask(endpoint, "prompts/get", name, name=name, arguments=arguments)
    assert reply.json["error"]["code"] == -32602
    assert said in reply.json["error"]["message"]


async def test_completion_returns_values_with_the_typed_prefix(endpoint: McpEndpoint) -> None:
    assert await complete(endpoint, ITEM, "name", "ha") == {
        "values": ["hammer", "handsaw"],
        "total": 2,
        "hasMore": False,
    }
    assert (await complete(endpoint, ITEM, "other", ""))["values"] == []


async def test_completion_returns_a_hundred_values_and_has_more(endpoint: McpEndpoint) -> None:
    found = await complete(endpoint, GREET, "name", "a")
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 150, True)


async def test_completion_returns_nothing_to_a_caller_without_the_scope(endpoint: McpEndpoint) -> None:
    assert (await complete(endpoint, ITEM, "name", "", caller=GUEST))["values"] == []


@pytest.mark.parametrize("begun", ["a\0", "\ud800"])
async def test_completion_returns_nothing_for_invalid_text(endpoint: McpEndpoint, begun: str) -> None:
    assert (await complete(endpoint, GREET, "name", begun))["values"] == []


async def test_completion_takes_the_path_of_a_call(endpoint: McpEndpoint, shop: SampleKernel) -> None:
    """It has a row, which does not hold what was typed, a bounded length and the caller's rate."""
    await complete(endpoint, ITEM, "name", "ha")
    (row,) = await shop.read_rows()
    assert (row.tool, row.surface, row.status) == ("completion/complete", "mcp", "ok")
    assert '"ha"' not in row.input
    refused = await complete(endpoint, ITEM, "name", "h" * 1_001)
    assert refused["code"] == -32602 and "at most 1000 characters" in refused["message"]
    hurried = Caller("hurried", frozenset({"*"}), calls_per_minute=1)
    assert "values" in await complete(endpoint, ITEM, "name", "ha", caller=hurried)
    assert "calls a minute" in (await complete(endpoint, ITEM, "name", "ha", caller=hurried))["message"]


async def test_requests_that_make_no_call_are_limited_apart_from_calls(endpoint: McpEndpoint) -> None:
    hurried = Caller("hurried", frozenset({"*"}), calls_per_minute=1)
    replies = await asyncio.gather(*(ask(endpoint, "prompts/list", caller=hurried) for _ in range(300)))
    errors = [reply.json["error"] for reply in replies if "error" in reply.json]
    assert 0 < len(errors) <= 200
    assert "calls a minute" in errors[0]["message"] and errors[0]["data"]["error"]["retry_after_ms"]


@pytest.mark.parametrize("ref", [{"type": "ref/resource", "uri": "shop://none"}, {"type": "ref/prompt", "name": "no"}])
async def test_completion_of_an_unknown_reference_is_refused(endpoint: McpEndpoint, ref: dict[str, str]) -> None:
    assert (await complete(endpoint, ref, "name", ""))["code"] == -32602


async def test_an_unknown_method_is_not_found(endpoint: McpEndpoint) -> None:
    reply = await ask(endpoint, "tools/dance")
    assert (reply.status, reply.json["error"]["code"]) == (404, -32601)
