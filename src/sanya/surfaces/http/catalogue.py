"""`GET /tools`: every tool with its contract, as JSON. `?lang=th` describes tools and arguments in Thai."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import InvalidArgument
from sanya.surfaces.http.asgi import HttpRequest
from sanya.surfaces.tool_texts import LISTING_LANGUAGES, ListingLanguage, read_example_title, read_tool_text


def list_tools(catalogue: Catalogue, language: ListingLanguage = "en") -> dict[str, Any]:
    return {
        "suites": [{"name": suite.name, "title": suite.title, "tools": len(suite.tools)} for suite in catalogue.suites],
        "tools": [describe_tool(tool, language) for tool in catalogue.tools],
    }


def describe_tool(tool: Tool, language: ListingLanguage = "en") -> dict[str, Any]:
    text = read_tool_text(tool, language)
    return {
        "name": tool.name,
        "portable_name": tool.portable_name,
        "suite": tool.suite,
        "title": text.title,
        "description": text.description,
        "effect": tool.effect,
        "scopes": list(tool.required_scopes),
        "timeout_ms": tool.timeout_ms,
        "errors": list(tool.dialect.codes),
        "input_schema": text.input_schema,
        "output_schema": tool.output_schema,
        "examples": [
            {"title": read_example_title(tool, example.title, language), "arguments": dict(example.arguments)}
            for example in tool.examples
        ],
    }


def read_language(request: HttpRequest) -> ListingLanguage:
    """Return the language of the query string. Raises InvalidArgument for an unknown one."""
    asked = parse_qs(request.scope["query_string"].decode("latin-1")).get("lang", ["en"])[-1]
    chosen = next((language for language in LISTING_LANGUAGES if language == asked), None)
    if chosen is None:
        raise InvalidArgument(f"lang must be one of {', '.join(LISTING_LANGUAGES)}, got {asked[:64]!r}", field="lang")
    return chosen
