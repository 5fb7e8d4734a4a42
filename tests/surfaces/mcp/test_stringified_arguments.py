"""Objects and lists that a host sent as JSON strings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sanya.surfaces.mcp.arguments.json_strings import has_nested_fields, parse_stringified
from sanya.surfaces.mcp.endpoint import McpEndpoint
from tests.surfaces.mcp.asgi_requests import call

OBJECT = {"type": "object", "properties": {"name": {"type": "string"}, "sizes": {"type": "array", "items": {}}}}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (OBJECT, '{"name": "a"}', {"name": "a"}),
        (OBJECT, '{"name": "{}"}', {"name": "{}"}),
        (OBJECT, '{"sizes": "[1]"}', {"sizes": [1]}),
        ({"type": ["object", "null"]}, '{"a": 1}', {"a": 1}),
        ({"type": "array", "items": OBJECT}, '["{\\"name\\": \\"a\\"}"]', [{"name": "a"}]),
        ({"type": "array"}, ["x"], ["x"]),
        ({"anyOf": [{"type": "object"}, {"type": "array"}]}, "[1]", [1]),
    ],
)
def test_a_json_string_is_parsed_where_the_contract_wants_a_container(schema: Any, value: Any, expected: Any) -> None:
    assert parse_stringified(value, schema) == expected


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, '{"a": 1}'),
        ({"type": ["string", "object"]}, '{"a": 1}'),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, '{"a": 1}'),
        ({"anyOf": [{"const": "x"}, {"type": "object"}]}, '{"a": 1}'),
        ({}, '{"a": 1}'),
        ({"type": "object"}, "[1]"),
        ({"type": "array"}, '{"a": 1}'),
        ({"type": "object"}, "not json"),
        ({"type": "object"}, "1"),
        ({"type": "integer"}, "1"),
    ],
)
def test_any_other_string_stays_unchanged(schema: Any, value: str) -> None:
    assert parse_stringified(value, schema) is value


def test_only_tools_with_nested_arguments_are_checked() -> None:
    assert has_nested_fields({"properties": {"a": {"type": "string"}, "b": {"type": ["array", "null"]}}})
    assert not has_nested_fields({"properties": {"a": {"type": "string"}}})


async def test_a_tool_gets_parsed_objects_and_unchanged_strings(
    endpoint: McpEndpoint,
) -> None:
    part = {"name": '{"not": "touched"}', "size": 3}
    sent = {"part": json.dumps(part), "tags": '["a", "b"]', "note": '{"plain": "text"}'}
    result = await call(endpoint, "shop.order", sent)
    assert result["structuredContent"] == {"part": part, "tags": ["a", "b"], "note": '{"plain": "text"}'}
    proper = await call(endpoint, "shop.order", {"part": part, "tags": ["a", "b"], "note": '{"plain": "text"}'})
    assert result["_meta"]["sanya/audit"]["in_hash"] == proper["_meta"]["sanya/audit"]["in_hash"]


async def test_a_string_that_is_not_json_is_refused_by_the_contract(endpoint: McpEndpoint) -> None:
    result = await call(endpoint, "shop.order", {"part": "a hammer"})
    assert result["isError"]
    assert "part must be an object" in result["content"][0]["text"]
