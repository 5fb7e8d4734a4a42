"""A published JSON Schema as rows for people: field, type, bounds, default, meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

FIELD_COLUMNS = ("field", "type", "bounds", "default", "meaning")

_BOUNDS = (
    ("minimum", "≥ {}"),
    ("exclusiveMinimum", "> {}"),
    ("maximum", "≤ {}"),
    ("exclusiveMaximum", "< {}"),
    ("minLength", "≥ {} characters"),
    ("maxLength", "≤ {} characters"),
    ("minItems", "≥ {} items"),
    ("maxItems", "≤ {} items"),
    ("format", "{}"),
)

# Every text refuses U+0000; saying so at each field would only hide the patterns that matter.
_PLAIN_TEXT = r"^[^\x00]*$"


def field_rows(schema: dict[str, Any]) -> list[tuple[str, ...]]:
    """One row a field, nested ones below their parent as `parent.child` and `list[].child`."""
    return list(_rows(schema, "")) or [("(nothing)", "", "", "", "")]


def _rows(schema: dict[str, Any], prefix: str) -> Iterator[tuple[str, ...]]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        yield (
            prefix + name,
            _type(field),
            _bounds(field),
            _default(field, name in required),
            field.get("description", ""),
        )
        yield from _rows(field, f"{prefix}{name}.")
        yield from _rows(field.get("items", {}), f"{prefix}{name}[].")


def _type(field: dict[str, Any]) -> str:
    if "enum" in field:
        return " | ".join(_json(one) if one is None else str(one) for one in field["enum"])
    if "const" in field:
        return _json(field["const"])
    if "anyOf" in field:
        return " | ".join(_type(branch) for branch in field["anyOf"])
    kind = field.get("type", "any")
    words = [kind] if isinstance(kind, str) else list(kind)
    return " | ".join(f"{_type(field['items'])}[]" if word == "array" and "items" in field else word for word in words)


def _bounds(field: dict[str, Any]) -> str:
    found = [form.format(field[key]) for key, form in _BOUNDS if key in field]
    if field.get("pattern", _PLAIN_TEXT) != _PLAIN_TEXT:
        found.append(f"matches {field['pattern']}")
    return ", ".join(found)


def _default(field: dict[str, Any], required: bool) -> str:
    return _json(field["default"]) if "default" in field else "required" if required else ""


def _json(value: Any) -> str:
    return orjson.dumps(value).decode("utf-8")
