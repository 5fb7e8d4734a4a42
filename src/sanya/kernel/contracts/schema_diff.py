"""Lists the changes from one JSON Schema to another, without judging them.

Whether a change breaks callers depends on the side: an input may only widen, an answer may only narrow. `contract_diff`
knows the sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]

_JSON_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_WORDING = ("description", "title", "examples", "deprecated", "$comment")
_LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_HANDLED = {
    *(*_WORDING, *_LOWER_BOUNDS, *_UPPER_BOUNDS),
    *("type", "enum", "const", "default", "pattern", "uniqueItems"),
    *("properties", "required", "additionalProperties", "items", "anyOf", "oneOf"),
}
_NOTHING = object()


class SchemaChange(NamedTuple):
    """`event` is the kind of change, `where` its path, `says` a description."""

    event: str
    where: str
    says: str


def compare_schemas(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    """Yield every change from `old` to `new`, the outermost first."""
    yield from _compare_types(old, new, where)
    yield from _compare_values(old, new, where)
    yield from _compare_bounds(old, new, where)
    yield from _compare_rules(old, new, where)
    yield from _compare_fields(old, new, where)
    yield from _compare_openness(old, new, where)
    yield from _compare_items(old, new, where)
    for keyword in ("anyOf", "oneOf"):
        if keyword in old or keyword in new:
            yield from _compare_alternatives(_list_alternatives(old, keyword), _list_alternatives(new, keyword), where)


def _compare_types(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    before, after = _read_types(old), _read_types(new)
    if removed := sorted(before - after):
        yield SchemaChange("type_narrowed", where, f"is no longer {' or '.join(removed)}")
    if added := sorted(after - before):
        yield SchemaChange("type_widened", where, f"can now be {' or '.join(added)} as well")


def _read_types(schema: Schema) -> frozenset[str]:
    """Return the allowed JSON types; a number may always be an integer."""
    if "type" not in schema:
        branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
        return frozenset().union(*map(_read_types, branches)) if branches else _JSON_TYPES
    named = schema["type"]
    types = frozenset([named] if isinstance(named, str) else named)
    return types | {"integer"} if "number" in types else types


def _compare_values(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    before, after = _read_values(old), _read_values(new)
    if before is None and after is not None:
        yield SchemaChange("tightened", where, "is now held to a list of values")
    if before is not None and after is None:
        yield SchemaChange("loosened", where, "is no longer held to a list of values")
    if before is None or after is None:
        return
    for value in before:
        if value not in after:
            yield SchemaChange("value_removed", where, f"{value!r} is no longer one of its values")
    for value in after:
        if value not in before:
            yield SchemaChange("value_added", where, f"{value!r} is a new one of its values")


def _read_values(schema: Schema) -> list[Any] | None:
    """Return the listed values; a constant is a list of one."""
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _compare_bounds(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    for keyword in (*_LOWER_BOUNDS, *_UPPER_BOUNDS):
        before, after = old.get(keyword), new.get(keyword)
        if before == after:
            continue
        event = "tightened" if _is_tighter(keyword, before, after) else "loosened"
        yield SchemaChange(event, where, _describe_change(keyword, before, after))
    if old.get("uniqueItems", False) != new.get("uniqueItems", False):
        event = "tightened" if new.get("uniqueItems") else "loosened"
        yield SchemaChange(
            event, where, _describe_change("uniqueItems", old.get("uniqueItems", False), new.get("uniqueItems", False))
        )


def _is_tighter(keyword: str, before: Any, after: Any) -> bool:
    if before is None or after is None:
        return before is None
    return bool(after > before) == (keyword in _LOWER_BOUNDS)


def _compare_rules(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    before, after = old.get("pattern"), new.get("pattern")
    if before != after:
        event = "tightened" if before is None else "loosened" if after is None else "rule_changed"
        yield SchemaChange(event, where, _describe_change("pattern", before, after))
    if old.get("default", _NOTHING) != new.get("default", _NOTHING):
        yield SchemaChange(
            "default_changed", where, _describe_change("default", old.get("default"), new.get("default"))
        )
    for keyword in sorted({*old, *new} - _HANDLED):
        if old.get(keyword) != new.get(keyword):
            yield SchemaChange("rule_changed", where, _describe_change(keyword, old.get(keyword), new.get(keyword)))
    for keyword in _WORDING:
        if old.get(keyword) != new.get(keyword):
            yield SchemaChange("wording_changed", where, f"its {keyword} changed")


def _compare_fields(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    before, after = old.get("properties", {}), new.get("properties", {})
    were_required, are_required = set(old.get("required", ())), set(new.get("required", ()))
    for name, schema in before.items():
        path = f"{where}.{name}"
        if name not in after:
            yield SchemaChange("field_removed", path, "is gone")
            continue
        if (name in were_required) != (name in are_required):
            event = "became_required" if name in are_required else "became_optional"
            yield SchemaChange(event, path, "is now required" if name in are_required else "is no longer required")
        yield from compare_schemas(schema, after[name], path)
    for name in after:
        if name not in before:
            event = "required_field_added" if name in are_required else "field_added"
            yield SchemaChange(event, f"{where}.{name}", "is new and required" if name in are_required else "is new")


def _compare_openness(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from compare_schemas(before, after, f"{where}.*")
    elif before is False or after is True:
        yield SchemaChange("opened", where, "now holds fields that are not listed")
    else:
        yield SchemaChange("closed", where, "no longer holds any field that is not listed")


def _compare_items(old: Schema, new: Schema, where: str) -> Iterator[SchemaChange]:
    if "items" in old or "items" in new:
        yield from compare_schemas(old.get("items", {}), new.get("items", {}), f"{where}[]")


def _compare_alternatives(old: list[Schema], new: list[Schema], where: str) -> Iterator[SchemaChange]:
    """Compare alternatives. Equal ones are ignored; if as many are left on each side, they are taken as edits in
    place."""
    removed = [schema for schema in old if schema not in new]
    added = [schema for schema in new if schema not in old]
    if len(removed) == len(added):
        for before, after in zip(removed, added, strict=True):
            yield from compare_schemas(before, after, where)
        return
    for _ in removed:
        yield SchemaChange("alternative_removed", where, "one of its alternatives is gone")
    for _ in added:
        yield SchemaChange("alternative_added", where, "has a new alternative")


def _list_alternatives(schema: Schema, keyword: str) -> list[Schema]:
    """Return the alternatives; a schema without the keyword is its own only one."""
    plain = {key: value for key, value in schema.items() if key not in (*_WORDING, "default")}
    return list(schema.get(keyword, [plain]))


def _describe_change(keyword: str, before: Any, after: Any) -> str:
    return f"{keyword} went from {before!r} to {after!r}"
