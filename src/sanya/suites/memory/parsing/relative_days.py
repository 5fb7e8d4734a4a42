"""Days and years that are named from the day of speaking: yesterday, last year, เมื่อวาน, ปีที่แล้ว."""

from __future__ import annotations

import re
from datetime import date, timedelta

from sanya.text.spans import Span

_DAYS = {
    **dict.fromkeys(("today", "tonight", "this morning", "this afternoon", "this evening", "วันนี้", "คืนนี้", "เช้านี้"), 0),
    **dict.fromkeys(("yesterday", "last night", "เมื่อวานนี้", "เมื่อวาน", "เมื่อคืนนี้", "เมื่อคืน"), -1),
    **dict.fromkeys(("tomorrow", "พรุ่งนี้", "วันพรุ่งนี้"), 1),
    "เมื่อวานซืน": -2,
    "มะรืนนี้": 2,
}
_YEARS = {
    **dict.fromkeys(("this year", "ปีนี้"), 0),
    **dict.fromkeys(("last year", "ปีที่แล้ว", "ปีก่อน", "ปีกลาย"), -1),
    **dict.fromkeys(("next year", "ปีหน้า"), 1),
}
_MONTHS = {
    **dict.fromkeys(("this month", "เดือนนี้"), 0),
    **dict.fromkeys(("last month", "เดือนที่แล้ว", "เดือนก่อน"), -1),
    **dict.fromkeys(("next month", "เดือนหน้า"), 1),
}
_NAMES = sorted({**_DAYS, **_YEARS, **_MONTHS}, key=len, reverse=True)
_NAME = re.compile("|".join(rf"\b{name}\b" if name.isascii() else name for name in _NAMES), re.IGNORECASE)


def find_relative_days(text: str, said: date) -> list[tuple[Span, tuple[int, ...]]]:
    """Where such a name stands, and the year, month and day (as far as it names them) that it means."""
    return [(Span(*match.span()), _meant(match[0].lower(), said)) for match in _NAME.finditer(text)]


def _meant(name: str, said: date) -> tuple[int, ...]:
    if name in _DAYS:
        try:
            day = said + timedelta(days=_DAYS[name])
        except OverflowError:
            day = said
        return (day.year, day.month, day.day)
    if name in _YEARS:
        return (_bounded_year(said.year + _YEARS[name]),)
    months = said.year * 12 + said.month - 1 + _MONTHS[name]
    return (_bounded_year(months // 12), months % 12 + 1)


def _bounded_year(year: int) -> int:
    return min(max(year, 1), 9999)
