"""Values as files have them, read into what they mean: numbers in strings, days of either era, text in Base64."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from datetime import date
from functools import lru_cache
from math import isfinite
from typing import Any

_UNKNOWN = frozenset({"-", "–", "unknown", "n/a", "na", "null", "none", "ไม่มีข้อมูล"})
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?|(\d{1,2})/(\d{1,2})/(\d{4})")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")
MOST_EXACT = 2**53
_BUDDHIST_YEARS = 543
# No fund and no prospectus speaks of this year of the common era.
_FIRST_BUDDHIST_YEAR = 2400


class Unreadable(ValueError):
    """A value that means nothing we know; the message says what was expected."""


def is_unknown(value: Any) -> bool:
    """Whether the source says, in one of its ways, that it does not know."""
    return isinstance(value, str) and _says_unknown(value)


@lru_cache(maxsize=8192)
def _says_unknown(text: str) -> bool:
    return text.strip().casefold() in _UNKNOWN


def read_text(value: Any) -> str | None:
    return None if value is None else _text(str(value))


# Funds share most of their words: names of fees, of managers, ways to say that nothing is known.
@lru_cache(maxsize=8192)
def _text(text: str) -> str | None:
    if is_unknown(text):
        return None
    # PostgreSQL cannot hold U+0000 in text.
    return text.replace("\x00", "").strip() or None


def read_number(value: Any) -> float | None:
    if type(value) is float and isfinite(value):  # most are
        return value
    if type(value) is int and abs(value) < MOST_EXACT:
        return float(value)
    if value is None or is_unknown(value) or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Unreadable(f"a number was expected, not {str(value)[:40]!r}")
    try:
        number = float(value.replace(",", "") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        raise Unreadable(f"a number was expected, not {str(value)[:40]!r}") from None
    if not isfinite(number):
        raise Unreadable(f"a number was expected, not {str(value)[:40]!r}")
    return number


def read_day(value: Any) -> str | None:
    """A day as ISO 8601; from the year 2400 on it is of the Buddhist era."""
    return None if value is None else read_day_text(str(value))


# Funds share their trading days.
@lru_cache(maxsize=8192)
def read_day_text(value: str) -> str | None:
    text = _text(value)
    if text is None:
        return None
    found = _DAY.fullmatch(text)
    if found is None:
        raise Unreadable(f"a day was expected, not {text[:40]!r}")
    year, month, day = (found[1], found[2], found[3]) if found[1] else (found[6], found[5], found[4])
    era = _BUDDHIST_YEARS if int(year) >= _FIRST_BUDDHIST_YEAR else 0
    try:
        return date(int(year) - era, int(month), int(day)).isoformat()
    except ValueError:
        raise Unreadable(f"there is no day {text[:40]!r}") from None


def read_base64(value: Any) -> str | None:
    """Text that may be in Base64. What does not decode to text is text already."""
    text = read_text(value)
    if text is None or not _BASE64.fullmatch(text) or len(text) % 4:
        return text
    try:
        return b64decode(text, validate=True).decode("utf-8").replace("\x00", "").strip() or None
    except (binascii.Error, UnicodeDecodeError):
        return text
