"""Dates in both calendars and both languages, as precise as they were written: a year, a month or a day.

A Buddhist year is the common year plus 543, as Thailand has counted since 1941. For older dates in January to March the
year may be off by one, as it is in most records."""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from sanya.text.spans import Span

BUDDHIST_OFFSET = 543
_THAI_NAMES = "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม"
_THAI_SHORT_NAMES = "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค."
_ENGLISH_NAMES = "January February March April May June July August September October November December"
THAI_MONTHS = tuple(_THAI_NAMES.split())
THAI_MONTHS_SHORT = tuple(_THAI_SHORT_NAMES.split())
ENGLISH_MONTHS = tuple(_ENGLISH_NAMES.split())

DatePrecision = Literal["year", "month", "day"]


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date of the common calendar, as far as it is known."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def precision(self) -> DatePrecision:
        if self.month is None:
            return "year"
        return "month" if self.day is None else "day"

    @property
    def first_day(self) -> date:
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> date:
        month = self.month or 12
        return date(self.year, month, self.day or monthrange(self.year, month)[1])

    def to_iso(self) -> str:
        """Return 2023, 2023-01 or 2023-01-15."""
        return self.first_day.isoformat()[: {"year": 4, "month": 7, "day": 10}[self.precision]]

    def to_thai(self, *, short: bool = False) -> str:
        """Return 15 มกราคม พ.ศ. 2566, or short 15 ม.ค. 2566."""
        months = THAI_MONTHS_SHORT if short else THAI_MONTHS
        era = "พ.ศ. " if not short or self.month is None else ""
        return self._format(months, f"{era}{self.year + BUDDHIST_OFFSET}")

    def to_english(self, *, short: bool = False) -> str:
        """Return 15 January 2023, or short 15 Jan 2023."""
        months = tuple(month[:3] for month in ENGLISH_MONTHS) if short else ENGLISH_MONTHS
        return self._format(months, str(self.year))

    def _format(self, months: tuple[str, ...], year: str) -> str:
        month = months[self.month - 1] if self.month else ""
        day = str(self.day) if self.day else ""
        return " ".join(filter(None, (day, month, year)))


class DateMention(NamedTuple):
    span: Span
    date: PartialDate


def parse_date(text: str) -> PartialDate | None:
    """Return the date that the whole text is, or None. A year alone is enough; a day must exist."""
    written = text.translate(_THAI_DIGITS).strip()
    for pattern in (_LONE_YEAR, *_PATTERNS):
        match = pattern.fullmatch(written)
        if match and (found := _read_date(match)):
            return found
    return None


def find_dates(text: str) -> list[DateMention]:
    """Return the dates in a text, in order. A bare number counts as a year only if the words around it say so."""
    if _DIGIT.search(text) is None:
        return []
    # Digits are replaced one for one, so positions do not change.
    written = text.translate(_THAI_DIGITS)
    found: list[DateMention] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(written):
            span = Span(match.start("date"), match.end("date"))
            if (date := _read_date(match)) and not _has_overlap(found, span):
                found.insert(bisect_left(found, span, key=_get_span), DateMention(span, date))
    return found


def _get_span(mention: DateMention) -> Span:
    return mention.span


def _has_overlap(found: list[DateMention], span: Span) -> bool:
    place = bisect_left(found, span, key=_get_span)
    before, behind = found[max(0, place - 1) : place], found[place : place + 1]
    return any(mention.span.end > span.start for mention in before) or any(
        mention.span.start < span.end for mention in behind
    )


_DIGIT = re.compile(r"\d")
_THAI_DIGITS = {0x0E50 + digit: str(digit) for digit in range(10)}
_WEEKDAYS = "จันทร์|อังคาร|พุธ|พฤหัสบดี|พฤหัส|ศุกร์|เสาร์|อาทิตย์"
_THAI_MONTH = "|".join(
    [*THAI_MONTHS, *(month.replace(".", r"\.?") for month in THAI_MONTHS_SHORT), *(month[:-2] for month in THAI_MONTHS)]
)
_ENGLISH_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in ENGLISH_MONTHS).replace("Sep", "Sept?")
_ERA = r"(?P<era>พ\.?\s?ศ\.?|ค\.?\s?ศ\.?|B\.?E\.?|A\.?D\.?|C\.?E\.?)"
_LATER_ERA = r"(?:\s?(?P<later_era>B\.?E\.?|A\.?D\.?|C\.?E\.?)(?![A-Za-z]))?"
_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9])"
_YEAR = r"(?P<year>[12][0-9]{3})(?![0-9])"
_NUMBER_AHEAD, _NUMBER_BEHIND = r"(?<![0-9./\-])", r"(?![0-9/\-]|\.[0-9])"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<date>(?:(?:วัน)?(?:{_WEEKDAYS})?ที่\s{{0,3}})?(?<![0-9]){_DAY}\s{{0,3}}(?:เดือน\s{{0,3}})?(?P<thai_month>{_THAI_MONTH})"
        rf"\s{{0,3}}(?:ปี\s{{0,3}})?(?:{_ERA}\s{{0,3}})?(?P<year>[12][0-9]{{3}}|[0-9]{{2}})(?![0-9:.]))",
        rf"(?P<date>(?:เดือน\s{{0,3}})?(?P<thai_month>{_THAI_MONTH})\s{{0,3}}(?:ปี\s{{0,3}})?(?:{_ERA}\s{{0,3}})?{_YEAR})",
        rf"(?P<date>(?<![0-9]){_DAY}(?:st|nd|rd|th)?\s(?:of\s)?(?P<english_month>{_ENGLISH_MONTH})\.?,?\s(?:{_ERA}\s?)?{_YEAR}{_LATER_ERA})",
        rf"(?P<date>\b(?P<english_month>{_ENGLISH_MONTH})\.?\s{_DAY}(?:st|nd|rd|th)?,?\s{_YEAR}{_LATER_ERA})",
        rf"(?P<date>\b(?P<english_month>{_ENGLISH_MONTH})\.?,?\s(?:{_ERA}\s?)?{_YEAR}{_LATER_ERA})",
        rf"{_NUMBER_AHEAD}(?P<date>(?P<year>[12][0-9]{{3}})(?P<sign>[-/.])(?P<month>1[0-2]|0?[1-9])(?P=sign){_DAY}){_NUMBER_BEHIND}",
        rf"{_NUMBER_AHEAD}(?P<date>(?P<first>[0-9]{{1,2}})(?P<sign>[-/.])(?P<second>[0-9]{{1,2}})(?P=sign){_YEAR}){_NUMBER_BEHIND}",
        rf"{_NUMBER_AHEAD}(?P<date>(?P<year>[12][0-9]{{3}})-(?P<month>1[0-2]|0[1-9])){_NUMBER_BEHIND}",
        rf"(?P<date>(?:ปี\s?)?(?<![^\W\d_]){_ERA}\s{{0,3}}{_YEAR})",
        rf"(?P<date>(?<![0-9]){_YEAR}\s?(?P<later_era>B\.?E\.?|A\.?D\.?|C\.?E\.?)(?![A-Za-z]))",
        r"(?:ปี|(?<![^\W\d_])(?:in|since|from|until|during|year|years|by|before|after|early|late|between|of))\s?"
        r"(?P<date>(?P<year>(?:1[5-9]|20|2[45])[0-9]{2})(?![0-9]|,[0-9]|\.[0-9]|\s?%|\s[a-z]+s\b|\s?(?:คน|ราย)))",
        r"\((?P<date>(?P<year>(?:1[5-9]|20|2[45])[0-9]{2}))\)",
    )
]
_LONE_YEAR = re.compile(rf"(?P<date>{_YEAR})")
_BUDDHIST_ERAS = ("พ", "b")
_THAI_MONTH_NUMBER = {
    name.replace(".", ""): number
    for names in (THAI_MONTHS, THAI_MONTHS_SHORT, [month[:-2] for month in THAI_MONTHS])
    for number, name in enumerate(names, 1)
}
_ENGLISH_MONTH_NUMBER = {month[:3].lower(): number for number, month in enumerate(ENGLISH_MONTHS, 1)}


def _read_date(match: re.Match[str]) -> PartialDate | None:
    parts = {name: value for name, value in match.groupdict().items() if value}
    year = _to_common_year(parts["year"], parts.get("era") or parts.get("later_era") or "")
    day, month = _read_day_and_month(parts)
    return _check_date(PartialDate(year, month, day))


def _to_common_year(digits: str, era: str) -> int:
    """Return the year of the common calendar. Without an era, a year from 2400 on is Buddhist, as is one of two
    digits."""
    year = int(digits)
    if len(digits) == 2:
        return year + 2500 - BUDDHIST_OFFSET
    buddhist = era[:1].lower() in _BUDDHIST_ERAS if era else year >= 2400
    return year - BUDDHIST_OFFSET if buddhist else year


def _read_day_and_month(parts: dict[str, str]) -> tuple[int | None, int | None]:
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        # Day first, as everywhere but in America, unless the second number is no month.
        return (first, second) if second <= 12 else (second, first)
    day = int(parts["day"]) if "day" in parts else None
    if "thai_month" in parts:
        return day, _THAI_MONTH_NUMBER[parts["thai_month"].replace(".", "")]
    if "english_month" in parts:
        return day, _ENGLISH_MONTH_NUMBER[parts["english_month"][:3].lower()]
    return day, int(parts["month"]) if "month" in parts else None


def _check_date(date: PartialDate) -> PartialDate | None:
    """Return the date, or None if there is no such day."""
    if not 1 <= date.year <= 9999 or not 1 <= (date.month or 1) <= 12:
        return None
    return date if 1 <= (date.day or 1) <= monthrange(date.year, date.month or 1)[1] else None
