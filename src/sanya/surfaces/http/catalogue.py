"""`GET /tools`: every tool with its contract, as JSON."""

from __future__ import annotations

from typing import Any

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.tool import Tool


def list_tools(catalogue: Catalogue) -> dict[str, Any]:
    return {
        "suites": [{"name": suite.name, "title": suite.title, "tools": len(suite.tools)} for suite in catalogue.suites],
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
        "examples": [{"title": example.title, "arguments": dict(example.arguments)} for example in tool.examples],
    }
