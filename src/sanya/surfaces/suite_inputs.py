"""Inputs made from a published schema: what it allows, and good arguments with one thing wrong.

They are the same in every run, so that what fails today fails tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, NamedTuple

ToolSchema = Mapping[str, Any]

DRAWN_INPUTS = 20
"""Allowed inputs that each tool is tried with."""

_SEED = 20
_ITEMS = 3
_CHARACTERS = 40
_ALPHABET = "aZ09 -_.'\"\\/%{}<>&;\n\t" + "กขงาิี่้์ำ๑๙" + "éß中🙂\u200b\ufeff"
_NO_NUL = "^[^\\x00]*$"
_LARGE = 10**6
# A value of each type that no other type takes.
_OTHERS: dict[str, Any] = {"string": "text", "integer": 7, "boolean": True, "object": {"x": 1}, "array": ["x"]}


class FaultyInput(NamedTuple):
    """Arguments that the schema refuses, and what is wrong with them."""

    problem: str
    arguments: dict[str, Any]


class NoValue(Exception):
    """No value is drawn: the schema has a rule that only its author can fill, such as a pattern."""


def list_wrong_inputs(schema: ToolSchema, good: Mapping[str, Any]) -> Iterator[FaultyInput]:
    """Yield the good arguments with one thing wrong: one is missing, unknown, of another type or out of bounds."""
    members: Mapping[str, ToolSchema] = schema.get("properties", {})
    for name in schema.get("required", ()):
        yield FaultyInput(f"{name} is missing", {key: value for key, value in good.items() if key != name})
    if schema.get("additionalProperties") is False:
        yield FaultyInput("an argument is unknown", {**good, "unknown_argument": 1})
    for name, member in members.items():
        for problem, value in _list_wrong_values(member):
            yield FaultyInput(f"{name} is {problem}", {**good, name: value})


def _list_wrong_values(schema: ToolSchema) -> Iterator[tuple[str, Any]]:
    kinds = _list_types(schema)
    if not kinds:
        return
    if "number" in kinds:
        kinds = {*kinds, "integer"}
    wrong = next((value for kind, value in _OTHERS.items() if kind not in kinds), None)
    if wrong is not None:
        yield "of another type", wrong
    for rule, problem, outside in (("maximum", "too large", 1), ("minimum", "too small", -1)):
        if rule in schema:
            yield problem, schema[rule] + outside
    if "enum" in schema:
        yield "no choice", "no such choice"
    elif schema.get("maxLength", _LARGE) < _LARGE:
        yield "too long", "x" * (schema["maxLength"] + 1)


def draw_inputs(schema: ToolSchema, good: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield inputs that the schema allows. A member that cannot be drawn keeps the value of the good arguments."""
    random = Random(_SEED)  # noqa: S311 - inputs of tests, no secrets
    return islice(iter(lambda: _draw_object(schema, random, good), None), DRAWN_INPUTS)


def _draw_object(schema: ToolSchema, random: Random, good: Mapping[str, Any]) -> dict[str, Any]:
    required = schema.get("required", ())
    drawn = {}
    for name, member in schema.get("properties", {}).items():
        if name not in required and random.random() < 0.5:
            continue
        try:
            drawn[name] = _draw_value(member, random)
        except NoValue:
            if name in good:
                drawn[name] = good[name]
            elif name in required:
                raise
    return drawn


def _draw_value(schema: ToolSchema, random: Random) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return random.choice(schema["enum"])
    if branches := schema.get("anyOf") or schema.get("oneOf"):
        return _draw_value(random.choice(branches), random)
    match random.choice(sorted(_list_types(schema)) or ["string"]):
        case "null":
            return None
        case "boolean":
            return random.random() < 0.5
        case "integer":
            return random.randint(*_find_range(schema))
        case "number":
            return random.uniform(*_find_range(schema))
        case "array":
            count = random.randint(schema.get("minItems", 0), min(schema.get("maxItems", _ITEMS), _ITEMS))
            return [_draw_value(schema.get("items", {}), random) for _ in range(count)]
        case "object":
            return _draw_object(schema, random, {})
        case _:
            return _draw_text(schema, random)


def _draw_text(schema: ToolSchema, random: Random) -> str:
    if schema.get("pattern", _NO_NUL) != _NO_NUL or "format" in schema:
        raise NoValue
    least, most = schema.get("minLength", 0), schema.get("maxLength", _CHARACTERS)
    return "".join(random.choices(_ALPHABET, k=random.randint(least, max(least, min(most, _CHARACTERS)))))


def _find_range(schema: ToolSchema) -> tuple[int, int]:
    low = int(schema.get("minimum", schema.get("exclusiveMinimum", -_LARGE - 1) + 1))
    high = int(schema.get("maximum", schema.get("exclusiveMaximum", max(low, _LARGE) + 1) - 1))
    return low, high


def _list_types(schema: ToolSchema) -> set[str]:
    kinds = schema.get("type", ())
    own = {kinds} if isinstance(kinds, str) else set(kinds)
    return own.union(*map(_list_types, schema.get("anyOf", ())))
