"""Frequencies: twice a week, every other day, quarterly, เดือนละครั้ง, วันเว้นวัน.

A frequency is the number of hours between two times, so that "every quarter" and "once in three months" are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from sanya.suite.text import Span
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_HOURS = {word: Decimal(hours) for hours, words in _WORDS.read_table("periods").items() for word in words}
_ADVERBS = {word: Decimal(hours) for hours, words in _WORDS.read_table("adverbs").items() for word in words}


def _join(words: Iterable[str], *, ascii_only: bool) -> str:
    return "|".join(sorted((word for word in words if word.isascii() is ascii_only), key=len, reverse=True))


_PERIOD, _THAI_PERIOD = (rf"(?P<period>{_join(_HOURS, ascii_only=ascii_only)})" for ascii_only in (True, False))
_TIMES, _THAI_TIMES = (_join(_WORDS.read_words("counted"), ascii_only=ascii_only) for ascii_only in (True, False))
# "Every day at 8" and ทุกวันพุธ name no frequency of their own.
_NO_DAY = r"(?!ที่|หยุด|เกิด|จันทร์|อังคาร|พุธ|พฤหัส|ศุกร์|เสาร์|อาทิตย์)"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:(?P<count>\d{{1,2}}) (?:{_TIMES})|(?P<once>once)|(?P<twice>twice)) "
        rf"(?:a|an|per|every|each|per 1|1) {_PERIOD}\b",
        rf"\b(?:(?P<once>once)|(?P<twice>twice)|(?P<count>\d{{1,2}}) (?:{_TIMES})) "
        rf"(?:in|every) (?P<every>\d{{1,3}}) {_PERIOD}s?\b",
        rf"\bevery (?:(?P<every>\d{{1,3}}) |(?P<other>other|second) )?{_PERIOD}s?\b",
        rf"\b(?P<adverb>{_join(_ADVERBS, ascii_only=True)})\b(?= (?:at|on|in|by|for|from|to)\b|[.,;]|$)",
        rf"{_THAI_PERIOD}ละ\s?(?P<count>\d{{1,2}})?\s?(?:{_THAI_TIMES})",
        rf"ทุก\s?ๆ?\s?(?P<every>\d{{1,3}})?\s?{_THAI_PERIOD}{_NO_DAY}",
        rf"{_THAI_PERIOD}เว้น(?P<other>(?P=period))",
        rf"(?P<adverb>{_join(_ADVERBS, ascii_only=False)})",
    )
]
_SIGN = re.compile(
    rf"every|\b(?:once|twice)\b|\btimes\b|ly\b|ละ|ทุก|เว้น|ราย{_THAI_PERIOD.replace('?P<period>', '?:')}", re.I
)


class FrequencyMatch(NamedTuple):
    span: Span
    hours: Decimal
    """Hours between two times."""


def find_frequencies(text: str) -> list[FrequencyMatch]:
    """Return the frequencies of a text whose numbers stand in digits."""
    if _SIGN.search(text) is None:
        return []
    found: list[FrequencyMatch] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            span = Span(*match.span())
            if not any(span.start < other.span.end and other.span.start < span.end for other in found):
                found.append(FrequencyMatch(span, _compute_hours(match.groupdict())))
    return found


def _compute_hours(parts: dict[str, str | None]) -> Decimal:
    if adverb := parts.get("adverb"):
        return _ADVERBS[adverb.lower()]
    hours = _HOURS[str(parts["period"]).lower()]
    hours *= 2 if parts.get("other") else Decimal(parts.get("every") or 1)
    count = 2 if parts.get("twice") else Decimal(parts.get("count") or 1)
    return (hours / max(count, Decimal(1))).quantize(Decimal("0.1"))
