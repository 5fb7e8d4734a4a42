"""Converts dates and times as people write them to UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

# No plan reaches 2400 CE, so later years are of the Buddhist era of Thai calendars.
FIRST_BUDDHIST_YEAR = 2400
BUDDHIST_OFFSET = 543
MILLISECOND = timedelta(milliseconds=1)

_ISO_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def parse_iso(text: str) -> date | datetime:
    """Parse a date, or a date and time, in ISO 8601, also with a Buddhist year. Raises ValueError."""
    day = _ISO_DAY.match(text)
    if day is None:
        raise ValueError("not an ISO 8601 date")
    year = to_common_year(int(day[1]))
    rest = text[day.end() :]
    common = f"{year:04}-{day[2]}-{day[3]}{rest}"
    return datetime.fromisoformat(common) if rest else date.fromisoformat(common)


def to_common_year(year: int) -> int:
    return year - BUDDHIST_OFFSET if year >= FIRST_BUDDHIST_YEAR else year


def get_day_start(day: date, zone: ZoneInfo) -> datetime:
    """Return the start of a day: midnight, or the first time after it where the clocks skip midnight."""
    return _convert_to_utc(datetime.combine(day, time.min, tzinfo=zone))


def get_day_end(day: date, zone: ZoneInfo) -> datetime:
    """Return the last millisecond of a day, at which something due on that day is due."""
    return get_day_start(day + timedelta(days=1), zone) - MILLISECOND


def to_utc(instant: datetime, zone: ZoneInfo) -> datetime:
    """Convert to UTC; a time without an offset is in `zone`."""
    return _convert_to_utc(instant if instant.tzinfo is not None else instant.replace(tzinfo=zone))


def _convert_to_utc(instant: datetime) -> datetime:
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        raise ValueError("outside the calendar") from None
