"""Rows that show a published JSON Schema to people: field, type, bounds, default, meaning."""

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

# Every text field refuses U+0000. Repeating that for each field would hide the patterns that matter.
_PLAIN_TEXT = r"^[^\x00]*$"


def list_field_rows(schema: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return a row for each field, with nested fields below their parent as `parent.child` and `list[].child`."""
    return list(_iterate_rows(schema, "")) or [("(nothing)", "", "", "", "")]


def _iterate_rows(schema: dict[str, Any], prefix: str) -> Iterator[tuple[str, ...]]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        yield (
            prefix + name,
            _format_type(field),
            _format_bounds(field),
            _format_default(field, name in required),
            field.get("description", ""),
        )
        yield from _iterate_rows(field, f"{prefix}{name}.")
        yield from _iterate_rows(field.get("items", {}), f"{prefix}{name}[].")


def _format_type(field: dict[str, Any]) -> str:
    if "enum" in field:
        return " | ".join(_dump_json(value) if value is None else str(value) for value in field["enum"])
    if "const" in field:
        return _dump_json(field["const"])
    if "anyOf" in field:
        return " | ".join(_format_type(branch) for branch in field["anyOf"])
    kind = field.get("type", "any")
    kinds = [kind] if isinstance(kind, str) else list(kind)
    return " | ".join(
        f"{_format_type(field['items'])}[]" if kind == "array" and "items" in field else kind for kind in kinds
    )


def _format_bounds(field: dict[str, Any]) -> str:
    bounds = [form.format(field[key]) for key, form in _BOUNDS if key in field]
    if field.get("pattern", _PLAIN_TEXT) != _PLAIN_TEXT:
        bounds.append(f"matches {field['pattern']}")
    return ", ".join(bounds)


def _format_default(field: dict[str, Any], required: bool) -> str:
    return _dump_json(field["default"]) if "default" in field else "required" if required else ""


def _dump_json(value: Any) -> str:
    return orjson.dumps(value).decode("utf-8")
