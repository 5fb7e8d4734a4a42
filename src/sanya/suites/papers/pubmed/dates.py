"""Parses the dates of PubMed: numbers, names of months, seasons and free text, at any precision."""

from __future__ import annotations

import re
from calendar import monthrange
from functools import lru_cache

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_AFTER_YEAR = re.compile(r"[\s,]*([A-Za-z]{3})[A-Za-z]*\.?(?:\s+(\d{1,2})(?!\d))?")
_CACHE_SIZE = 65_536  # a file has far fewer days than records


@lru_cache(_CACHE_SIZE)
def format_partial_date(year: str | None, month: str | None = None, day: str | None = None) -> str | None:
    """Return '2024', '2024-05' or '2024-05-11', as far as the parts are given and valid; a season has no month."""
    if not year or not year.isdecimal() or len(year) != 4 or year == "0000":
        return None
    number = _parse_month(month)
    if number is None:
        return year
    if not day or not day.isdecimal() or not 1 <= int(day) <= monthrange(int(year), number)[1]:
        return f"{year}-{number:02d}"
    return f"{year}-{number:02d}-{int(day):02d}"


@lru_cache(_CACHE_SIZE)
def parse_medline_date(text: str) -> str | None:
    """Return the start of a span in words: '1998 Dec-1999 Jan', '1977 Jul 4-7', '2000 Spring', 'Winter 1992-1993'."""
    year = _YEAR.search(text)
    if year is None:
        return None
    after = _AFTER_YEAR.match(text, year.end())
    return format_partial_date(year[1], after[1], after[2]) if after else year[1]


@lru_cache(_CACHE_SIZE)
def format_utc_time(
    year: str | None, month: str | None, day: str | None, hour: str | None = None, minute: str | None = None
) -> str | None:
    """Return ISO 8601 in UTC; a missing month, day or time is the earliest."""
    date = format_partial_date(year, month, day)
    if date is None:
        return None
    date = {4: f"{date}-01-01", 7: f"{date}-01"}.get(len(date), date)
    return f"{date}T{_parse_clock_part(hour, 23):02d}:{_parse_clock_part(minute, 59):02d}:00Z"


def _parse_clock_part(text: str | None, most: int) -> int:
    return int(text) if text and text.isdecimal() and int(text) <= most else 0


def _parse_month(text: str | None) -> int | None:
    if not text:
        return None
    if text.isdecimal():
        return int(text) if 1 <= int(text) <= 12 else None
    return _MONTHS.get(text[:3].lower())
