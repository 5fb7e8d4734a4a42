"""Canonical JSON (RFC 8785): exactly one byte string for each JSON value, the same in every language.

Hashes of inputs and answers are hashes of these bytes. Two programs that hold the same value must therefore write the
same bytes: object keys sorted by their UTF-16 code units, no blanks, numbers as ECMAScript prints them (`1e+21`, `0`
for `-0`), strings with the shortest escapes. orjson with sorted keys writes these bytes already if the value is plain:
its numbers are integers within ±(2^53 - 1), and its keys are ASCII, where UTF-8 order and UTF-16 order agree. Every
other value takes the slow, careful serialiser below. Tools whose schema allows only plain values skip the check.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import orjson

SAFE_INTEGER = 2**53 - 1


def to_canonical_json(value: Any, *, plain: bool = False) -> bytes:
    """Return the canonical bytes. Raises ValueError for a value that JSON cannot hold (NaN, half a surrogate pair).

    `plain` promises that the value is plain, which saves the check.
    """
    try:
        if plain or _is_plain(value):
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        return _serialise_carefully(value).encode("utf-8")
    except (orjson.JSONEncodeError, UnicodeEncodeError, TypeError, OverflowError) as error:
        raise ValueError(str(error)) from None


def has_plain_values(schema: Mapping[str, Any]) -> bool:
    """Return whether the schema allows only plain values: no fractions, bounded integers, listed ASCII keys."""
    if "anyOf" in schema:
        return all(map(has_plain_values, schema["anyOf"]))
    kinds = schema.get("type")
    names = {kinds} if isinstance(kinds, str) else set(kinds or ())
    if not names or names - {"string", "boolean", "null", "integer", "array", "object"}:
        return False
    if "integer" in names and not _has_safe_bounds(schema):
        return False
    if "array" in names and not has_plain_values(schema.get("items", {})):
        return False
    return "object" not in names or _has_plain_members(schema)


def _has_safe_bounds(schema: Mapping[str, Any]) -> bool:
    least, most = schema.get("minimum"), schema.get("maximum")
    return least is not None and most is not None and -SAFE_INTEGER <= least <= most <= SAFE_INTEGER


def _has_plain_members(schema: Mapping[str, Any]) -> bool:
    members = schema.get("properties", {})
    if schema.get("additionalProperties") is not False or not "".join(members).isascii():
        return False
    return all(map(has_plain_values, members.values()))


def _is_plain(value: Any) -> bool:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return bool(-SAFE_INTEGER <= value <= SAFE_INTEGER)
    if kind is list:
        return all(map(_is_plain, value))
    if kind is dict:
        return "".join(value).isascii() and all(map(_is_plain, value.values()))
    return False


def _serialise_carefully(value: Any) -> str:
    match value:
        case None | bool() | str():
            return orjson.dumps(value).decode("utf-8")
        case int() if -SAFE_INTEGER <= value <= SAFE_INTEGER:
            return str(value)
        case int() | float():
            # Beyond 2^53 most readers see a JSON number as a double, so the double is what is hashed.
            return _format_number(float(value))
        case list() | tuple():
            return "[" + ",".join(map(_serialise_carefully, value)) + "]"
        case dict():
            keys = sorted(value, key=_encode_utf16)
            return (
                "{" + ",".join(f"{_serialise_carefully(key)}:{_serialise_carefully(value[key])}" for key in keys) + "}"
            )
    raise ValueError(f"not a JSON value: {type(value).__name__}")


def _encode_utf16(key: str) -> bytes:
    return key.encode("utf-16-be")


def _format_number(value: float) -> str:
    """Return the number as ECMAScript's Number::toString does; RFC 8785 requires that form."""
    if not math.isfinite(value):
        raise ValueError("JSON has no NaN and no infinity")
    if value == 0:
        return "0"
    text = repr(value)
    if "e" not in text:
        # From 1e-4 to 1e16 Python writes the same digits in the same notation, but for ".0".
        return text.removesuffix(".0")
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = text.removeprefix("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return sign + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    """Return the digits with the decimal point after the first `point` of them, in ECMAScript's notation."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    tail = f".{digits[1:]}" if count > 1 else ""
    exponent = point - 1
    return f"{digits[0]}{tail}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
