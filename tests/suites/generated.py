"""Arguments drawn from a tool's published schema: what it allows, and good arguments with one thing wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from tests.long_form import often

MANY = settings(
    max_examples=often(50, 200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
Arguments = dict[str, Any]


def fields_of(schema: Arguments) -> list[Arguments]:
    """Every field of a schema, however deep."""
    found = []
    for field in schema.get("properties", {}).values():
        found += [field, *fields_of(field), *fields_of(field.get("items", {}))]
    return found


def allowed(
    schema: Arguments, likely: Mapping[str, st.SearchStrategy[Any]] | None = None
) -> st.SearchStrategy[Arguments]:
    """Objects that the schema allows; fields that are not required may be missing. `likely` are values by field that
    should come more often than chance would have it."""
    fields = {field: _values(rule) for field, rule in schema["properties"].items()}
    for field, values in (likely or {}).items():
        fields[field] |= values
    required = schema.get("required", [])
    return st.fixed_dictionaries(
        {field: fields[field] for field in required},
        optional={field: rule for field, rule in fields.items() if field not in required},
    )


def _values(rule: Arguments) -> st.SearchStrategy[Any]:
    """What one field may hold. Objects are drawn here: the library's own way fails with the hypothesis of today."""
    if "array" in rule.get("type", "") and "object" in rule["items"].get("type", ""):
        some = st.lists(_values(rule["items"]), min_size=rule.get("minItems", 0), max_size=min(rule["maxItems"], 4))
        return st.none() | some if "null" in rule["type"] else some
    if "properties" in rule:
        return st.none() | allowed(rule) if "null" in rule["type"] else allowed(rule)
    if "object" in rule.get("type", ""):
        values = _values(rule["additionalProperties"])
        found = st.dictionaries(st.text(max_size=8), values, max_size=min(rule.get("maxProperties", 4), 4))
        return st.none() | found if "null" in rule["type"] else found
    return from_schema(rule)


def ruled_out(schema: Arguments, good: Arguments) -> st.SearchStrategy[Any]:
    """`good` with one thing wrong: another kind of value, one too many, one missing, no object at all."""
    properties = schema["properties"]

    def wrong(field: str) -> st.SearchStrategy[Arguments]:
        return JSON.filter(lambda value: not _may_pass(properties[field], value)).map(
            lambda value: {**good, field: value}
        )

    ways: list[st.SearchStrategy[Any]] = [wrong(field) for field in properties]
    ways.append(
        st.text(min_size=1, max_size=10).filter(lambda key: key not in properties).map(lambda key: {**good, key: 1})
    )
    ways.append(JSON.filter(lambda value: not isinstance(value, dict)))
    for field in schema.get("required", []):
        ways.append(st.just({key: value for key, value in good.items() if key != field}))
    return st.one_of(ways)


def _may_pass(schema: Arguments, value: Any) -> bool:
    """Values that might pass are not used, so that the tests need no second validator."""
    if "anyOf" in schema:
        return any(_may_pass(option, value) for option in schema["anyOf"])
    if "type" not in schema:
        return True
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return any(_is_kind(kind, schema, value) for kind in kinds)


def _is_kind(kind: str, schema: Arguments, value: Any) -> bool:
    match kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str) and value in schema.get("enum", [value])
        case "integer":
            return _is_number(value) and float(value).is_integer() and _is_within(schema, value)
        case "number":
            return _is_number(value) and _is_within(schema, value)
        case "array":
            return isinstance(value, list)
    return isinstance(value, dict)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_within(schema: Arguments, value: float) -> bool:
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
