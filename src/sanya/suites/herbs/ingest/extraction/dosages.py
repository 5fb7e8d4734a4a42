"""Doses as documents write them: how much, in which unit, how often, in Thai and in English.

A dose is stored with the use beside which it stands, as text. No tool calculates with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sanya.suite.text import Span

_DIGIT_CLASS = "[0-9๐-๙]"
_NUMBER = rf"{_DIGIT_CLASS}+(?:[.,/]{_DIGIT_CLASS}+)?(?:\s?(?:-|–|ถึง|to)\s?{_DIGIT_CLASS}+(?:[.,/]{_DIGIT_CLASS}+)?)?"
_UNIT = (
    r"(?:มก\.|มิลลิกรัม|มคก\.|ไมโครกรัม|กรัม|ก\.|มล\.|มิลลิลิตร|ซีซี|แคปซูล|เม็ด|ช้อนชา|ช้อนโต๊ะ|ซอง|หยด|ถ้วย|แก้ว|"
    r"(?:mg|mcg|µg|μg|g|ml|grams?|milligrams?|capsules?|tablets?|drops?|teaspoons?|tablespoons?|sachets?|cups?)\b)"
    r"(?:\s?/\s?(?:กก\.|กิโลกรัม|วัน|kg|day)|\s?(?:ต่อวัน|ต่อกิโลกรัม|per day|per kg))?"
)
_FREQUENCY = (
    rf"(?:วันละ\s?(?:{_NUMBER}\s?ครั้ง|ครั้ง)|ทุก\s?{_NUMBER}\s?ชั่วโมง|"
    rf"(?:{_NUMBER}|once|twice|three|four)\s?(?:times\s)?(?:daily|a day|per day)|daily|every {_NUMBER} hours?)"
)
_TIME_OF_DAY = r"(?:ก่อนอาหาร|หลังอาหาร|ก่อนนอน|before meals?|after meals?|at bedtime)"
_DOSE = re.compile(
    rf"(?:ครั้งละ\s?)?{_NUMBER}\s?{_UNIT}(?:[\s,]{{1,2}}{_FREQUENCY})?(?:[\s,]{{1,2}}{_TIME_OF_DAY})?|{_FREQUENCY}(?:[\s,]{{1,2}}{_TIME_OF_DAY})?"
)
_DIGIT = re.compile(_DIGIT_CLASS)


def find_dosages(form: str, start: int, end: int) -> Iterator[Span]:
    """Yield the doses between two offsets of a search form, in order."""
    if _DIGIT.search(form, start, end):
        for match in _DOSE.finditer(form, start, end):
            yield Span(*match.span())
