"""Tool listings: names that hosts accept, schemas they understand, and few tokens."""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from mcp import types

import sanya
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import Fault, UpstreamFailed, list_fault_kinds
from sanya.surfaces.mcp.endpoint import McpEndpoint
from sanya.surfaces.mcp.listing.lists import (
    MAX_TOOL_TOKENS,
    list_prompts,
    list_resources,
    list_templates,
    list_tools,
)
from sanya.surfaces.mcp.listing.schemas import load_main_fields
from sanya.surfaces.mcp.listing.token_estimates import estimate_tokens
from sanya.surfaces.mcp.listing.tool_names import ToolNames, choose_listed_name
from sanya.surfaces.mcp.listing.toolsets import ToolAudience, Toolset
from tests.surfaces.mcp.asgi_requests import META, call, message, modern_headers, post
from tests.surfaces.mcp.conftest import build_endpoint, hold_in_one_task
from tests.surfaces.mcp.sample_suites import SampleKernel

PORTABLE = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


async def listed(endpoint: McpEndpoint) -> list[dict[str, Any]]:
    reply = await post(endpoint, message("tools/list", {"_meta": META}), modern_headers("tools/list", None))
    tools: list[dict[str, Any]] = reply.json["result"]["tools"]
    return tools


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(item)


async def test_contract_names_keep_their_dots(endpoint: McpEndpoint) -> None:
    assert "shop.echo" in [tool["name"] for tool in await listed(endpoint)]


async def test_portable_names_are_valid_and_both_names_can_be_called(shop: SampleKernel) -> None:
    portable = build_endpoint(shop, portable=True)
    async with hold_in_one_task(portable.running()):
        names = [tool["name"] for tool in await listed(portable)]
        assert "shop_echo" in names
        assert [name for name in names if not PORTABLE.match(name)] == []
        results = [await call(portable, name, {"text": "a"}) for name in ("shop_echo", "shop.echo")]
        assert results[0]["structuredContent"] == results[1]["structuredContent"]


async def test_the_contract_endpoint_accepts_portable_names(endpoint: McpEndpoint) -> None:
    assert not (await call(endpoint, "shop_echo", {"text": "a"}))["isError"]


def test_a_tool_name_that_hosts_reject_stops_the_server_at_start_up(shop: SampleKernel) -> None:
    tool = replace(shop.kernel.catalogue.tools[0], name="shop/" + "x" * 70)
    for portable in (False, True):
        with pytest.raises(ValueError, match="cannot be listed"):
            choose_listed_name(tool, portable=portable)


async def test_listings_are_deterministic(shop: SampleKernel, endpoint: McpEndpoint) -> None:
    again = build_endpoint(shop)
    async with hold_in_one_task(again.running()):
        assert json.dumps(await listed(endpoint)) == json.dumps(await listed(again))


@pytest.fixture(params=["sample", "full"])
async def catalogue(request: pytest.FixtureRequest, shop: SampleKernel, tmp_path: Path, filled_home: Path) -> Catalogue:
    if request.param == "sample":
        return shop.kernel.catalogue
    async with sanya.open(shutil.copytree(filled_home, tmp_path / "full")) as app:
        return app.kernel.catalogue


def list_contracts(catalogue: Catalogue) -> list[types.Tool]:
    """List all tools that have a contract, without those of the surface itself."""
    tools = list_tools(catalogue, portable=False).tools
    return [tool for tool in tools if catalogue.find_tool(tool.name) is not None]


def dumped(catalogue: Catalogue) -> list[dict[str, Any]]:
    return [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in list_contracts(catalogue)]


def test_no_tool_costs_more_than_its_budget(catalogue: Catalogue) -> None:
    for tool in dumped(catalogue):
        written = json.dumps(tool, separators=(",", ":"), ensure_ascii=False)
        assert estimate_tokens(written) <= MAX_TOOL_TOKENS, tool["name"]
        assert tool["outputSchema"].get("properties"), tool["name"]


def test_schemas_are_inlined(catalogue: Catalogue) -> None:
    for tool in dumped(catalogue):
        for node in nodes([tool["inputSchema"], tool["outputSchema"]]):
            assert not {"$ref", "$defs", "definitions"} & node.keys(), tool["name"]
        assert (tool["inputSchema"]["type"], tool["outputSchema"]["type"]) == ("object", "object")


def iter_arguments(schema: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, argument in schema.get("properties", {}).items():
        yield f"{path} {name}", argument
        yield from iter_arguments(argument, f"{path} {name}")
        yield from iter_arguments(argument.get("items", {}), f"{path} {name}")


@pytest.mark.parametrize("audience", ["agent", "all", "operator"])
async def test_every_argument_is_described_in_its_place(tmp_path: Path, audience: ToolAudience) -> None:
    """Many hosts show a model the arguments alone. One word or two, such as "Which" or "Most hits", fill nothing."""
    async with sanya.open(tmp_path) as app:
        listed = list_tools(app.kernel.catalogue, toolset=Toolset(audience)).tools
    told = {
        path: argument.get("description", "")
        for tool in listed
        for path, argument in iter_arguments(tool.input_schema, tool.name)
    }
    assert told
    assert {path: words for path, words in told.items() if len(words.split()) < 3} == {}


async def test_the_main_fields_of_an_answer_are_fields_of_it(tmp_path: Path) -> None:
    async with sanya.open(tmp_path) as app:
        schemas = {tool.name: tool.dialect.to_mcp_schema(tool.output_schema) for tool in app.kernel.catalogue.tools}
    for name, fields in load_main_fields().items():
        assert set(fields) <= schemas[name]["properties"].keys(), name


async def test_hints_say_what_a_tool_does(endpoint: McpEndpoint) -> None:
    tools = {tool["name"]: tool["annotations"] for tool in await listed(endpoint)}
    assert tools["shop.echo"] == {"readOnlyHint": True, "openWorldHint": False}
    changes = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}
    assert tools["shop.note"] == changes


def make(fault: type[Fault]) -> Fault:
    more: dict[str, Any] = {"source": "entrez"} if issubclass(fault, UpstreamFailed) else {}
    return fault("It is so.", details={"field": "limit"}, retry_after_ms=5, **more)


def test_a_refusal_matches_the_listed_output_schema_as_older_clients_require(catalogue: Catalogue) -> None:
    for tool, shown in zip(catalogue.tools, list_contracts(catalogue), strict=True):
        for fault in list_fault_kinds().values():
            worded = tool.dialect.render_fault(make(fault), tool)
            jsonschema.validate(worded.body, shown.output_schema or {})


def test_what_people_pick_from_has_a_title_and_an_icon_that_need_not_be_fetched(catalogue: Catalogue) -> None:
    shown: list[Any] = [*list_resources(catalogue.resources).resources]
    shown += list_templates(catalogue.resources).resource_templates
    shown += list_prompts(catalogue.prompts.values(), ToolNames(catalogue.tools, portable=False)).prompts
    shown += list_contracts(catalogue)
    for item in shown:
        assert len(item.icons) == 1, item.name
        ElementTree.fromstring(b64decode(item.icons[0].src.removeprefix("data:image/svg+xml;base64,")))
        assert item.title


class Leaf(Shape):
    name: str
    """What this leaf of the tree is called, in words that take some room."""
    colour: str | None
    """Its colour, in words that take some room as well."""


class Branch(Shape):
    leaves: list[Leaf]
    """All leaves of this branch, in the order in which they grew."""
    more: list[Leaf]
    """Those that fell, in the order in which they fell."""


class Tree(Shape):
    description: str
    """A field that is called as a keyword is."""
    left: list[Branch]
    """The branches on the left side of the tree."""
    right: list[Branch]
    """The branches on the right side of the tree."""
    crown: list[Branch]
    """The branches at the top of the tree."""


def large_tool(shop: SampleKernel, description: str) -> Tool:
    return replace(shop.kernel.catalogue.tools[0], output=Tree, description=description, meta={"ui": {"a": 1}})


@pytest.mark.parametrize("room", [0, 200, 400, 500])
def test_a_large_output_schema_is_clipped_to_the_budget_and_stays_valid(shop: SampleKernel, room: int) -> None:
    shop.kernel.catalogue.tools = (large_tool(shop, "word " * room),)
    (listed,) = list_contracts(shop.kernel.catalogue)
    assert estimate_tokens(listed.model_dump_json(by_alias=True, exclude_none=True)) <= MAX_TOOL_TOKENS
    assert listed.meta == {"ui": {"a": 1}}
    assert listed.output_schema is not None
    branch = {"leaves": [{"name": "a", "colour": None}], "more": []}
    jsonschema.validate({"description": "d", "left": [branch], "right": [], "crown": []}, listed.output_schema)
    if room == 0:
        leaves = listed.output_schema["properties"]["left"]["items"]["properties"]["leaves"]
        assert leaves == {"type": "array", "items": {"properties": {"name": {}, "colour": {}}, "type": "object"}}


def test_an_output_schema_over_the_budget_is_left_out(shop: SampleKernel) -> None:
    shop.kernel.catalogue.tools = (large_tool(shop, "word " * 800),)
    (listed,) = list_contracts(shop.kernel.catalogue)
    assert listed.output_schema is None


async def test_an_unknown_cursor_is_refused(endpoint: McpEndpoint) -> None:
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        body = message(method, {"cursor": "x", "_meta": META})
        reply = await post(endpoint, body, modern_headers(method, None))
        assert (reply.status, reply.json["error"]["code"]) == (400, -32602)
