"""`GET /tools`: what can be called, as data."""

from __future__ import annotations

from typing import Any

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.tool import Tool


def list_tools(catalogue: Catalogue) -> dict[str, Any]:
    return {
        "suites": [{"name": one.name, "title": one.title, "tools": len(one.tools)} for one in catalogue.suites],
        "tools": [describe_tool(tool) for tool in catalogue.tools],
    }


def describe_tool(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "portable_name": tool.portable_name,
        "suite": tool.suite,
        "title": tool.title,
        "description": tool.description,
        "effect": tool.effect,
        "scopes": list(tool.required_scopes),
        "timeout_ms": tool.timeout_ms,
        "errors": list(tool.dialect.codes),
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
        "examples": [{"title": one.title, "arguments": dict(one.arguments)} for one in tool.examples],
    }
