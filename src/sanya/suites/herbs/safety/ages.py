"""Reads an age as people write it ("4 year old", "ลูก 5 ขวบ", "70 ปี") into the population that it belongs to."""

from __future__ import annotations

import re

_ENGLISH = re.compile(
    r"\b(\d{1,3})\s*[- ]?\s*(years?|yrs?|y/?o|months?|mos?|weeks?|days?)\b(?:[- ]?(?:old|of age))?", re.IGNORECASE
)
_THAI = re.compile(r"(\d{1,3})\s*(ปี|ขวบ|เดือน|สัปดาห์|วัน)")
# An age without a unit is in years: "อายุ 80", "aged 70".
_BARE = re.compile(r"(?:อายุ|\baged?)\s*:?\s*(\d{1,3})\b(?!\s*(?:weeks|สัปดาห์))", re.IGNORECASE)
# A time of use is no age: "for 3 days", "นาน 7 วัน".
_DURATION = re.compile(
    r"\b(for|after|over|more than|longer than|every|past|last)\b|นาน|ติดต่อ|เกิน|ทุก|มาแล้ว", re.IGNORECASE
)
# Months and weeks beside these words count a pregnancy: "ท้อง 3 เดือน", "20 weeks pregnant".
_GESTATION = re.compile(
    r"(ท้อง|ครรภ์|pregnan\w*|gestation\w*)\s*(ได้|แก่|at)?\s*\d"
    r"|\d+\s*(weeks?|months?|wks?|สัปดาห์|เดือน)\s*(pregnan|of gestation|along\b)"
    r"|^\s*GA\s*\d+\s*(weeks?|wks?|\+|สัปดาห์|$)",
    re.IGNORECASE,
)
# A bound of an age: "over 65", "65+", "kids under 12", "อายุเกิน 60 ปี", "ต่ำกว่า 6 ขวบ". Other bounds are times.
_OVER = re.compile(
    r"^(?:(?:aged?|people|adults?|patients?|anyone|men|women)\s+)?(?:over|above|older than|more than)\s+(\d{1,3})"
    r"(?:\s*(?:years?|yrs?)(?:\s+old|\s+of age)?)?$"
    r"|^(?:aged?\s+)?(\d{1,3})\s*\+$"
    r"|อายุ\s*(?:เกิน|มากกว่า)\s*(\d{1,3})(?!\s*(?:เดือน|สัปดาห์|วัน))",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"^(?:(?:aged?|kids?|child(?:ren)?|anyone|babies)\s+)?(?:under|below|younger than|less than)\s+(\d{1,3})"
    r"(?:\s*(?:years?|yrs?)(?:\s+old|\s+of age)?)?$"
    r"|(?:อายุ|เด็ก|ลูก)\s*(?:อายุ)?\s*(?:ต่ำกว่า|น้อยกว่า|ไม่ถึง|ไม่เกิน)\s*(\d{1,3})(?!\s*(?:เดือน|สัปดาห์|วัน))"
    r"|(?:ต่ำกว่า|น้อยกว่า|ไม่ถึง|ไม่เกิน)\s*(\d{1,3})\s*ขวบ",
    re.IGNORECASE,
)
PREGNANCY = "condition:pregnancy"
_THAI_DIGITS = str.maketrans("๐๑๒๓๔๕๖๗๘๙", "0123456789")
_YEARS = {"year": 1.0, "yr": 1.0, "y": 1.0, "ปี": 1.0, "ขวบ": 1.0, "month": 1 / 12, "mo": 1 / 12, "เดือน": 1 / 12,
          "week": 7 / 365, "สัปดาห์": 7 / 365, "day": 1 / 365, "วัน": 1 / 365}  # fmt: skip
# Populations with the age, in years, below which one belongs to them; the narrowest comes first.
_POPULATIONS = (
    (28 / 365, "condition:newborn"),
    (1.0, "condition:infants"),
    (2.0, "condition:children-under-2"),
    (3.0, "condition:children-under-3"),
    (4.0, "condition:children-under-4"),
    (6.0, "condition:children-under-6"),
    (12.0, "condition:children-under-12"),
    (16.0, "condition:under-16"),
    (18.0, "condition:under-18"),
    (20.0, "condition:under-20"),
    (25.0, "condition:under-25-years"),
)
_OLDER_FROM = 60.0
_TODDLER_UNTIL = 3.0
_OLDER = "condition:older-adults"
_MOST_YEARS = 120.0


def find_age_years(text: str) -> float | None:
    """Return the age in the text, or None where it names none or only a time of use."""
    plain = text.strip().translate(_THAI_DIGITS)
    if (bound := _find_bound(plain)) is not None:
        return bound
    if _DURATION.search(plain):
        return None
    found = _ENGLISH.search(plain) or _THAI.search(plain)
    if found is None:
        bare = _BARE.search(plain)
        return float(bare[1]) if bare and int(bare[1]) <= _MOST_YEARS else None
    unit = found[2].lower()
    years = int(found[1]) * (_YEARS.get(unit) or _YEARS[unit.rstrip("s").partition("/")[0].removesuffix("o") or "y"])
    return years if years <= _MOST_YEARS else None


def is_exact_age(text: str) -> bool:
    """Return whether the text tells an age to which warnings about younger people do not extend: "kids under 12" are of
    all ages below, and who is under three is an infant to many a source."""
    years = find_age_years(text)
    is_bound = _find_bound(text.strip().translate(_THAI_DIGITS)) is not None
    return years is not None and years >= _TODDLER_UNTIL and not is_bound


def _find_bound(text: str) -> float | None:
    """Return an age on the side of the bound that the text names."""
    for pattern, change in ((_OVER, 0.0), (_UNDER, -0.1)):
        if found := pattern.search(text):
            years = float(found[found.lastindex or 0]) + change
            return years if 0 < years <= _MOST_YEARS else None
    return None


def is_gestation(text: str) -> bool:
    """Return whether the text tells how far a pregnancy is."""
    return bool(_GESTATION.search(text.translate(_THAI_DIGITS)))


def find_population_id(years: float) -> str | None:
    """Return the narrowest population of an age. It is part of the wider ones. Adults below 60 belong to none."""
    if years >= _OLDER_FROM:
        return _OLDER
    return next((id for limit, id in _POPULATIONS if years < limit), None)
