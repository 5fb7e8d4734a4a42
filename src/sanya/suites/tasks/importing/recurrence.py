"""Reads how often a task recurs, into the suite's vocabulary: a word for the plain cases, else an RRULE."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

_UNITS = {"d": "DAILY", "w": "WEEKLY", "m": "MONTHLY", "y": "YEARLY"}
_INTERVAL = re.compile(r"\+?p?([0-9]{1,3})\s?(d|w|m|y|b|days?|weeks?|wks?|months?|mo|years?|yrs?)", re.IGNORECASE)
_UNTIL_UTC = re.compile(r"UNTIL=[0-9T]+Z")
_EVERY = re.compile(r"every!?\s+", re.IGNORECASE)
_WHEN_DONE = re.compile(r"\s+when done$", re.IGNORECASE)
_MONTH_DAY = re.compile(r"month on the ([0-9]{1,2})(?:st|nd|rd|th)", re.IGNORECASE)
_LONGEST_MONTH = 31
_WORKDAYS = "BYDAY=MO,TU,WE,TH,FR"


def read_recurrence(text: str) -> str | None:
    """Return the recurrence, or None where the text names none that we know. An empty text is no recurrence."""
    word = text.strip()
    if not word:
        return "NONE"
    if known := _load_words().get(word.casefold()):
        return known
    if interval := _INTERVAL.fullmatch(word):
        return _build_rule(int(interval[1]), interval[2][0].lower())
    rule = word.upper().removeprefix("RRULE:")
    return _simplify(rule) if _is_rule(rule) else None


def read_spoken_recurrence(text: str) -> str | None:
    """Return a recurrence in words such as `every Monday`, `every 2 weeks when done` or `every month on the 1st`."""
    spoken = _WHEN_DONE.sub("", _EVERY.sub("", text.strip()))
    if monthly := _MONTH_DAY.fullmatch(spoken):
        return f"FREQ=MONTHLY;BYMONTHDAY={int(monthly[1])}" if 1 <= int(monthly[1]) <= _LONGEST_MONTH else None
    return read_recurrence(spoken)


def _is_rule(rule: str) -> bool:
    if not rule.startswith("FREQ=") or len(rule.split()) > 1:
        return False
    from dateutil.rrule import rrulestr  # type: ignore[import-untyped]  # lazy: few files have a rule

    # dateutil wants a start with a time zone where UNTIL has one, and without one elsewhere.
    start = datetime(2000, 1, 1, tzinfo=UTC if _UNTIL_UTC.search(rule) else None)
    try:
        rrulestr(rule, dtstart=start)
    except (ValueError, LookupError, TypeError, OverflowError):  # it raises any of these for bad input
        return False
    return True


@cache
def _load_words() -> dict[str, str]:
    lines = files(__package__).joinpath("recurrence_words.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if not line.startswith("#")]
    return {word: stored for stored, *words in rows for word in words}


def _build_rule(count: int, unit: str) -> str | None:
    if count == 0:
        return None
    if unit == "b":
        return f"FREQ=DAILY;INTERVAL={count};{_WORKDAYS}" if count > 1 else f"FREQ=WEEKLY;{_WORKDAYS}"
    return _simplify(f"FREQ={_UNITS[unit]};INTERVAL={count}")


def _simplify(rule: str) -> str:
    """Return the word for a rule that says no more than the word, else the rule."""
    rule = rule.removesuffix(";INTERVAL=1")
    frequency = rule.removeprefix("FREQ=")
    return frequency if frequency in _UNITS.values() else rule
