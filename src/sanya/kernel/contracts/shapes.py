"""Shapes: the strict pydantic models that contracts consist of, and the JSON Schemas they are published as.

Published schemas are inlined (no `$ref`, no `anyOf` where a list of types will do), because many hosts understand
nothing else.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from sanya.kernel.contracts.field_descriptions import read_description

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


class Shape(BaseModel):
    """An object of a contract: it takes no unknown field, coerces nothing, and is immutable."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        # Build validators on first use: a command that calls one tool does not wait for the shapes of all others.
        defer_build=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Describe each field by the docstring below it. pydantic would read these whenever a class is created, which
        takes a tenth of the time of a command, and most commands publish nothing."""
        json_schema = handler(schema)
        properties = handler.resolve_ref_schema(json_schema).get("properties", {})
        for name, field in cls.model_fields.items():
            if field.description is None and (description := read_description(cls, name)):
                names = (field.serialization_alias, field.alias, name)
                published = next(alias for alias in names if alias in properties)
                properties[published]["description"] = description
        return json_schema


def _to_integer(value: object) -> object:
    """Return an integral float as an integer: JSON has one kind of number, so 10.0 is 10."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer = Annotated[int, BeforeValidator(_to_integer, json_schema_input_type=int)]

# PostgreSQL cannot store U+0000 in text, so no contract accepts it.
NO_NUL = r"^[^\x00]*$"
Text = Annotated[str, Field(pattern=NO_NUL)]


def is_text(value: str) -> bool:
    """Return whether every engine can store the text. For text that no contract has validated."""
    return "\0" not in value and (value.isascii() or not _SURROGATE.search(value))


_SURROGATE = re.compile("[\ud800-\udfff]")


# For a type with a validator before it pydantic publishes bounds under its own names.
_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}


# Cached: a schema takes milliseconds to build, and every surface of every opened home asks for those of all tools.
@cache
def get_published_schema(shape: type[BaseModel], *, mode: str = "validation") -> dict[str, Any]:
    """Return the shape's JSON Schema as published: inlined, without titles, every field described.

    All callers share the returned dictionary and must not change it.
    """
    raw = shape.model_json_schema(mode=cast(Any, mode))
    definitions = raw.pop("$defs", {})
    return cast(dict[str, Any], _tidy(raw, definitions))


def _tidy(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_tidy(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        named = definitions[node["$ref"].rsplit("/", 1)[-1]]
        node = {**named, **{key: value for key, value in node.items() if key != "$ref"}}
    kept = {_BOUNDS.get(key, key): value for key, value in node.items() if not _is_title(key, value)}
    return _merge_types({key: _tidy_member(key, value, definitions) for key, value in kept.items()})


def _is_title(key: str, value: Any) -> bool:
    return key == "title" and isinstance(value, str)


def _tidy_member(key: str, value: Any, definitions: dict[str, Any]) -> Any:
    if key == "properties":
        return {name: _tidy(member, definitions) for name, member in value.items()}
    if key in ("default", "const", "enum", "examples"):
        return value
    return _tidy(value, definitions)


def _merge_types(node: dict[str, Any]) -> dict[str, Any]:
    """Rewrite `anyOf: [X, null]` as X with a list of types, which more hosts understand."""
    branches = node.get("anyOf")
    if not isinstance(branches, list) or {"type": "null"} not in branches:
        return node
    others = [branch for branch in branches if branch != {"type": "null"}]
    if len(others) != 1 or not isinstance(others[0].get("type"), str):
        return node
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    merged = {**others[0], **rest, "type": [others[0]["type"], "null"]}
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], None]
    return merged
