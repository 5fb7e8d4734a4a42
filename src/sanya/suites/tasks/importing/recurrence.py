"""How often a task comes back, in the one vocabulary of the suite: a word for the plain cases, else an RRULE."""

from __future__ import annotations

import re

_WORDS = {
    "": "NONE",
    "none": "NONE",
    "never": "NONE",
    "daily": "DAILY",
    "day": "DAILY",
    "weekly": "WEEKLY",
    "week": "WEEKLY",
    "monthly": "MONTHLY",
    "month": "MONTHLY",
    "yearly": "YEARLY",
    "annual": "YEARLY",
    "year": "YEARLY",
    "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "biweekly": "FREQ=WEEKLY;INTERVAL=2",
    "fortnight": "FREQ=WEEKLY;INTERVAL=2",
    "quarterly": "FREQ=MONTHLY;INTERVAL=3",
    "semiannual": "FREQ=MONTHLY;INTERVAL=6",
    "ไม่": "NONE",
    "ทุกวัน": "DAILY",
    "ทุกสัปดาห์": "WEEKLY",
    "ทุกเดือน": "MONTHLY",
    "ทุกปี": "YEARLY",
}
_UNITS = {"d": "DAILY", "w": "WEEKLY", "m": "MONTHLY", "y": "YEARLY"}
_INTERVAL = re.compile(r"\+?p?([0-9]{1,3})\s?(d|w|m|y|b|days?|weeks?|wks?|months?|mo|years?|yrs?)", re.IGNORECASE)
_RULE = re.compile(r"(?:RRULE:)?(FREQ=[A-Z]+(?:;[A-Z-]+=[A-Z0-9,+-]+)*)", re.IGNORECASE)


def read_recurrence(text: str) -> str | None:
    """None where the text names no recurrence that we know."""
    word = text.strip()
    known = _WORDS.get(word.casefold())
    if known is not None:
        return known
    interval = _INTERVAL.fullmatch(word)
    if interval is not None:
        return _every(int(interval[1]), interval[2][0].lower())
    rule = _RULE.fullmatch(word)
    return _plainest(rule[1].upper()) if rule is not None else None


def _every(count: int, unit: str) -> str | None:
    if count == 0:
        return None
    if unit == "b":
        return f"FREQ=DAILY;INTERVAL={count};BYDAY=MO,TU,WE,TH,FR" if count > 1 else _WORDS["weekdays"]
    return _plainest(f"FREQ={_UNITS[unit]};INTERVAL={count}")


def _plainest(rule: str) -> str:
    """The rule, or the word for it where it says nothing more than the word."""
    rule = rule.removesuffix(";INTERVAL=1")
    frequency = rule.removeprefix("FREQ=")
    return frequency if frequency in _UNITS.values() else rule
