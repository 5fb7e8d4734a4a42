"""When something is said to have happened, as exactly as it was written: from a year down to a minute, and periods.

A day without a year takes it from the day on which it was said; where that is unknown the year stays open."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple

from sanya.suites.memory.parsing.relative_days import find_relative_days
from sanya.text.dates import BUDDHIST_OFFSET, ENGLISH_MONTHS, THAI_MONTHS, THAI_MONTHS_SHORT, find_dates
from sanya.text.spans import Span

Precision = Literal["year", "month", "day", "hour", "minute"]
Relation = Literal["same", "contains", "within", "apart", "unknown"]

_PRECISIONS: tuple[Precision, ...] = ("year", "month", "day", "hour", "minute")


class Moment(NamedTuple):
    """A point in time; what is not known is None, from either end: a year alone, or a clock without a day."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None

    @property
    def precision(self) -> Precision:
        known = [name for name, part in zip(_PRECISIONS, self, strict=True) if part is not None]
        return known[-1] if known else "year"

    def iso(self) -> str:
        """2010, 2010-03, 2010-03-15T09:00; --03-15 without a year, T09:00 without a day."""
        if self.day is None and self.month is None and self.year is None:
            return self._clock()
        year = f"{self.year:04}" if self.year is not None else "-"
        rest = "".join(f"-{part:02}" for part in (self.month, self.day) if part is not None)
        return f"{year}{rest}{self._clock()}"

    def _clock(self) -> str:
        if self.hour is None:
            return ""
        return f"T{self.hour:02}" + (f":{self.minute:02}" if self.minute is not None else "")

    def first(self) -> tuple[int, ...] | None:
        """The earliest minute it may mean; None without a year."""
        if self.year is None:
            return None
        return (self.year, self.month or 1, self.day or 1, self.hour or 0, self.minute or 0)

    def last(self) -> tuple[int, ...] | None:
        if self.year is None:
            return None
        month = self.month or 12
        day = self.day or monthrange(self.year, month)[1]
        hour = 23 if self.hour is None else self.hour
        return (self.year, month, day, hour, 59 if self.minute is None else self.minute)


@dataclass(frozen=True, slots=True)
class When:
    """A moment, or a period whose ends are moments; an end that is open is None."""

    start: Moment | None
    end: Moment | None

    @property
    def is_moment(self) -> bool:
        return self.start == self.end

    def iso(self) -> str:
        if self.is_moment and self.start:
            return self.start.iso()
        return f"{self.start.iso() if self.start else '..'}/{self.end.iso() if self.end else '..'}"


class FoundTime(NamedTuple):
    span: Span
    when: When
    kind: Literal["at", "deadline", "since", "until", "period"]


def relate(one: When, other: When) -> Relation:
    """How two times lie to each other. `unknown` where what is written does not say."""
    if one.is_moment and other.is_moment and one.start and other.start:
        return _relate_moments(one.start, other.start)
    bounds, others = _bounds(one), _bounds(other)
    if bounds is None or others is None:
        return "unknown"
    if bounds[1] < others[0] or others[1] < bounds[0]:
        return "apart"
    if bounds == others:
        return "same"
    if bounds[0] <= others[0] and others[1] <= bounds[1]:
        return "contains"
    return "within" if others[0] <= bounds[0] and bounds[1] <= others[1] else "unknown"


def _relate_moments(one: Moment, other: Moment) -> Relation:
    pairs = list(zip(one, other, strict=True))
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return "apart"
    more, less = any(b is None and a is not None for a, b in pairs), any(a is None and b is not None for a, b in pairs)
    if more and less:
        return "unknown"
    return "within" if more else "contains" if less else "same"


_EARLIEST, _LATEST = (0,), (9999, 99)


def _bounds(when: When) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    first = when.start.first() if when.start else _EARLIEST
    last = when.end.last() if when.end else _LATEST
    return None if first is None or last is None else (first, last)


def surely_before(one: When, other: When) -> bool:
    """Whether all of `one` lies before all of `other`."""
    first, second = _bounds(one), _bounds(other)
    return first is not None and second is not None and first[1] < second[0]


def find_times(text: str, said: date | None = None) -> list[FoundTime]:
    """The times in a text, in its order: dates, clocks joined to their date, relative days, periods."""
    days = [(found.span, Moment(found.date.year, found.date.month, found.date.day)) for found in find_dates(text)]
    days += [found for found in _years_of_periods(text) if not _overlaps(found[0], days)]
    days += [found for found in _yearless(text, said) if not _overlaps(found[0], days)]
    if said is not None:
        days += [(span, Moment(*parts)) for span, parts in find_relative_days(text, said) if not _overlaps(span, days)]
    return _with_periods(text, _with_clocks(text, sorted(days)))


def _overlaps(span: Span, days: list[tuple[Span, Moment]]) -> bool:
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


# A verb that ends like a plural must not make the year a number of things: "in 2023 was".
_YEAR_BEFORE_VERB = re.compile(
    r"\b(?:in|during|of|since|for)\s(?P<year>(?:19|20)\d{2})(?=\s(?:was|is|has|its|this|as|does)\b)"
)


def _years_of_periods(text: str) -> list[tuple[Span, Moment]]:
    """Years that only their neighbours make one: the later of "from 2010 to 2012", the one of "in 2023 was"."""
    found = [(Span(*match.span("year")), Moment(int(match["year"]))) for match in _YEAR_BEFORE_VERB.finditer(text)]
    return found + [
        (Span(*match.span(name)), Moment(year - BUDDHIST_OFFSET if year >= 2400 else year))
        for match in _YEARS_OF_PERIOD.finditer(text)
        for name in ("first", "last")
        for year in (int(match[name]),)
    ]


def _yearless(text: str, said: date | None) -> list[tuple[Span, Moment]]:
    found = []
    for match in _YEARLESS.finditer(text):
        parts = {name.rstrip("23"): value for name, value in match.groupdict().items() if value}
        month, day = _MONTHS[parts["month"].lower()], int(parts["day"])
        year = said.year if said else None
        if day <= monthrange(year or 2000, month)[1]:
            found.append((Span(*match.span()), Moment(year, month, day)))
    return found


_CLOCK = re.compile(
    r"(?:เวลา\s?|\bat\s)?(?<![\d:.])(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?(?::[0-5]\d)?\s?"
    r"(?P<half>[ap]\.?m\.?\b|น\.|นาฬิกา|hrs\b|o'clock\b)"
    r"|(?:เวลา\s?|\bat\s)?(?<![\d:.])(?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)(?!\d)(?::[0-5]\d)?(?:Z|\sUTC)?",
    re.IGNORECASE,
)
_JOIN = re.compile(r"[\s,T]*(?:(?:at|on|around|about|เวลา|ประมาณ|เมื่อ|of)[\s,]*)?")


def _clocks(text: str) -> list[tuple[Span, int, int | None]]:
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


def _with_clocks(text: str, days: list[tuple[Span, Moment]]) -> list[tuple[Span, Moment]]:
    """A clock beside a date is one moment with it; alone it is a moment without a day."""
    found = list(days)
    for span, hour, minute in _clocks(text):
        if _overlaps(span, found):
            continue
        for place, (day_span, day) in enumerate(found):
            first, second = sorted((span, day_span))
            if day.hour is None and day.day is not None and _JOIN.fullmatch(text[first.end : second.start]):
                joined = Moment(day.year, day.month, day.day, hour, minute)
                found[place] = (Span(first.start, second.end), joined)
                break
        else:
            found.append((span, Moment(hour=hour, minute=minute)))
    return sorted(found)


_LEAD = re.compile(
    r"(?P<since>\bsince\s|ตั้งแต่\s?)$|(?P<until>\buntil\s|\btill\s|จนถึง\s?)$|(?P<deadline>\bby\s|ภายใน\s?)$"
    r"|(?P<from>\bfrom\s|\bbetween\s|ระหว่าง\s?)$",
    re.IGNORECASE,
)
_TO = re.compile(r"\s?(?:to|until|till|and|through|-|–|ถึง|จนถึง|และ)\s?", re.IGNORECASE)


def _with_periods(text: str, moments: list[tuple[Span, Moment]]) -> list[FoundTime]:
    found: list[FoundTime] = []
    place = 0
    while place < len(moments):
        span, moment = moments[place]
        lead = _LEAD.search(text, max(0, span.start - 12), span.start)
        kind = lead.lastgroup if lead else None
        following = moments[place + 1] if place + 1 < len(moments) else None
        if kind in ("from", "since") and following and _TO.fullmatch(text[span.end : following[0].start]):
            whole = Span(lead.start() if lead else span.start, following[0].end)
            found.append(FoundTime(whole, When(moment, following[1]), "period"))
            place += 2
            continue
        found.append(_led(span, moment, lead.start() if lead else span.start, kind))
        place += 1
    return found


def _led(span: Span, moment: Moment, start: int, kind: str | None) -> FoundTime:
    if kind == "since":
        return FoundTime(Span(start, span.end), When(moment, None), "since")
    if kind == "until":
        return FoundTime(Span(start, span.end), When(None, moment), "until")
    if kind == "deadline":
        return FoundTime(Span(start, span.end), When(None, moment), "deadline")
    return FoundTime(span, When(moment, moment), "at")


def day_of(moment: Moment) -> date | None:
    """The calendar day, where it is known."""
    if moment.year is None or moment.month is None or moment.day is None:
        return None
    return date(moment.year, moment.month, moment.day)


def days_apart(one: date, other: date) -> int:
    return abs((one - other) // timedelta(days=1))
