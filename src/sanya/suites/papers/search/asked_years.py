"""Finds years that the words of a query ask for: 2019-2021, since 2020, last 5 years, ตั้งแต่ปี 2563.

They do not filter: a year may as well be part of the subject. The note on the answer names the filter that would.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from sanya.suite.text import BUDDHIST_OFFSET

_THAI_DIGITS = str.maketrans("๐๑๒๓๔๕๖๗๘๙", "0123456789")
_FIRST_YEAR, _LAST_YEAR = 1900, 2099
_YEAR = r"(?:ปี\s*)?(?:[พค]\.?\s?ศ\.?\s*)?([12][0-9]{3})(?![0-9])"
_RANGE = re.compile(rf"(?<![0-9]){_YEAR}\s*(?:[-–—]|to|and|until|through|ถึง|จนถึง|และ)\s*{_YEAR}", re.IGNORECASE)
_LATEST = re.compile(
    r"\b(?:last|past|recent)\s+([0-9]{1,2})\s+years?\b|([0-9]{1,2})\s*ปี(?:ล่าสุด|ที่ผ่านมา|หลัง)|ย้อนหลัง\s*([0-9]{1,2})\s*ปี",
    re.IGNORECASE,
)
_SINCE = re.compile(rf"(?:\b(?:since|from)|ตั้งแต่)\s*{_YEAR}", re.IGNORECASE)
_AFTER = re.compile(rf"(?:\bafter|หลังจาก|หลัง)\s*{_YEAR}", re.IGNORECASE)
_UNTIL = re.compile(rf"(?:\b(?:until|till|up to)|จนถึง|ถึง)\s*{_YEAR}", re.IGNORECASE)
_BEFORE = re.compile(rf"(?:\bbefore|ก่อน)\s*{_YEAR}", re.IGNORECASE)
_IN = re.compile(r"(?:ปี\s*(?:[พค]\.?\s?ศ\.?\s*)?|[พค]\.?\s?ศ\.?\s*)([12][0-9]{3})(?![0-9])")


class AskedYears(NamedTuple):
    first: int | None
    last: int | None


def find_asked_years(query: str, today: date) -> AskedYears | None:
    """Return the years that a query asks for, of the common calendar, or None."""
    text = query.translate(_THAI_DIGITS)
    if match := _RANGE.search(text):
        first, last = map(_read_year, match.groups())
        return AskedYears(first, last) if first and last and first <= last else None
    if match := _LATEST.search(text):
        return AskedYears(today.year - int(next(filter(None, match.groups()))), None)
    asked = AskedYears(_find(_SINCE, text) or _find(_AFTER, text, 1), _find(_UNTIL, text) or _find(_BEFORE, text, -1))
    if asked == (None, None) and (year := _find(_IN, text)):
        return AskedYears(year, year)
    return asked if any(asked) else None


def _find(pattern: re.Pattern[str], text: str, more: int = 0) -> int | None:
    match = pattern.search(text)
    year = _read_year(match[1]) if match else None
    return year + more if year else None


def _read_year(digits: str) -> int | None:
    """Return a year in which papers are dated, or None. Buddhist years are converted."""
    year = int(digits)
    year -= BUDDHIST_OFFSET if year > _LAST_YEAR else 0
    return year if _FIRST_YEAR <= year <= _LAST_YEAR else None
