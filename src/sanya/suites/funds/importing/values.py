"""Parsers for the values of fund files: numbers in strings, dates of the common or Buddhist era, text in Base64."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from datetime import date
from functools import lru_cache
from math import isfinite
from typing import Any

_UNKNOWN = frozenset({"-", "–", "unknown", "n/a", "na", "null", "none", "ไม่มีข้อมูล"})
_UNKNOWN_OR_EMPTY = _UNKNOWN | {""}
_LONGEST_UNKNOWN = max(map(len, _UNKNOWN))
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?|(\d{1,2})/(\d{1,2})/(\d{4})")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")
_LOST_LINE_BREAK = re.compile("(?<=[\u0e01-\u0e4e])n(?=[\u0e01-\u0e4e])")
MOST_EXACT = 2**53
_BUDDHIST_YEARS = 543
# From this year on, a date is of the Buddhist era: no fund document names such a year of the common era.
_FIRST_BUDDHIST_YEAR = 2400


class Unreadable(ValueError):
    """A value that cannot be parsed. The message says what was expected."""


def is_unknown(value: Any) -> bool:
    """Return whether the value is one of the source's markers for an unknown value."""
    return isinstance(value, str) and _is_unknown_text(value)


@lru_cache(maxsize=8192)
def _is_unknown_text(text: str) -> bool:
    return text.strip().casefold() in _UNKNOWN


def read_text(value: Any) -> str | None:
    return None if value is None else _clean_text(str(value))


# Cached, because funds share most texts: names of fees and managers, markers for unknown values.
@lru_cache(maxsize=8192)
def _clean_text(text: str) -> str | None:
    # PostgreSQL cannot hold U+0000 in text.
    clean = text.replace("\x00", "").strip()
    return None if len(clean) <= _LONGEST_UNKNOWN and clean.casefold() in _UNKNOWN_OR_EMPTY else clean


def read_number(value: Any) -> float | None:
    if type(value) is float and isfinite(value):  # the common case
        return value
    if type(value) is int and abs(value) < MOST_EXACT:
        return float(value)
    if value is None or is_unknown(value) or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Unreadable(f"expected a number, got {str(value)[:40]!r}")
    try:
        number = float(value.replace(",", "") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        raise Unreadable(f"expected a number, got {str(value)[:40]!r}") from None
    if not isfinite(number):
        raise Unreadable(f"expected a number, got {str(value)[:40]!r}")
    return number


def read_day(value: Any) -> str | None:
    """Return a day in ISO 8601. A year from 2400 on is of the Buddhist era."""
    return None if value is None else read_day_text(str(value))


# Cached, because funds share their trading days.
@lru_cache(maxsize=8192)
def read_day_text(value: str) -> str | None:
    text = _clean_text(value)
    if text is None:
        return None
    match = _DAY.fullmatch(text)
    if match is None:
        raise Unreadable(f"expected a day, got {text[:40]!r}")
    year, month, day = (match[1], match[2], match[3]) if match[1] else (match[6], match[5], match[4])
    era = _BUDDHIST_YEARS if int(year) >= _FIRST_BUDDHIST_YEAR else 0
    try:
        return date(int(year) - era, int(month), int(day)).isoformat()
    except ValueError:
        raise Unreadable(f"there is no day {text[:40]!r}") from None


def read_base64(value: Any) -> str | None:
    """Decode Base64 to text. Return a value that does not decode to text unchanged."""
    text = read_text(value)
    return None if text is None else _decode_base64(text)


# Cached, because the funds of a manager share most texts.
@lru_cache(maxsize=1024)
def _decode_base64(text: str) -> str | None:
    if not _BASE64.fullmatch(text) or len(text) % 4:
        return text
    try:
        return b64decode(text, validate=True).decode("utf-8").replace("\x00", "").strip() or None
    except (binascii.Error, UnicodeDecodeError):
        return text


# Cached like the Base64 texts, for which it is used.
@lru_cache(maxsize=1024)
def restore_line_breaks(text: str | None) -> str | None:
    """Return the text with a line break for each "n" between Thai letters: a source lost the backslash of "\\n"."""
    return None if text is None else _LOST_LINE_BREAK.sub("\n", text)
