"""Schemas as listings show them. Every word of a listing is in the context of a model, so they hold what it uses.

Of an argument: type, values, default and description, in its place, because many hosts show a model the arguments
alone, without the instructions and without the schema of the answer. Bounds and patterns are told by the description,
and by the error of a call that breaks them; where values, a default or fields show the form, the description
needs no example. Of an answer: names and types of what a model uses. The published contract has the whole of both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from sanya.kernel.contracts.tool import Tool

_MAX_DEPTH = 6
_IMPLIED: tuple[tuple[str, object], ...] = (
    ("default", None),
    ("default", False),
    ("default", []),
    # The description tells these.
    ("default", "full"),
    ("default", "auto"),
    ("default", "desc"),
    ("additionalProperties", False),
    ("additionalProperties", True),
)
_COUNTS = ("limit", "item_limit", "page", "pageSize", "top_k")
"""Arguments whose default is told by the answer that they bring."""
_EXAMPLE = re.compile(r", e\.g\. ([^;]*)")
_THAI_EXAMPLE = re.compile(r" เช่น [^;]*")
_BOUNDS = (
    *("minLength", "maxLength", "pattern", "minItems", "maxItems"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)


def trim_input_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments, or one of them, as a model needs them."""
    kept = {key: value for key, value in schema.items() if key not in _BOUNDS and (key, value) not in _IMPLIED}
    if isinstance(kinds := kept.get("type"), list):
        named = [kind for kind in kinds if kind != "null"]
        kept["type"] = named[0] if len(named) == 1 else named
    if "enum" in kept:
        kept["enum"] = [choice for choice in kept["enum"] if choice is not None]
    if "properties" in kept:
        kept["properties"] = {name: _trim_argument(name, field) for name, field in kept["properties"].items()}
        kept.pop("default", None)
    if "items" in kept:
        kept["items"] = trim_input_schema(kept["items"])
    if "description" in kept:
        kept["description"] = _trim_example(kept["description"], _has_visible_form(kept))
    return kept


def _trim_argument(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    trimmed = trim_input_schema(schema)
    if name in _COUNTS:
        trimmed.pop("default", None)
    return trimmed


def _trim_example(description: str, is_visible: bool) -> str:
    if is_visible:
        return _THAI_EXAMPLE.sub("", _EXAMPLE.sub("", description))
    # "e.g." takes four tokens, and a list has some sixty of them.
    return _EXAMPLE.sub(r", like \1", description)


def _has_visible_form(argument: dict[str, Any]) -> bool:
    return bool(argument.keys() & {"enum", "default", "properties"}) or "enum" in argument.get("items", ())


def iter_output_schemas(tool: Tool) -> Iterator[dict[str, Any]]:
    """Yield the schema of an answer: its main fields, then all names, then with types, then ever deeper. The last has
    all of them.

    Each accepts every answer, also a short one, and every refusal: the older era's TypeScript client throws where the
    structured content of a refusal does not match. So nothing is required, and the top takes further fields.
    """
    # The stamp is the same in every answer, and its place is told once.
    schema = tool.dialect.to_mcp_schema(tool.output_schema)
    body = {**schema, "properties": {k: v for k, v in schema.get("properties", {}).items() if k != "audit"}}
    last: dict[str, Any] = {}
    for depth in range(_MAX_DEPTH):
        shown = _clip(body, depth)
        shown.pop("additionalProperties", None)
        if depth == 1 and "properties" in shown:
            if main_fields := load_main_fields().get(tool.name):
                yield {**shown, "properties": {name: {} for name in main_fields}}
            yield {**shown, "properties": {name: {} for name in shown["properties"]}}
        if shown != last:
            yield shown
        last = shown


@cache
def load_main_fields() -> dict[str, list[str]]:
    """Return the fields by tool that a model plans with: what it asked for, and the ids of further calls."""
    path = files("sanya.surfaces.mcp.listing") / "answer_fields.json"
    fields: dict[str, list[str]] = json.loads(path.read_text("utf-8"))
    return fields


def _clip(schema: dict[str, Any], depth: int) -> dict[str, Any]:
    """Return names and types, and only the type of whatever lies deeper than `depth`.

    A field without a type is a text, or may be null.
    """
    kind = schema.get("type")
    shown: dict[str, Any] = {"type": kind} if isinstance(kind, str) and kind != "string" else {}
    if "properties" in schema and depth > 0:
        shown["properties"] = {name: _clip(field, depth - 1) for name, field in schema["properties"].items()}
    if isinstance(schema.get("items"), dict) and depth > 0 and (items := _clip(schema["items"], depth)):
        shown["items"] = items
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema and depth > 0:
            shown[keyword] = [_clip(branch, depth) for branch in schema[keyword]]
    return shown
