"""Numbers with their units, as exact as they were written: "about 10" and "10.2" may be one number, 10 and 12 not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple

from sanya.suites.memory.word_lists import word_list
from sanya.text.spans import Span

Bound = Literal["exact", "about", "at least", "at most"]


@dataclass(frozen=True, slots=True)
class Amount:
    """`low` to `high` in the unit's base, and half of the last digit that was written."""

    low: Decimal
    high: Decimal
    slack: Decimal
    unit: str
    bound: Bound


class FoundAmount(NamedTuple):
    span: Span
    amount: Amount


_SCALES = {
    "thousand": 3,
    "k": 3,
    "million": 6,
    "mn": 6,
    "billion": 9,
    "bn": 9,
    "trillion": 12,
    "ร้อย": 2,
    "พันล้าน": 9,
    "หมื่นล้าน": 10,
    "แสนล้าน": 11,
    "ล้านล้าน": 12,
    "ล้าน": 6,
    "แสน": 5,
    "หมื่น": 4,
    "พัน": 3,
}
# The unit that a word means, and how many of it.
_UNITS: dict[str, tuple[str, str]] = {}
for _unit, _words in {
    "percent": "% percent|per cent|เปอร์เซ็นต์",
    "baht": "baht|thb|บาท|฿",
    "dollar": "dollars|dollar|usd|us dollars|ดอลลาร์|เหรียญสหรัฐ",
    "euro": "euros|euro|eur|ยูโร",
    "person": "people|persons|person|คน|ราย",
    "year": "years old|years|year|ปี|ขวบ",
    "month": "months|month|เดือน",
    "day": "days|day|วัน",
    "celsius": "°c|degrees celsius|องศาเซลเซียส|องศา",
    "time": "times|ครั้ง",
}.items():
    for _word in _words.replace("% percent", "%|percent").split("|"):
        _UNITS[_word] = (_unit, "1")
for _unit, _words in {
    "metre": "kilometres:1000|kilometers:1000|kilometre:1000|kilometer:1000|km:1000|กิโลเมตร:1000|กม.:1000"
    "|metres:1|meters:1|metre:1|meter:1|m:1|เมตร:1|centimetres:0.01|centimeters:0.01|cm:0.01|เซนติเมตร:0.01|ซม.:0.01|mm:0.001|มม.:0.001"
    "|miles:1609.344|mile:1609.344|feet:0.3048|ft:0.3048",
    "gram": "kilograms:1000|kilogram:1000|kg:1000|กิโลกรัม:1000|กก.:1000|grams:1|gram:1|g:1|กรัม:1|mg:0.001|มก.:0.001"
    "|มิลลิกรัม:0.001|tonnes:1000000|tons:1000000|ตัน:1000000|pounds:453.592|lbs:453.592",
    "second": "hours:3600|hour:3600|hrs:3600|ชั่วโมง:3600|minutes:60|minute:60|mins:60|min:60|นาที:60"
    "|seconds:1|second:1|วินาที:1",
    "litre": "litres:1|liters:1|litre:1|liter:1|l:1|ลิตร:1|ml:0.001|มล.:0.001|มิลลิลิตร:0.001",
    "week": "weeks:1|week:1|สัปดาห์:1",
}.items():
    for _word in _words.split("|"):
        _name, _, _factor = _word.rpartition(":")
        _UNITS[_name] = (_unit, _factor)

_WORDS = word_list("one two three four five six seven eight nine ten eleven twelve")
_THAI_WORDS = word_list("หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ")
_WORD_VALUES = {word: str(value) for words in (_WORDS, _THAI_WORDS) for value, word in enumerate(words, 1)}
_ABOUT = (
    "about|around|approximately|approx\\.?|roughly|nearly|almost|some|circa|ca\\.|~|≈|ประมาณ|ราวๆ|ราว|เกือบ|กว่า|คร่าวๆ"
)
_LEAST = "at least|more than|over|no fewer than|no less than|above|>=?|≥|อย่างน้อย|มากกว่า|ไม่น้อยกว่า|ไม่ต่ำกว่า|เกิน"
_MOST = "at most|less than|fewer than|under|up to|no more than|below|<=?|≤|ไม่เกิน|น้อยกว่า|ต่ำกว่า"
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
_SIGNS = {"$": "dollar", "us$": "dollar", "฿": "baht", "€": "euro"}
_THAI_DIGITS = {0x0E50 + digit: str(digit) for digit in range(10)}
_ROUND_SHARE = Decimal("0.02")
_PERCENT_AHEAD = re.compile(r"ร้อยละ\s?$")


def find_amounts(text: str) -> list[FoundAmount]:
    """The amounts in a text, in its order. Part of a name (AC123), a date or a clock is none."""
    written = text.translate(_THAI_DIGITS)
    found = []
    for match in _AMOUNT.finditer(written):
        start = match.start()
        ahead = _PERCENT_AHEAD.search(written, max(0, start - 8), start)
        amount = _amount(match, percent=ahead is not None)
        end = match.end() - (len(match[0]) - len(match[0].rstrip()))
        found.append(FoundAmount(Span(ahead.start() if ahead else start, end), amount))
    return found


def _amount(match: re.Match[str], *, percent: bool) -> Amount:
    sign = (match["sign"] or "").lower()
    unit, factor = _UNITS.get((match["unit"] or "").lower(), ("", "1"))
    if percent:
        unit = "percent"
    elif sign:
        unit = _SIGNS[sign]
    scale = Decimal(10) ** _SCALES.get((match["scale"] or "").lower(), 0) * Decimal(factor)
    low, slack = _number(match["low"])
    high = _number(match["high"])[0] if match["high"] else low
    if match["minus"] and not match["high"]:
        low = high = -low
    bound: Bound = (
        "about" if match["about"] else "at least" if match["least"] else "at most" if match["most"] else "exact"
    )
    return Amount(min(low, high) * scale, max(low, high) * scale, slack * scale, unit, bound)


def _number(written: str) -> tuple[Decimal, Decimal]:
    """The number, and half of its last digit; of a round one (1,200,000) of its last digit that is not 0."""
    digits = _WORD_VALUES.get(written.lower(), written).replace(",", "")
    number = Decimal(digits)
    if "." in digits:
        return number, Decimal(5).scaleb(-len(digits.partition(".")[2]) - 1)
    zeros = len(digits) - len(digits.rstrip("0")) if number else 0
    if zeros < 2:
        return number, Decimal("0.5")
    return number, min(Decimal(5).scaleb(zeros - 1), number * _ROUND_SHARE)


_ABOUT_SHARE = Decimal("0.1")


def may_agree(one: Amount, other: Amount) -> bool:
    """Whether both may speak of one number. Amounts of different units are never compared: they may."""
    if one.unit != other.unit:
        return True
    first, second = _range(one), _range(other)
    # Neighbours only touch: 3 may be anything up to 3.5, 4 anything from there on, and no number is both.
    return first[0] < second[1] and second[0] < first[1]


def _range(amount: Amount) -> tuple[Decimal, Decimal]:
    slack = amount.slack
    if amount.bound == "about":
        slack = max(slack, abs(amount.high) * _ABOUT_SHARE)
    low = amount.low - slack if amount.bound != "at most" else Decimal("-Infinity")
    high = amount.high + slack if amount.bound != "at least" else Decimal("Infinity")
    return low, high
