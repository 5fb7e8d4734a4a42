"""The dates of PubMed, which come as numbers, names of months, seasons and free text, at the precision given."""

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
_REMEMBERED = 65_536  # a file has many records and few days


@lru_cache(_REMEMBERED)
def format_partial_date(year: str | None, month: str | None = None, day: str | None = None) -> str | None:
    """'2024', '2024-05' or '2024-05-11', as far as the parts are given and make sense. A season has no month."""
    if not year or not year.isdecimal() or len(year) != 4 or year == "0000":
        return None
    number = _parse_month(month)
    if number is None:
        return year
    if not day or not day.isdecimal() or not 1 <= int(day) <= monthrange(int(year), number)[1]:
        return f"{year}-{number:02d}"
    return f"{year}-{number:02d}-{int(day):02d}"


@lru_cache(_REMEMBERED)
def parse_medline_date(text: str) -> str | None:
    """The beginning of a span in words: '1998 Dec-1999 Jan', '1977 Jul 4-7', '2000 Spring', 'Winter 1992-1993'."""
    year = _YEAR.search(text)
    if year is None:
        return None
    after = _AFTER_YEAR.match(text, year.end())
    return format_partial_date(year[1], after[1], after[2]) if after else year[1]


@lru_cache(_REMEMBERED)
def format_timestamp(
    year: str | None, month: str | None, day: str | None, hour: str | None = None, minute: str | None = None
) -> str | None:
    """A whole day, with its time where one is given, as ISO 8601 in UTC."""
    found = format_partial_date(year, month, day)
    if found is None:
        return None
    found = {4: f"{found}-01-01", 7: f"{found}-01"}.get(len(found), found)
    return f"{found}T{_parse_clock_part(hour, 23):02d}:{_parse_clock_part(minute, 59):02d}:00Z"


def _parse_clock_part(text: str | None, most: int) -> int:
    return int(text) if text and text.isdecimal() and int(text) <= most else 0


def _parse_month(text: str | None) -> int | None:
    if not text:
        return None
    if text.isdecimal():
        return int(text) if 1 <= int(text) <= 12 else None
    return _MONTHS.get(text[:3].lower())
