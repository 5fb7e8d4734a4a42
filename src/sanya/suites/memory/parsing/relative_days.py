"""Days, months and years that are counted from the day of speaking: yesterday, last year, เมื่อวาน, ปีที่แล้ว."""

from __future__ import annotations

import re
from datetime import date, timedelta

from sanya.suite.text import Span
from sanya.suites.memory.word_lists import build_alternation, open_word_file

_WORDS = open_word_file(__file__)


def _load_offsets(section: str) -> dict[str, int]:
    return {name: int(offset) for offset, names in _WORDS.read_phrase_table(section).items() for name in names}


_DAYS, _MONTHS, _YEARS = map(_load_offsets, ("days", "months", "years"))
_NAME = re.compile(build_alternation({**_DAYS, **_YEARS, **_MONTHS}), re.IGNORECASE)


def find_relative_days(text: str, stated_on: date) -> list[tuple[Span, tuple[int, ...]]]:
    """Return where such names stand, each with the year, month and day that it means, as far as it names them."""
    return [(Span(*match.span()), _resolve(match[0].lower(), stated_on)) for match in _NAME.finditer(text)]


def _resolve(name: str, stated_on: date) -> tuple[int, ...]:
    if name in _DAYS:
        try:
            day = stated_on + timedelta(days=_DAYS[name])
        except OverflowError:
            day = stated_on
        return (day.year, day.month, day.day)
    if name in _YEARS:
        return (_clamp_year(stated_on.year + _YEARS[name]),)
    months = stated_on.year * 12 + stated_on.month - 1 + _MONTHS[name]
    return (_clamp_year(months // 12), months % 12 + 1)


def _clamp_year(year: int) -> int:
    return min(max(year, 1), 9999)
