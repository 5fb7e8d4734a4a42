"""Amounts: numbers with their units, as precise as they were written.

"About 10" and "10.2" may be the same number, 10 and 12 are not. An amount keeps half of the last digit that was written
as its slack, and two amounts agree if their ranges overlap.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, NamedTuple

from sanya.suite.text import Span
from sanya.suites.memory.word_lists import build_alternation, open_word_file

Bound = Literal["exact", "about", "at least", "at most"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A range in the base unit. `slack` is half of the last digit that was written."""

    low: Decimal
    high: Decimal
    slack: Decimal
    unit: str
    bound: Bound


class AmountMatch(NamedTuple):
    span: Span
    amount: Amount


_TABLES = open_word_file(__file__)
_SCALES = {word: int(powers[0]) for word, powers in _TABLES.read_table("scales").items()}


def _load_units() -> dict[str, tuple[str, str]]:
    """Return the base unit of each spelling, and how many of it one is."""
    units = {name: (unit, "1") for unit, names in _TABLES.read_phrase_table("units").items() for name in names}
    for unit, names in _TABLES.read_phrase_table("scaled_units").items():
        for entry in names:
            name, _, factor = entry.rpartition("=")
            units[name] = (unit, factor)
    return units


_UNITS = _load_units()
_WORDS = _TABLES.read_words("number_words")
_THAI_WORDS = _TABLES.read_words("thai_number_words")
_WORD_VALUES = {word: str(value) for words in (_WORDS, _THAI_WORDS) for value, word in enumerate(words, 1)}
_ABOUT, _LEAST, _MOST = ("|".join(_TABLES.read_phrases(section)) for section in ("about", "at_least", "at_most"))
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?"
_SCALE = "|".join(sorted(map(re.escape, _SCALES), key=len, reverse=True))
_UNIT = "|".join(sorted((re.escape(unit) for unit in _UNITS), key=len, reverse=True))
_AMOUNT = re.compile(
    rf"(?:(?P<about>{_ABOUT})\s?|(?P<least>{_LEAST})\s?|(?P<most>{_MOST})\s?)?"
    rf"(?P<sign>US\$|\$|฿|€)?(?<![\w.,/:-])(?P<minus>[-−])?(?P<low>{_NUMBER}|(?:\b(?:{'|'.join(_WORDS)})\b))"
    rf"(?:\s?(?:-|–|to|ถึง)\s?(?P<high>{_NUMBER}))?(?![\d:/]|[.,]\d|-\d|st\b|nd\b|rd\b|th\b)"
    rf"\s?(?P<scale>(?:{_SCALE})(?![A-Za-z]))?\s?(?P<unit>(?:{_UNIT})(?![A-Za-z]))?",
    re.IGNORECASE,
)
_NUMBER_SIGN = re.compile(rf"\d|{build_alternation(_WORDS)}", re.IGNORECASE)
_SIGNS = {"$": "dollar", "us$": "dollar", "฿": "baht", "€": "euro"}
_THAI_DIGITS = {0x0E50 + digit: str(digit) for digit in range(10)}
_ROUND_SHARE = Decimal("0.02")
# "Goes up to 1,020" gives the new value and no limit.
_RISE_BEFORE = re.compile(
    r"\b(?:go|goes|going|went|gone|puts?|raised|rose|risen|climbed|bumped|moved|grew|grown|jumped|now)\s$",
    re.IGNORECASE,
)
_PERCENT_BEFORE = re.compile(r"ร้อยละ\s?$")


def find_amounts(text: str) -> list[AmountMatch]:
    """Return the amounts of a text in order. Parts of names (AC123), dates and clock times are no amounts."""
    if _NUMBER_SIGN.search(text) is None:
        return []
    written = text.translate(_THAI_DIGITS)
    amounts = []
    for match in _AMOUNT.finditer(written):
        start = match.start()
        percent = _PERCENT_BEFORE.search(written, max(0, start - 8), start)
        amount = _build_amount(match, percent=percent is not None)
        if (
            match["most"]
            and match["most"].lower() == "up to"
            and _RISE_BEFORE.search(written, max(0, start - 8), start)
        ):
            amount = replace(amount, bound="exact")
        end = match.end() - (len(match[0]) - len(match[0].rstrip()))
        amounts.append(AmountMatch(Span(percent.start() if percent else start, end), amount))
    return amounts


def _build_amount(match: re.Match[str], *, percent: bool) -> Amount:
    sign = (match["sign"] or "").lower()
    unit, factor = _UNITS.get((match["unit"] or "").lower(), ("", "1"))
    if percent:
        unit = "percent"
    elif sign:
        unit = _SIGNS[sign]
    scale = Decimal(10) ** _SCALES.get((match["scale"] or "").lower(), 0) * Decimal(factor)
    low, slack = _parse_number(match["low"])
    high = _parse_number(match["high"])[0] if match["high"] else low
    if match["minus"] and not match["high"]:
        low = high = -low
    bound: Bound = (
        "about" if match["about"] else "at least" if match["least"] else "at most" if match["most"] else "exact"
    )
    return Amount(min(low, high) * scale, max(low, high) * scale, slack * scale, unit, bound)


def _parse_number(written: str) -> tuple[Decimal, Decimal]:
    """Return a number and its slack. The last digit of a round number (1,200,000) is its last one that is not 0."""
    digits = _WORD_VALUES.get(written.lower(), written).replace(",", "")
    number = Decimal(digits)
    if "." in digits:
        return number, Decimal(5).scaleb(-len(digits.partition(".")[2]) - 1)
    zeros = len(digits) - len(digits.rstrip("0")) if number else 0
    if zeros < 2:
        return number, Decimal("0.5")
    return number, min(Decimal(5).scaleb(zeros - 1), number * _ROUND_SHARE)


_ABOUT_SHARE = Decimal("0.1")


def may_agree(amount: Amount, other: Amount) -> bool:
    """Tell whether both may be the same number. Amounts in different units are not compared, so they may."""
    if amount.unit != other.unit:
        return True
    first, second = _compute_range(amount), _compute_range(other)
    # Neighbours only touch: 3 is anything up to 3.5, 4 anything from there on, and no number is both.
    return first[0] < second[1] and second[0] < first[1]


def _compute_range(amount: Amount) -> tuple[Decimal, Decimal]:
    slack = amount.slack
    if amount.bound == "about":
        slack = max(slack, abs(amount.high) * _ABOUT_SHARE)
    low = amount.low - slack if amount.bound != "at most" else Decimal("-Infinity")
    high = amount.high + slack if amount.bound != "at least" else Decimal("Infinity")
    return low, high
