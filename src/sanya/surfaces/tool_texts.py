"""The words of tools and resources in the language that a listing is asked for.

Contracts are in English. Thai words are in `thai_texts`, one file for each of our suites. They change no name, no type
and no bound. A suite of another package has none, so its tools stay as their authors describe them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, get_args

from sanya.kernel.contracts.suite import Resource
from sanya.kernel.contracts.tool import Tool

ListingLanguage = Literal["en", "th"]
LISTING_LANGUAGES: tuple[ListingLanguage, ...] = get_args(ListingLanguage)

_FOLDER = "thai_texts"


class ToolText(NamedTuple):
    title: str
    description: str
    input_schema: dict[str, Any]


def read_tool_text(tool: Tool, language: ListingLanguage) -> ToolText:
    """Return the words of a tool, in English where the language has none."""
    texts = load_texts(tool.suite) if language == "th" else {}
    own = texts.get("tools", {}).get(tool.name)
    if own is None:
        return ToolText(tool.title, tool.description, tool.input_schema)
    arguments = {**texts.get("arguments", {}), **own.get("arguments", {})}
    return ToolText(own["title"], own["description"], translate_schema(tool.input_schema, arguments))


def read_resource_text(resource: Resource, language: ListingLanguage) -> tuple[str, str]:
    """Return title and description of a resource, in English where the language has none."""
    own = load_texts(resource.suite).get("resources", {}).get(resource.uri, {}) if language == "th" else {}
    return own.get("title", resource.title), own.get("description", resource.description)


def read_example_title(tool: Tool, title: str, language: ListingLanguage) -> str:
    """Return the title of an example, in English where the language has none."""
    own: str = load_texts(tool.suite).get("examples", {}).get(title, title) if language == "th" else title
    return own


def translate_schema(schema: dict[str, Any], arguments: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """Return the schema with the descriptions of `arguments`, by path: `filters.types`, `batch[].uri`."""
    changed = dict(schema)
    if "description" in schema and path in arguments:
        changed["description"] = arguments[path]
    if "properties" in schema:
        changed["properties"] = {
            name: translate_schema(field, arguments, f"{path}.{name}" if path else name)
            for name, field in schema["properties"].items()
        }
    if isinstance(schema.get("items"), dict):
        changed["items"] = translate_schema(schema["items"], arguments, f"{path}[]")
    return changed


@cache
def load_texts(name: str) -> dict[str, Any]:
    """Return the Thai words of a suite, or of the tools that the MCP server itself has (`server`)."""
    file = files("sanya.surfaces") / _FOLDER / f"{name}.json"
    texts: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return texts
