"""Validates a caller's arguments against the tool's shape and words what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

import orjson
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sanya.kernel.contracts.shapes import NO_NUL, Shape
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import InvalidArgument, MissingArgument, UnknownArgument

ReadShape = TypeVar("ReadShape", bound=Shape)

_SHOWN_CHARS = 60
_MAX_PROBLEMS = 10
_NESTED_TYPES = ("list_type", "dict_type", "model_type", "model_attributes_type")
_NESTED_EXAMPLE = re.compile(r"e\.g\. ([\[{].*[\]}])")
_YEAR_NAMES = ("year", "year_from", "year_to")
_BUDDHIST_OFFSET = 543
_BUDDHIST_YEARS = range(2400, 2700)


def read_arguments(tool: Tool, arguments: Mapping[str, Any]) -> Shape:
    """Return the validated input with defaults filled in.

    Raises InvalidArgument with all problems, in the order of the contract's fields, because a model that learns of one
    at a time needs a call for each.
    """
    if type(arguments) is not dict and not isinstance(arguments, Mapping):  # the first test is five times faster
        raise InvalidArgument(f"arguments must be an object, got {_format_value(arguments)}")
    try:
        return tool.input.model_validate(arguments)
    except ValidationError as error:
        raise _make_fault(tool.name, tool.input_schema, error.errors(include_url=False)) from None
    except RecursionError:
        raise InvalidArgument("arguments are nested too deeply") from None


def read_shape(shape: type[ReadShape], document: object, name: str) -> ReadShape:
    """Return a validated document of an owner's file or page, which `name` names in messages."""
    if not isinstance(document, dict):
        raise InvalidArgument(f"{name} must be an object, got {_format_value(document)}")
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        schema: dict[str, Any] = {"properties": {field: {} for field in shape.model_fields}}
        raise _make_fault(name, schema, error.errors(include_url=False)) from None


def _make_fault(name: str, schema: Mapping[str, Any], errors: list[ErrorDetails]) -> InvalidArgument:
    first = errors[0]
    field = _format_field_name(first["loc"])
    details = {"field": field, "problems": [_describe_problem(name, schema, error) for error in errors[:_MAX_PROBLEMS]]}
    sentence = "; ".join(details["problems"])
    match first["type"]:
        case "missing":
            return MissingArgument(sentence, field=field, details=details)
        case "extra_forbidden":
            return UnknownArgument(sentence, field=field, details=details)
        case _:
            return InvalidArgument(sentence, field=field, details=details)


def _format_field_name(location: tuple[int | str, ...]) -> str:
    name = ""
    for part in location:
        shown = (
            part if isinstance(part, int) else part[:_SHOWN_CHARS]
        )  # the caller chose an unknown name: it may have any length
        name += f"[{shown}]" if isinstance(shown, int) else f".{shown}" if name else shown
    return name or "arguments"


def _describe_problem(name: str, schema: Mapping[str, Any], error: ErrorDetails) -> str:
    field = _format_field_name(error["loc"])
    if error["type"] == "missing":
        return f"{field} is required"
    if error["type"] == "extra_forbidden":
        return _describe_unknown(name, field, schema, error["loc"])
    if _has_wrong_form(error) and (form := _find_field(schema, error["loc"]).get("description")):
        return f"{field} has another form ({form}), got {_format_value(error['input'])}"
    say = _SENTENCES.get(error["type"])
    rule = say(error.get("ctx", {})) if say else error["msg"].removeprefix("Value error, ")
    advice = _advise(error, field, _find_field(schema, error["loc"]))
    return f"{field} {rule}{advice}, got {_format_value(error['input'])}"


def _advise(error: ErrorDetails, field: str, schema: Mapping[str, Any]) -> str:
    """Return what a rule alone does not tell: the form of a list or an object, one value a call, another calendar."""
    given = error["input"]
    if error["type"] in _NESTED_TYPES and (example := _NESTED_EXAMPLE.search(schema.get("description", ""))):
        return f" such as {example[1]}"
    if error["type"] in ("literal_error", "enum") and isinstance(given, list):
        return ", a single one a call"
    if error["type"] == "less_than_equal" and field.lower().endswith(_YEAR_NAMES) and given in _BUDDHIST_YEARS:
        return f" (the Buddhist year {given} is {given - _BUDDHIST_OFFSET})"
    return ""


def _has_wrong_form(error: ErrorDetails) -> bool:
    return error["type"] == "string_pattern_mismatch" and error["ctx"]["pattern"] != NO_NUL


def _describe_unknown(name: str, field: str, schema: Mapping[str, Any], location: tuple[int | str, ...]) -> str:
    """Name what the object that holds the unknown argument takes, and the nearest of it."""
    holder, last = location[:-1], str(location[-1])
    known = list(_find_field(schema, holder).get("properties", {}))
    owner = f"{name} {_format_field_name(holder)}" if holder else name
    near = _find_other_level(schema, holder, last) or get_close_matches(last[:_SHOWN_CHARS], known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"unknown argument {field}; {owner} takes: {', '.join(known) or 'no arguments'}{hint}"


def _find_other_level(schema: Mapping[str, Any], holder: tuple[int | str, ...], name: str) -> list[str]:
    """Return where the argument belongs that stands a level too high or too low."""
    fields = schema.get("properties", {})
    if holder:
        return [name] if name in fields else []
    return [f"{outer}.{name}" for outer, inner in fields.items() if name in inner.get("properties", {})]


def _find_field(schema: Mapping[str, Any], location: tuple[int | str, ...]) -> Mapping[str, Any]:
    """Return the schema of the field at this location, an empty one where there is none."""
    for part in location:
        schema = schema.get("items", {}) if isinstance(part, int) else schema.get("properties", {}).get(part, {})
    return schema


_SENTENCES: dict[str, Callable[[dict[str, Any]], str]] = {
    "less_than_equal": lambda ctx: f"must be at most {ctx['le']}",
    "greater_than_equal": lambda ctx: f"must be at least {ctx['ge']}",
    "less_than": lambda ctx: f"must be less than {ctx['lt']}",
    "greater_than": lambda ctx: f"must be greater than {ctx['gt']}",
    "string_too_long": lambda ctx: f"must have at most {_count(ctx['max_length'], 'character')}",
    "string_too_short": lambda ctx: f"must have at least {_count(ctx['min_length'], 'character')}",
    "too_long": lambda ctx: f"must have at most {_count(ctx['max_length'], 'item')}",
    "too_short": lambda ctx: f"must have at least {_count(ctx['min_length'], 'item')}",
    "literal_error": lambda ctx: f"must be one of {ctx['expected']}",
    "enum": lambda ctx: f"must be one of {ctx['expected']}",
    "string_pattern_mismatch": lambda ctx: _describe_pattern(ctx["pattern"]),
    "string_type": lambda _: "must be a string",
    "string_unicode": lambda _: "must be valid Unicode text",
    "int_type": lambda _: "must be an integer",
    "int_from_float": lambda _: "must be an integer",
    "float_type": lambda _: "must be a number",
    "finite_number": lambda _: "must be a finite number",
    "bool_type": lambda _: "must be true or false",
    "list_type": lambda _: "must be an array",
    "dict_type": lambda _: "must be an object",
    "model_type": lambda _: "must be an object",
    "model_attributes_type": lambda _: "must be an object",
}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _describe_pattern(pattern: str) -> str:
    return "must not hold the character U+0000" if pattern == NO_NUL else f"must match {pattern}"


def _format_value(value: Any) -> str:
    """Return the value as JSON, cut to fit into a sentence."""
    try:
        text = orjson.dumps(value).decode("utf-8")
    except (orjson.JSONEncodeError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
