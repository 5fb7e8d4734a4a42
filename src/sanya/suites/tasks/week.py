"""The week under review: seven days in the configured time zone, and how much of it has passed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sanya.suite import InvalidArgument
from sanya.suites.tasks.timestamps import MILLISECOND, get_day_start, parse_iso, to_utc

_DAYS = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Week:
    """A half-open span: `start` belongs to it, `end` does not. `now` is the time of the call, in whole milliseconds."""

    start: datetime
    end: datetime
    now: datetime

    @property
    def period_end(self) -> datetime:
        return min(self.now, self.end)

    @property
    def is_over(self) -> bool:
        return self.now >= self.end

    @property
    def known_before(self) -> datetime:
        """The end of what counts: everything before the end of the week, and up to now, now included."""
        return min(self.now + MILLISECOND, self.end)


def find_week(start: str | None, now: datetime, zone: ZoneInfo) -> Week:
    """Return the seven days from the day that `start` names, or from the Monday of the current week."""
    first = _get_monday(now.astimezone(zone).date()) if start is None else _parse_first_day(start, zone)
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    try:
        # Add days, not hours: a week with a clock change is an hour longer or shorter.
        return Week(get_day_start(first, zone), get_day_start(first + _DAYS, zone), now)
    except (ValueError, OverflowError):
        raise _make_refusal(start) from None


def _get_monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _parse_first_day(text: str, zone: ZoneInfo) -> date:
    try:
        value = parse_iso(text)
        return to_utc(value, zone).astimezone(zone).date() if isinstance(value, datetime) else value
    except (ValueError, OverflowError):
        raise _make_refusal(text) from None


def _make_refusal(text: str | None) -> InvalidArgument:
    return InvalidArgument(
        f"week_start_iso must be a date or a time such as 2025-01-06 or 2025-01-06T00:00:00Z, got {str(text)[:60]!r}",
        field="week_start_iso",
    )
