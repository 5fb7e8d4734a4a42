"""Parses arguments that a host sent as a JSON string where the contract wants an object or a list.

Some hosts do that to nested arguments. A field that may be a string stays unchanged, even if it looks like JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from sanya.kernel.strict_json import DuplicateName, parse_json

_KINDS: dict[str, type] = {"object": dict, "array": list}


def has_nested_fields(schema: Mapping[str, Any]) -> bool:
    """Return True if any argument of the tool is an object or a list; only those can arrive as a JSON string."""
    return any(_list_container_types(field) for field in schema.get("properties", {}).values())


def parse_stringified(value: Any, schema: Mapping[str, Any]) -> Any:
    """Replace every string in `value` that stands for an object or list that the schema wants."""
    if isinstance(value, str):
        return _parse_string(value, schema)
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        return {name: parse_stringified(item, fields[name]) if name in fields else item for name, item in value.items()}
    if isinstance(value, list) and isinstance(items := schema.get("items"), dict):
        return [parse_stringified(item, items) for item in value]
    return value


def _parse_string(value: str, schema: Mapping[str, Any]) -> Any:
    kinds = _list_container_types(schema)
    if not kinds:
        return value
    try:
        parsed = parse_json(value)
    except (orjson.JSONDecodeError, DuplicateName):
        return value
    return parse_stringified(parsed, schema) if isinstance(parsed, kinds) else value


def _list_container_types(schema: Mapping[str, Any]) -> tuple[type, ...]:
    """List the container types that the schema accepts; none if it accepts a string as well."""
    names = _collect_type_names(schema)
    if "string" in names:
        return ()
    return tuple(kind for name, kind in _KINDS.items() if name in names)


def _collect_type_names(schema: Mapping[str, Any]) -> set[str]:
    own = schema.get("type", ())
    names = {own} if isinstance(own, str) else set(own)
    for keyword in ("anyOf", "oneOf"):
        for branch in schema.get(keyword, ()):
            names |= _collect_type_names(branch) or {"string"}  # a branch without a type accepts anything
    return names
