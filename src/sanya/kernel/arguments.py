"""Validates a caller's arguments against the tool's shape and words what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import orjson
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sanya.kernel.faults import InvalidArgument, MissingArgument, UnknownArgument
from sanya.kernel.shapes import NO_NUL, Shape
from sanya.kernel.tool import Tool

ReadShape = TypeVar("ReadShape", bound=Shape)

_SHOWN_CHARS = 60


def read_arguments(tool: Tool, arguments: Mapping[str, Any]) -> Shape:
    """Return the validated input with defaults filled in.

    Raises InvalidArgument for the first problem, in the order of the contract's fields.
    """
    if type(arguments) is not dict and not isinstance(arguments, Mapping):  # the first test is five times faster
        raise InvalidArgument(f"arguments must be an object, got {_format_value(arguments)}")
    try:
        return tool.input.model_validate(arguments)
    except ValidationError as error:
        known = list(tool.input_schema.get("properties", {}))
        raise _make_fault(tool.name, known, error.errors(include_url=False)) from None
    except RecursionError:
        raise InvalidArgument("arguments are nested too deeply") from None


def read_shape(shape: type[ReadShape], document: object, name: str) -> ReadShape:
    """Return a validated document of an owner's file or page, which `name` names in messages."""
    if not isinstance(document, dict):
        raise InvalidArgument(f"{name} must be an object, got {_format_value(document)}")
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        raise _make_fault(name, list(shape.model_fields), error.errors(include_url=False)) from None


def _make_fault(name: str, known: list[str], errors: list[ErrorDetails]) -> InvalidArgument:
    first = errors[0]
    field = _format_field_name(first["loc"])
    details = {"field": field, "problems": [_describe_problem(name, known, error) for error in errors[:10]]}
    sentence = details["problems"][0]
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


def _describe_problem(name: str, known: list[str], error: ErrorDetails) -> str:
    field = _format_field_name(error["loc"])
    if error["type"] == "missing":
        return f"{field} is required"
    if error["type"] == "extra_forbidden":
        return f"unknown argument {field}; {name} takes: {', '.join(known) or 'no arguments'}"
    say = _SENTENCES.get(error["type"])
    rule = say(error.get("ctx", {})) if say else error["msg"].removeprefix("Value error, ")
    return f"{field} {rule}, got {_format_value(error['input'])}"


_SENTENCES: dict[str, Callable[[dict[str, Any]], str]] = {
    "less_than_equal": lambda ctx: f"must be at most {ctx['le']}",
    "greater_than_equal": lambda ctx: f"must be at least {ctx['ge']}",
    "less_than": lambda ctx: f"must be less than {ctx['lt']}",
    "greater_than": lambda ctx: f"must be greater than {ctx['gt']}",
    "string_too_long": lambda ctx: f"must have at most {ctx['max_length']} characters",
    "string_too_short": lambda ctx: f"must have at least {ctx['min_length']} characters",
    "too_long": lambda ctx: f"must have at most {ctx['max_length']} items",
    "too_short": lambda ctx: f"must have at least {ctx['min_length']} items",
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


def _describe_pattern(pattern: str) -> str:
    return "must not hold the character U+0000" if pattern == NO_NUL else f"must match {pattern}"


def _format_value(value: Any) -> str:
    """Return the value as JSON, cut to fit into a sentence."""
    try:
        text = orjson.dumps(value).decode("utf-8")
    except (orjson.JSONEncodeError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
