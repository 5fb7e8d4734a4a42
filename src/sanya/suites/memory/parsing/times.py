"""Times as precisely as a text gives them: from a year down to a minute, and periods with open ends.

A day without a year takes the year of the day on which it was said. Where that is unknown, the year stays open. Two
times are compared only as far as both are known: 2024 contains May 2024, and 9 o'clock says nothing about a day.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple

from sanya.suite.text import BUDDHIST_OFFSET, ENGLISH_MONTHS, THAI_MONTHS, THAI_MONTHS_SHORT, Span, find_dates
from sanya.suites.memory.parsing.relative_days import find_relative_days

TimePrecision = Literal["year", "month", "day", "hour", "minute"]
TimeRelation = Literal["same", "contains", "within", "apart", "unknown"]

_PRECISIONS: tuple[TimePrecision, ...] = ("year", "month", "day", "hour", "minute")


class PartialTime(NamedTuple):
    """A point in time of which parts are unknown, at either end: a year alone, or a clock time without a day."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None

    @property
    def precision(self) -> TimePrecision:
        known = [name for name, part in zip(_PRECISIONS, self, strict=True) if part is not None]
        return known[-1] if known else "year"

    def to_iso(self) -> str:
        """Return 2010, 2010-03 or 2010-03-15T09:00; --03-15 without a year, T09:00 without a day."""
        if self.day is None and self.month is None and self.year is None:
            return self._format_clock()
        year = f"{self.year:04}" if self.year is not None else "-"
        rest = "".join(f"-{part:02}" for part in (self.month, self.day) if part is not None)
        return f"{year}{rest}{self._format_clock()}"

    def _format_clock(self) -> str:
        if self.hour is None:
            return ""
        return f"T{self.hour:02}" + (f":{self.minute:02}" if self.minute is not None else "")

    def get_earliest(self) -> tuple[int, ...] | None:
        """Return the first minute that it may mean, or None without a year."""
        if self.year is None:
            return None
        return (self.year, self.month or 1, self.day or 1, self.hour or 0, self.minute or 0)

    def get_latest(self) -> tuple[int, ...] | None:
        if self.year is None:
            return None
        month = self.month or 12
        day = self.day or monthrange(self.year, month)[1]
        hour = 23 if self.hour is None else self.hour
        return (self.year, month, day, hour, 59 if self.minute is None else self.minute)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A point in time, or a period. An open end is None."""

    start: PartialTime | None
    end: PartialTime | None

    @property
    def is_point(self) -> bool:
        return self.start == self.end

    def to_iso(self) -> str:
        if self.is_point and self.start:
            return self.start.to_iso()
        return f"{self.start.to_iso() if self.start else '..'}/{self.end.to_iso() if self.end else '..'}"


class TimeMatch(NamedTuple):
    span: Span
    when: TimeRange
    kind: Literal["at", "deadline", "since", "until", "period"]


def relate_times(time: TimeRange, other: TimeRange) -> TimeRelation:
    """Return how the first time relates to the other, `unknown` where what was written does not say."""
    if time.is_point and other.is_point and time.start and other.start:
        return _relate_points(time.start, other.start)
    bounds, others = _compute_bounds(time), _compute_bounds(other)
    if bounds is None or others is None:
        return "unknown"
    if bounds[1] < others[0] or others[1] < bounds[0]:
        return "apart"
    if bounds == others:
        return "same"
    if bounds[0] <= others[0] and others[1] <= bounds[1]:
        return "contains"
    return "within" if others[0] <= bounds[0] and bounds[1] <= others[1] else "unknown"


def _relate_points(point: PartialTime, other: PartialTime) -> TimeRelation:
    pairs = list(zip(point, other, strict=True))
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return "apart"
    more, less = any(b is None and a is not None for a, b in pairs), any(a is None and b is not None for a, b in pairs)
    if more and less:
        return "unknown"
    return "within" if more else "contains" if less else "same"


_EARLIEST, _LATEST = (0,), (9999, 99)


def _compute_bounds(when: TimeRange) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    first = when.start.get_earliest() if when.start else _EARLIEST
    last = when.end.get_latest() if when.end else _LATEST
    return None if first is None or last is None else (first, last)


def is_surely_before(time: TimeRange, other: TimeRange) -> bool:
    """Tell whether all of the first time lies before all of the other."""
    first, second = _compute_bounds(time), _compute_bounds(other)
    return first is not None and second is not None and first[1] < second[0]


def find_times(text: str, stated_on: date | None = None) -> list[TimeMatch]:
    """Return the times of a text in order: dates, clock times joined to their date, relative days, periods."""
    days: list[tuple[Span, PartialTime]] = []
    has_digit = _DIGIT.search(text) is not None
    if has_digit:  # most sentences name no number, and every pattern of a date or clock time wants one
        days += [
            (found.span, PartialTime(found.date.year, found.date.month, found.date.day)) for found in find_dates(text)
        ]
        days += [found for found in _find_years_of_periods(text) if not _has_overlap(found[0], days)]
        days += [found for found in _find_yearless_dates(text, stated_on) if not _has_overlap(found[0], days)]
    if stated_on is not None:
        days += [
            (span, PartialTime(*parts))
            for span, parts in find_relative_days(text, stated_on)
            if not _has_overlap(span, days)
        ]
    return _join_periods(text, _join_clocks(text, sorted(days)) if has_digit else sorted(days))


_DIGIT = re.compile(r"\d")


def _has_overlap(span: Span, days: list[tuple[Span, PartialTime]]) -> bool:
    return any(span.start < other.end and other.start < span.end for other, _ in days)


_MONTHS = {name.lower(): number for number, name in enumerate(ENGLISH_MONTHS, 1)}
_MONTHS |= {name[:3].lower(): number for number, name in enumerate(ENGLISH_MONTHS, 1)} | {"sept": 9}
_MONTHS |= {name: number for names in (THAI_MONTHS, THAI_MONTHS_SHORT) for number, name in enumerate(names, 1)}
_ENGLISH = "|".join(f"{name}|{name[:3]}" for name in ENGLISH_MONTHS) + "|Sept"
_THAI = "|".join(re.escape(name) for name in (*THAI_MONTHS, *THAI_MONTHS_SHORT))
_YEARLESS = re.compile(
    rf"\b(?P<month>{_ENGLISH})\.?\s(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b(?!\s?[:/]|,?\s\d{{4}})"
    rf"|(?<!\d)(?P<day2>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\s(?:of\s)?(?P<month2>{_ENGLISH})\b(?!\.?,?\s\d{{4}})"
    rf"|(?<!\d)(?P<day3>3[01]|[12]\d|0?[1-9])\s?(?P<month3>{_THAI})(?!\s?\d)"
)


_YEARS_OF_PERIOD = re.compile(
    r"(?:\b(?:from|between)\s|ตั้งแต่ปี\s?|ระหว่างปี\s?|ตั้งแต่\s?|\()(?P<first>(?:1[5-9]|20|2[45])\d{2})"
    r"\s?(?:to|until|and|-|–|ถึง|และ)(?:ปี)?\s?(?P<last>(?:1[5-9]|20|2[45])\d{2})(?!\d)",
    re.IGNORECASE,
)


# Without this, a verb that ends like a plural makes the year an amount of things: "in 2023 was".
_YEAR_BEFORE_VERB = re.compile(
    r"\b(?:in|during|of|since|for)\s(?P<year>(?:19|20)\d{2})(?=\s(?:was|is|has|its|this|as|does)\b)"
)


def _find_years_of_periods(text: str) -> list[tuple[Span, PartialTime]]:
    """Find numbers that only their context makes years: both in "from 2010 to 2012", the one in "in 2023 was"."""
    found = [(Span(*match.span("year")), PartialTime(int(match["year"]))) for match in _YEAR_BEFORE_VERB.finditer(text)]
    return found + [
        (Span(*match.span(name)), PartialTime(year - BUDDHIST_OFFSET if year >= 2400 else year))
        for match in _YEARS_OF_PERIOD.finditer(text)
        for name in ("first", "last")
        for year in (int(match[name]),)
    ]


def _find_yearless_dates(text: str, stated_on: date | None) -> list[tuple[Span, PartialTime]]:
    found = []
    for match in _YEARLESS.finditer(text):
        parts = {name.rstrip("23"): value for name, value in match.groupdict().items() if value}
        month, day = _MONTHS[parts["month"].lower()], int(parts["day"])
        year = stated_on.year if stated_on else None
        if day <= monthrange(year or 2000, month)[1]:
            found.append((Span(*match.span()), PartialTime(year, month, day)))
    return found


_CLOCK = re.compile(
    r"(?:เวลา\s?|\bat\s)?(?<![\d:.])(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?(?::[0-5]\d)?\s?"
    r"(?P<half>[ap]\.?m\.?\b|น\.|นาฬิกา|hrs\b|o'clock\b)"
    r"|(?:เวลา\s?|\bat\s)?(?<![\d:.])(?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)(?!\d)(?::[0-5]\d)?(?:Z|\sUTC)?",
    re.IGNORECASE,
)
_JOIN = re.compile(r"[\s,T]*(?:(?:at|on|around|about|เวลา|ประมาณ|เมื่อ|of)[\s,]*)?")


def _find_clocks(text: str) -> list[tuple[Span, int, int | None]]:
    found = []
    for match in _CLOCK.finditer(text):
        parts = {name.rstrip("2"): value for name, value in match.groupdict().items() if value}
        hour, half = int(parts["hour"]), parts.get("half", "").lower().replace(".", "")
        if half in ("am", "pm"):
            if not 1 <= hour <= 12:
                continue
            hour = hour % 12 + (12 if half == "pm" else 0)
        minute = int(parts["minute"]) if "minute" in parts else None
        found.append((Span(*match.span()), hour, minute if minute is not None or half in ("am", "pm") else 0))
    return found


def _join_clocks(text: str, days: list[tuple[Span, PartialTime]]) -> list[tuple[Span, PartialTime]]:
    """Join a clock time with the date beside it. Alone it is a time without a day."""
    found = list(days)
    for span, hour, minute in _find_clocks(text):
        if _has_overlap(span, found):
            continue
        for index, (day_span, day) in enumerate(found):
            first, second = sorted((span, day_span))
            if day.hour is None and day.day is not None and _JOIN.fullmatch(text[first.end : second.start]):
                joined = PartialTime(day.year, day.month, day.day, hour, minute)
                found[index] = (Span(first.start, second.end), joined)
                break
        else:
            found.append((span, PartialTime(hour=hour, minute=minute)))
    return sorted(found)


_LEAD = re.compile(
    r"(?P<since>\bsince\s|ตั้งแต่\s?)$|(?P<until>\buntil\s|\btill\s|จนถึง\s?)$|(?P<deadline>\bby\s|ภายใน\s?)$"
    r"|(?P<from>\bfrom\s|\bbetween\s|ระหว่าง\s?)$",
    re.IGNORECASE,
)
_TO = re.compile(r"\s?(?:to|until|till|and|through|-|–|ถึง|จนถึง|และ)\s?", re.IGNORECASE)


def _join_periods(text: str, points: list[tuple[Span, PartialTime]]) -> list[TimeMatch]:
    found: list[TimeMatch] = []
    index = 0
    while index < len(points):
        span, point = points[index]
        lead = _LEAD.search(text, max(0, span.start - 12), span.start)
        kind = lead.lastgroup if lead else None
        following = points[index + 1] if index + 1 < len(points) else None
        if kind in ("from", "since") and following and _TO.fullmatch(text[span.end : following[0].start]):
            whole = Span(lead.start() if lead else span.start, following[0].end)
            found.append(TimeMatch(whole, TimeRange(point, following[1]), "period"))
            index += 2
            continue
        found.append(_apply_lead(span, point, lead.start() if lead else span.start, kind))
        index += 1
    return found


def _apply_lead(span: Span, point: PartialTime, start: int, kind: str | None) -> TimeMatch:
    if kind == "since":
        return TimeMatch(Span(start, span.end), TimeRange(point, None), "since")
    if kind == "until":
        return TimeMatch(Span(start, span.end), TimeRange(None, point), "until")
    if kind == "deadline":
        return TimeMatch(Span(start, span.end), TimeRange(None, point), "deadline")
    return TimeMatch(span, TimeRange(point, point), "at")


def count_days_between(day: date, other: date) -> int:
    return abs((day - other) // timedelta(days=1))
