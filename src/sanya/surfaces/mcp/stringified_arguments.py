"""Some hosts send an object or a list as a string of JSON. It is read back only where the contract wants one.

A field that may be a string stays as it came, however much it looks like JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

_KINDS: dict[str, type] = {"object": dict, "array": list}


def has_nested_fields(schema: Mapping[str, Any]) -> bool:
    """Whether any argument of a tool is an object or a list, so that there is something to look for."""
    return any(_list_container_types(field) for field in schema.get("properties", {}).values())


def parse_stringified(value: Any, schema: Mapping[str, Any]) -> Any:
    """`value` with every string that stands for a wanted object or list replaced by it."""
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
        found = orjson.loads(value)
    except orjson.JSONDecodeError:
        return value
    return parse_stringified(found, schema) if isinstance(found, kinds) else value


def _list_container_types(schema: Mapping[str, Any]) -> tuple[type, ...]:
    """The kinds of container that the schema takes; none where it takes a plain string as well."""
    names = _collect_type_names(schema)
    if "string" in names:
        return ()
    return tuple(kind for name, kind in _KINDS.items() if name in names)


def _collect_type_names(schema: Mapping[str, Any]) -> set[str]:
    own = schema.get("type", ())
    names = {own} if isinstance(own, str) else set(own)
    for keyword in ("anyOf", "oneOf"):
        for branch in schema.get(keyword, ()):
            names |= _collect_type_names(branch) or {"string"}  # a branch without a type takes anything
    return names
