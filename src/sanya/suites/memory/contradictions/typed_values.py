"""Values with a kind: amounts, clock times, dates, weekdays, codes, names and states, and when two of them differ."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from sanya.suite.text import ENGLISH_STOP_WORDS, Span, has_thai, stem_english
from sanya.suites.memory.parsing.amounts import Amount, AmountMatch, find_amounts, may_agree
from sanya.suites.memory.parsing.claims import mask_spans
from sanya.suites.memory.parsing.frequencies import find_frequencies
from sanya.suites.memory.parsing.places import find_place, is_surely_elsewhere
from sanya.suites.memory.parsing.times import PartialTime, TimeRange, find_times, relate_times
from sanya.suites.memory.parsing.written_numbers import COUNTED_WORDS

_SECONDS = {"second": 1, "day": 86_400, "week": 604_800, "month": 2_629_800, "year": 31_557_600}
# A month has 28 to 31 days: lengths of time in other units than days agree if they differ by less than this.
_LENGTH_SLACK = Decimal("0.04")
_CURRENCIES = frozenset(("baht", "dollar", "euro"))
_ADDRESS = re.compile(
    r"\b\d{1,5}[a-c]? (?:[A-Z]\w+ ){1,3}?(?:Street|St|Lane|Road|Rd|Avenue|Ave|Close|Drive|Way|Square|Court|Place|"
    r"Terrace|Crescent|Row|Quay|Hill|Grove|Gardens|Park|Mews|Walk|View)\b|เลขที่\s?[\d/]+(?:\s?(?:ซอย|ถนน|หมู่|ตรอก)\s?[^\s,]{1,30}(?:\s\d{1,3})?){0,3}"
)
_RATIO = re.compile(r"(?<![\d/])\d{2,3}\s?(?:/|over)\s?\d{2,3}(?![\d/])")
_LETTER = re.compile(r"(?<=[a-z] )(?!I\b)[A-Z](?![\w'’.+-])")
_PLATE = re.compile(r"(?<![\u0E00-\u0E7F])\d?[ก-ฮ]{2}\s?\d{1,4}(?!\d|[\d,. ]*บาท)")
_VERSION = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+){1,3}(?![\w.]|\s?(?:percent|%|kg|km|m|l|g|GB|MB|ล้าน|กิโล|เปอร์เซ็นต์|องศา))", re.IGNORECASE
)
_BLOOD = re.compile(
    r"(?<![\w])(?:AB|A|B|O)(?![A-Za-z])\s?(?:positive|negative|pos\b|neg\b|[+−-](?!\w)|บวก|ลบ|rh\S*)?", re.IGNORECASE
)
_BLOOD_WORD = re.compile(r"bloodtype|กรุ๊ปเลือด")
# A number that names and does not measure: the next one is another, however near.
_IDENTIFIER = re.compile(
    r"(?:(?<=\bport )|(?<=\bPIN )|(?<=\bport is )|(?<=\bPIN is )|(?<=\bextension )|(?<=พอร์ต)|(?<=พอร์ต )"
    r"|(?<=พอร์ตเป็น )|(?<=รหัส )|(?<=รหัสคือ ))\d{2,6}(?![\d.,:/-]\d|\w)",
    re.IGNORECASE,
)
_VERSIONED = re.compile(r"\b(?:version|release|เวอร์ชัน|รุ่น)\b|เวอร์ชัน|\bv\d", re.IGNORECASE)
_DAY_ALONE = re.compile(r"(?:\bthe\s|วันที่\s?)(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)?(?![\d:.,/-]|\s?(?:baht|บาท))")
_YEAR_ALONE = re.compile(r"(?:ปี\s?(?:พ\.ศ\.|ค\.ศ\.)?\s?|\bin\s)(?P<year>(?:19|20|25)\d{2})(?!\d)")


_DOTTED_NUMBER = re.compile(r"\d+\.\d+(?:\.\d+)*")
_DIGIT = re.compile(r"\d")
_LETTERED = ((_LETTER, "code"),)
_GRADE = re.compile(r"(?:ม|ป|อ|ปวช|ปวส)\.\s?\d{1,2}(?:/\d{1,2})?")
_NUMBERED = ((_GRADE, "grade"), (_ADDRESS, "address"), (_RATIO, "ratio"), (_PLATE, "code"), *_LETTERED)


@dataclass(frozen=True, slots=True)
class TypedValue:
    kind: str
    """What it is a value of: `clock`, `date`, `day`, `code`, `name`, `amount baht`, `state:payment`."""
    text: str
    amount: Amount | None = None
    when: TimeRange | None = None


def find_values(text: str, stated_on: date | None) -> tuple[list[TypedValue], str]:
    """Return the values of a text whose numbers stand in digits, and the text without them."""
    values: list[TypedValue] = []
    spans: list[Span] = []
    has_digit = _DIGIT.search(text) is not None
    if word := _BLOOD_WORD.search(text):
        for match in _BLOOD.finditer(text, word.end()):
            values.append(TypedValue("blood", _normalise_blood(match[0])))
            spans.append(Span(*match.span()))
    for frequency in find_frequencies(text):
        values.append(TypedValue("frequency", f"{frequency.hours.normalize():f}"))
        spans.append(frequency.span)
    masked = mask_spans(text, sorted(spans))
    for pattern, kind in _NUMBERED if has_digit else _LETTERED:
        for match in pattern.finditer(masked):
            is_subject = kind == "grade" and not text[: match.start()].strip()
            text_of = re.sub(r"\s|over", "", match[0].replace("over", "/"))
            values.append(TypedValue("code" if is_subject else kind, text_of))
            spans.append(Span(*match.span()))
    if has_digit and _VERSIONED.search(text):
        for match in _VERSION.finditer(text):
            values.append(TypedValue("version", match[0].lstrip("v")))
            spans.append(Span(*match.span()))
    masked = mask_spans(text, sorted(spans))
    for time in find_times(masked, stated_on):
        values += _split_time(time.when)
        spans.append(time.span)
    masked = mask_spans(text, sorted(spans))
    for match in _DAY_ALONE.finditer(masked) if has_digit else ():
        values.append(TypedValue("date", f"day {int(match['day'])}"))
        spans.append(Span(*match.span()))
    for match in _YEAR_ALONE.finditer(mask_spans(text, sorted(spans))):
        year = int(match["year"])
        values.append(TypedValue("date", str(year - 543 if year > 2400 else year)))
        spans.append(Span(*match.span()))
    masked = mask_spans(text, sorted(spans))
    for match in _IDENTIFIER.finditer(masked) if has_digit else ():
        values.append(TypedValue("code", match[0]))
        spans.append(Span(*match.span()))
    masked = mask_spans(text, sorted(spans))
    for found in _drop_former_amounts(masked, find_amounts(masked)):
        counted = None if found.amount.unit else _CLASSIFIER.match(masked, found.span.end)
        is_number = counted is None and is_number_of_thing(masked, found.span)
        amount = replace(found.amount, unit=stem_english(counted["noun"])) if counted else found.amount
        values.append(_make_amount(amount, is_number=is_number))
        if amount.unit in _CURRENCIES:
            values.append(TypedValue("state:price", "charged"))
        spans.append(Span(found.span.start, counted.end()) if counted else found.span)
    return values, mask_spans(text, sorted(spans))


def _drop_former_amounts(text: str, amounts: list[AmountMatch]) -> list[AmountMatch]:
    """Return the amounts without those before the one that is left: "two of six left, so four remain", เหลือ 4 คน."""
    left = next((amount for amount in amounts if _is_remainder(text, amount.span)), None)
    if left is None:
        return amounts
    return [found for found in amounts if found is left or found.amount.unit not in ("", left.amount.unit)]


def _is_remainder(text: str, span: Span) -> bool:
    return _REMAINS_BEFORE.search(text, 0, span.start) is not None or _REMAINS_AFTER.match(text, span.end) is not None


_REMAINS_BEFORE = re.compile(r"(?:เหลือ(?:อยู่)?(?:แค่|เพียง)?|\bleaving)\s?$")
_REMAINS_AFTER = re.compile(r"\s?(?:\w+ )?(?:remains?|(?:is|are) left)\b")


def _normalise_blood(written: str) -> str:
    """Return "O-" for "O negative"; where no Rh factor is given, the group alone."""
    group = re.match("AB|A|B|O", written, re.IGNORECASE)
    sign = "-" if re.search("neg|[−-]|ลบ", written) else "+" if re.search(r"pos|\+|บวก", written) else ""
    return f"{group[0].upper() if group else ''}{sign}"


def _split_time(when: TimeRange) -> list[TypedValue]:
    """Return the day and the clock time of a point in time as a value each."""
    point = when.start
    is_end = point is None
    if point is None and when.end is not None:
        point = when.end
        when = TimeRange(point, point)
    if not when.is_point or point is None or point.hour is None:
        return [TypedValue("date", when.to_iso(), when=when)]
    clock = TypedValue("clock until" if is_end else "clock", f"{point.hour:02}:{point.minute or 0:02}")
    if point.day is None:
        return [clock]
    day = PartialTime(point.year, point.month, point.day)
    return [TypedValue("date", day.to_iso(), when=TimeRange(day, day)), clock]


def is_number_of_thing(text: str, span: Span) -> bool:
    """Tell whether a number names the thing before it: "room 101 is free", "order 7731 was approved"."""
    before = _NOUN_BEFORE.search(text, 0, span.start)
    if before is None or before[0].strip().lower() in ENGLISH_STOP_WORDS:
        return False
    return _MORE.match(text, span.end) is not None


_NOUN_BEFORE = re.compile(r"(?:[A-Za-z]{3,}|[\u0E00-\u0E7F]{2,})\s?$")
_MORE = re.compile(
    r"\s?(?:(?:is|are|was|were|has|have|had|on|in|for|from|about|of|by|with|got|runs?|fails?|crashed|\w{3,}ed)\b"
    r"|(?!แล้ว|ตอนนี้|แทน|ไว้|อยู่|ต่อ|ใน|ละ|ถึง|ครับ|ค่ะ|นะ)[\u0E00-\u0E7F]{3,})"
)
_COUNTED = "|".join(sorted(map(re.escape, COUNTED_WORDS), key=len, reverse=True))
_CLASSIFIER = re.compile(rf"\s?(?P<noun>{_COUNTED}|[a-z]{{3,}}s(?![a-z]))(?<!minus)(?<!plus)")


def _make_amount(amount: Amount, *, is_number: bool) -> TypedValue:
    if not amount.unit and is_number:
        return TypedValue("code", f"{amount.low.normalize():f}")
    if amount.unit in _SECONDS:
        return TypedValue("amount time", f"{amount.low * _SECONDS[amount.unit]:f}", amount)
    return TypedValue(f"amount {amount.unit}".strip(), f"{amount.low.normalize():f}", amount)


def make_word_value(term: str) -> TypedValue:
    """Return the value of a term that names a code, a weekday, a month or a name."""
    if term.startswith(("day:", "month:")):
        kind, _, name = term.partition(":")
        return TypedValue(kind, name)
    is_number = term.startswith("#") and sum(sign.isalpha() for sign in term) < _MIN_LETTERS
    return TypedValue("code" if is_number else "name", term[1:])


# A code with this many letters may be compared with a name: GPL-3.0 and MIT.
_MIN_LETTERS = 2


def copy_unit(values: tuple[TypedValue, ...], others: tuple[TypedValue, ...]) -> tuple[TypedValue, ...]:
    """Give a number without a unit the unit of the only amount of the other side: "14,000 baht", "15,500 a month"."""
    numbers = [value for value in values if value.kind in ("amount", "code") and _DOTTED_NUMBER.fullmatch(value.text)]
    if len(numbers) == 1 and [value.kind for value in others].count("version") == 1:
        version = TypedValue("version", numbers[0].text)
        return tuple(version if value is numbers[0] else value for value in values)
    numbers = [value for value in values if value.kind == "amount"]
    units = [value for value in others if value.kind.startswith("amount ") and value.kind != "amount time"]
    if len(numbers) != 1 or len(units) != 1:
        return values
    if any(value.kind == units[0].kind for value in values) or numbers[0].amount is None or units[0].amount is None:
        return values
    amount = replace(numbers[0].amount, unit=units[0].amount.unit)
    adopted = TypedValue(units[0].kind, numbers[0].text, amount)
    return tuple(adopted if value is numbers[0] else value for value in values)


def make_weekday(value: TypedValue) -> TypedValue | None:
    """Return the weekday of a day in the calendar, or None."""
    point = value.when.start if value.when and value.when.is_point else None
    if point is None or point.year is None or point.month is None or point.day is None:
        return None
    return TypedValue("day", f"{date(point.year, point.month, point.day):%A}".lower())


def is_other_value(value: TypedValue, other: TypedValue, *, is_announced: bool = False) -> bool:
    """Tell whether two values of one kind exclude each other. Who announces a change does not round: 3,000 to 3,100."""
    if value.kind != other.kind or value.text == other.text:
        return False
    if is_announced and value.amount and other.amount and _is_exact_pair(value.amount, other.amount):
        return value.amount.low != other.amount.low
    if value.kind == "amount time" and value.amount and other.amount:
        return _is_other_length(value, other)
    if value.amount and other.amount:
        return _is_other_amount(value.amount, other.amount)
    if value.when and other.when:
        return relate_times(value.when, other.when) == "apart"
    if value.kind == "blood":
        return not (value.text.startswith(other.text) or other.text.startswith(value.text))
    if value.kind == "name":
        return is_other_name(value.text, other.text)
    return True


def _is_other_amount(amount: Amount, other: Amount) -> bool:
    """Two limits of one kind ("at most 25 MB", "at most 100 MB") are compared as such."""
    if amount.bound == other.bound:
        amount, other = replace(amount, bound="exact"), replace(other, bound="exact")
    return not may_agree(amount, other)


def _is_exact_pair(amount: Amount, other: Amount) -> bool:
    return amount.unit == other.unit and all(
        each.bound == "exact" and each.low == each.high for each in (amount, other)
    )


def _is_other_length(value: TypedValue, other: TypedValue) -> bool:
    assert value.amount is not None and other.amount is not None
    if value.amount.unit == other.amount.unit:
        return _is_other_amount(value.amount, other.amount)
    first, second = Decimal(value.text), Decimal(other.text)
    return abs(first - second) > _LENGTH_SLACK * max(first, second)


def is_other_name(name: str, other: str) -> bool:
    if find_place(name) and find_place(other):
        return is_surely_elsewhere(name, other)
    words, others = set(name.split()), set(other.split())
    is_short = any(word.startswith(mine) or mine.startswith(word) for word in words for mine in others)
    return has_thai(name) == has_thai(other) and not words & others and not is_short
