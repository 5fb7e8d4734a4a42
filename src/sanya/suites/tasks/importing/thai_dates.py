"""Parses dates as Thai people write them: 30 พ.ย. 2569, ๓๐ พฤศจิกายน ๒๕๖๙, 30 พ.ย. 69 เวลา 14:30 น."""

from __future__ import annotations

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sanya.suites.tasks.importing.table_vocabulary import find_month
from sanya.suites.tasks.timestamps import to_common_year

_THAI_DAY = re.compile(
    r"(?:วัน\S*\s+)?([0-9]{1,2})\s*([\u0e01-\u0e4e. ]+?)\s*(?:พ\.?ศ\.?\s*)?([0-9]{4}|[0-9]{2})"
    r"(?:\s*,?\s*(?:เวลา\s*)?([0-9]{1,2})[:.]([0-9]{2})(?:\s*น\.?)?)?"
)
_BUDDHIST_CENTURY = 2500
_LATIN_DIGITS = {ord("๐") + digit: str(digit) for digit in range(10)}


def parse_thai_day(text: str, zone: ZoneInfo) -> date | datetime | None:
    """Return the day or time, or None for a text of another form. Raises ValueError for a day that does not exist.

    The year is of the Buddhist era, also one of two digits.
    """
    match = _THAI_DAY.fullmatch(text.strip().translate(_LATIN_DIGITS))
    month = find_month(match[2]) if match else None
    if match is None or month is None:
        return None
    year = int(match[3]) + (_BUDDHIST_CENTURY if len(match[3]) == 2 else 0)
    day = date(to_common_year(year), month, int(match[1]))
    if match[4] is None:
        return day
    return datetime(day.year, day.month, day.day, int(match[4]), int(match[5]), tzinfo=zone)
