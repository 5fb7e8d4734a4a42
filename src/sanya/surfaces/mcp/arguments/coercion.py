"""Reads arguments as models and hosts send them: `"5"` for 5, `"true"` for true, null or `""` for an absent argument,
`"done"` for DONE, `"ginkgo"` for ["ginkgo"].

A value is changed only where the schema leaves no doubt: where it would be refused as it stands, and only one other
reading fits. The hash of the call is that of the value as understood, and the answer's `_meta` tells what was changed.
The other surfaces stay strict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NamedTuple

_ABSENT: Any = object()
_INTEGER = re.compile(r"-?[0-9]{1,15}")
_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_THOUSANDS = re.compile(r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{1,15})?")
_THAI_DIGITS = str.maketrans("๐๑๒๓๔๕๖๗๘๙", "0123456789")
_BOOLEANS = {"true": True, "false": False}
# A pattern that begins with a literal prefix and digits: the digits alone can mean nothing else.
_PREFIXED_DIGITS = re.compile(r"\^\(?([a-z]+:)\[0-9\]\+")
# A text with one of these may stand for more than one item, or for a list that was cut.
_SEVERAL = re.compile(r"[,;|\n\[\]{}]")
_SHOWN_CHARS = 60


PlainCheck = Callable[[Any], bool]
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


class ReadArguments(NamedTuple):
    arguments: Mapping[str, Any]
    changes: list[dict[str, Any]]


def read_leniently(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> ReadArguments:
    """Return the arguments as understood, and what was changed: `field`, `given` and, unless left out, `understood`."""
    changes: list[dict[str, Any]] = []
    return ReadArguments(_read_object(arguments, schema, "", changes), changes)


def build_plain_check(schema: Mapping[str, Any]) -> PlainCheck:
    """Build a quick test for values that stand as they are, which nearly all do: only the others are read leniently.

    It costs a sixth of reading them, and is built once for each tool.
    """
    fields = {name: build_plain_check(field) for name, field in schema.get("properties", {}).items()}
    items = build_plain_check(schema["items"]) if isinstance(schema.get("items"), dict) else _accept_any
    kinds = _list_kinds(schema)
    if not kinds:
        return _accept_any
    if "string" in kinds and _PREFIXED_DIGITS.match(schema.get("pattern", "")):
        return _accept_none
    accepted = frozenset(kind for name in kinds for kind in _TYPES.get(name, ()))
    if not {dict, list} & accepted:
        choices = frozenset(schema.get("enum", ()))
        if choices:
            return lambda value: type(value) in accepted and value in choices
        return lambda value: type(value) in accepted and value != ""

    def is_plain(value: Any) -> bool:
        kind = type(value)
        if kind not in accepted:
            return False
        if kind is list:
            return all(map(items, value))
        if kind is dict and fields:
            return all(fields[name](item) for name, item in value.items() if name in fields)
        return bool(value != "")

    return is_plain


def _accept_any(_: Any) -> bool:
    return True


def _accept_none(_: Any) -> bool:
    return False


def _read_object(
    given: Mapping[str, Any], schema: Mapping[str, Any], above: str, changes: list[dict[str, Any]]
) -> Mapping[str, Any]:
    fields, required = schema.get("properties", {}), schema.get("required", ())
    read = {
        name: _read_field(value, fields[name], f"{above}{name}", changes, optional=name not in required)
        if name in fields
        else value
        for name, value in given.items()
    }
    return {name: value for name, value in read.items() if value is not _ABSENT}


def _read_field(
    value: Any, schema: Mapping[str, Any], path: str, changes: list[dict[str, Any]], *, optional: bool
) -> Any:
    # The depth is that of the schema, so that a caller's nesting cannot exhaust the stack.
    if isinstance(value, dict):
        return _read_object(value, schema, f"{path}.", changes) if "properties" in schema else value
    if isinstance(value, list) and _is_lone_scalar(value, schema):
        changes.append({"field": path, "given": value, "understood": value[0]})
        return _read_field(value[0], schema, path, changes, optional=optional)
    if isinstance(value, list):
        items = schema.get("items")
        if not isinstance(items, dict):
            return value
        return [
            _read_field(item, items, f"{path}[{index}]", changes, optional=False) for index, item in enumerate(value)
        ]
    understood = _interpret(value, schema, optional=optional)
    if understood is value:
        return value
    change = {"field": path, "given": value[:_SHOWN_CHARS] if isinstance(value, str) else value}
    changes.append(change if understood is _ABSENT else {**change, "understood": understood})
    return understood


def _interpret(value: Any, schema: Mapping[str, Any], *, optional: bool) -> Any:
    """Return what a scalar means, the value itself if it stands as it is, or _ABSENT."""
    kinds = _list_kinds(schema)
    if value is None:
        return _ABSENT if optional and kinds and "null" not in kinds else value
    if value == "" and isinstance(value, str):
        return _ABSENT if optional and kinds and not _can_be_empty(kinds, schema) else value
    if isinstance(value, str) and kinds and "string" not in kinds:
        if kinds - {"null"} == {"array"}:
            return _wrap_item(value, schema)
        return _parse_scalar(value.strip(), kinds, value)
    if isinstance(value, str) and "enum" in schema:
        return _choose_spelling(value, schema["enum"])
    return _add_prefix(value, kinds, schema)


def _wrap_item(value: str, schema: Mapping[str, Any]) -> Any:
    """Return a list of the text, unless it may stand for several: "a, b" or a list that is no JSON."""
    items = schema.get("items")
    if not isinstance(items, dict) or _list_kinds(items) != {"string"} or _SEVERAL.search(value):
        return value
    return [_read_field(value, items, "", [], optional=False)]


def _choose_spelling(value: str, choices: list[Any]) -> Any:
    """Return the choice that differs in case and outer blanks alone."""
    if value in choices:
        return value
    folded = value.strip().casefold()
    same = [choice for choice in choices if isinstance(choice, str) and choice.casefold() == folded]
    return same[0] if len(same) == 1 else value


def _is_lone_scalar(value: list[Any], schema: Mapping[str, Any]) -> bool:
    """Return whether a list of one stands where a single value is wanted."""
    kinds = _list_kinds(schema)
    return bool(kinds) and not {"array", "object"} & kinds and len(value) == 1 and isinstance(value[0], str | int)


def _parse_scalar(text: str, kinds: set[str], value: str) -> Any:
    text = text.translate(_THAI_DIGITS)
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    if "integer" in kinds and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in kinds and _NUMBER.fullmatch(text) and isfinite(float(text)):
        return float(text)
    if "boolean" in kinds:
        return _BOOLEANS.get(text.lower(), value)
    return value


def _add_prefix(value: Any, kinds: set[str], schema: Mapping[str, Any]) -> Any:
    if "string" not in kinds or type(value) not in (int, str):
        return value
    prefix = _PREFIXED_DIGITS.match(schema.get("pattern", ""))
    if not prefix or (isinstance(value, str) and value.startswith(prefix[1])):
        return value
    # `12345`, and the prefix as people write it: `PMID 12345`, `PMID: 12345`.
    written = re.fullmatch(rf"(?:{prefix[1][:-1]}\s*:?)?\s*([0-9]+)\s*", str(value), re.IGNORECASE)
    return f"{prefix[1]}{written[1]}" if written else value


def _can_be_empty(kinds: set[str], schema: Mapping[str, Any]) -> bool:
    if "string" not in kinds:
        return False
    if "enum" in schema or schema.get("minLength"):
        return False
    return "pattern" not in schema or re.compile(schema["pattern"]).match("") is not None


def _list_kinds(schema: Mapping[str, Any]) -> set[str]:
    """List the types that the schema accepts; none if it does not say, so that nothing is changed."""
    own = schema.get("type", ())
    return {own} if isinstance(own, str) else set(own)
