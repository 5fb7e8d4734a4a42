"""Quantities: numbers with the comparison before them and the unit behind them. A text is never cut inside one."""

from __future__ import annotations

import re

from sanya.text.spans import Span

_DIGITS = "0-9๐-๙"
_NUMBER = rf"[+\-−±]?(?:[{_DIGITS}]+(?:,[{_DIGITS}]{{3}})*(?:\.[{_DIGITS}]+)?|\.[{_DIGITS}]+)"
_POWER = r"(?:\s?[×x]\s?10(?:\^?[-−]?[0-9]+|[⁻⁰¹²³⁴-⁹]+)|[⁻⁰¹²³⁴-⁹½¼¾]+|[eE][-+]?[0-9]+)?"
_RANGE = rf"{_NUMBER}{_POWER}%?(?:\s?(?:-|–|—|−|±|/|:|to|and|ถึง|และ)\s?{_NUMBER}{_POWER}){{0,3}}"

_COMPARISON_WORDS = (
    "less than|more than|greater than|fewer than|lower than|higher than|at least|at most|up to|no more than|"
    "equal to|about|around|approximately|nearly|over|under|below|above|between|"
    "มากกว่า|น้อยกว่า|ไม่เกิน|ไม่น้อยกว่า|ไม่ต่ำกว่า|อย่างน้อย|อย่างมาก|ประมาณ|ราว|เกือบ|เกิน|เท่ากับ|ต่ำกว่า|สูงกว่า|ระหว่าง|ตั้งแต่|ถึง"
)
_COMPARISON = rf"(?:[^\W\d_][\w./-]{{0,12}}\s?)?[<>=≤≥≈~∼≪≫]{{1,2}}\s?|(?i:{_COMPARISON_WORDS})(?:\s(?:or|to|than))?\s"

_LATIN_UNITS = (
    "%|‰|°C|°F|°|℃|[µμumnkMG]?(?:g|l|L|m|M|mol|Da|Hz|Pa|U|J|W|V|Ci|Bq|Gy|Sv|cal|s|IU|eq|Eq)|[dc](?:l|L|m)|kg|mmHg|mm|cm|km|"
    "mL|IU|ppm|ppb|bp|kb|Mb|rpm|CFU|cfu|h|hr|hrs|min|mins|sec|d|wk|wks|mo|yr|yrs|"
    "seconds?|minutes?|hours?|days?|weeks?|months?|years?|fold|times|doses?|tablets?|capsules?|drops?|patients?|"
    "participants?|subjects?|cases?|percent|per cent|grams?|liters?|litres?|degrees?|mice|rats|cells"
)
_THAI_UNITS = (
    "เปอร์เซ็นต์|ร้อยละ|มก\\.|มคก\\.|มล\\.|กก\\.|ก\\.|ซม\\.|มม\\.|กม\\.|ม\\.|ล\\.|ซีซี|กรัม|มิลลิกรัม|ไมโครกรัม|กิโลกรัม|ลิตร|มิลลิลิตร|"
    "เมตร|เซนติเมตร|มิลลิเมตร|กิโลเมตร|องศาเซลเซียส|องศา|วินาที|นาที|ชั่วโมง|ชม\\.|วัน|สัปดาห์|เดือน|ปี|ครั้ง|คน|ราย|เม็ด|แคปซูล|"
    "หยด|ช้อนชา|ช้อนโต๊ะ|ซอง|เท่า|บาท|น\\.|ตัว|ชนิด|ตำรับ|แห่ง"
)
_UNIT = (
    rf"(?:\s?(?:(?:{_LATIN_UNITS})(?![^\W\d_]|\.[a-z])(?:[²³]|\^?-?[123](?![0-9]))?|{_THAI_UNITS})"
    rf"(?:\s?(?:/|·|per|ต่อ)\s?(?:(?:{_LATIN_UNITS})(?![^\W\d_])|{_THAI_UNITS}|body weight)){{0,2}})?"
)
_QUANTITY = re.compile(rf"(?:{_COMPARISON})?(?<![\w.\-–])(?:{_RANGE})(?![{_DIGITS}]){_UNIT}")

_DIGIT = re.compile(f"[{_DIGITS}]")
_NO_DIGIT = re.compile(rf"[^{_DIGITS}]|\Z")
# The beginning of a number; a digit of IL-6 or H2O is none.
_BEGINNING = re.compile(rf"(?<![\w.\-–])[+\-−±]?\.?[{_DIGITS}]")
# Longer than any comparison with its sign: nothing that belongs to a number begins further before it.
_LONGEST_COMPARISON = 40
# The last words of comparisons.
_LAST_WORDS = tuple({words.split()[-1] for words in _COMPARISON_WORDS.split("|")} | {"or", "to", "than"})


def find_quantities(text: str, start: int = 0, stop: int | None = None) -> list[Span]:
    """Return the spans of all numbers with their comparison, range and unit, in order. `start` and `stop` limit the
    search to numbers whose digits begin between them."""
    quantities: list[Span] = []
    end = at = start
    stop = len(text) if stop is None else stop
    # Search for digits first: most texts have few, and trying the whole pattern at every character costs ten times as
    # much.
    while (digit := _DIGIT.search(text, at, stop)) is not None:
        first = digit.start()
        if _BEGINNING.search(text, max(end, first - 2), first + 1) is None:
            behind = _NO_DIGIT.search(text, first)
            at = behind.start() if behind else len(text)
            continue
        quantity = _QUANTITY.search(text, max(end, first - _measure_reach(text, first)))
        if quantity is None:
            break
        quantities.append(Span(*quantity.span()))
        end = at = quantity.end()
    return quantities


def is_inside_quantity(text: str, place: int, outside: int) -> bool:
    """Return whether the place is inside a quantity. `outside` is an earlier place known to be outside all quantities,
    from which the search starts."""
    near = find_quantities(text, outside, place + _LONGEST_COMPARISON)
    return any(span.start < place < span.end for span in near)


def _measure_reach(text: str, digit: int) -> int:
    """Return how far before its first digit a quantity may begin: only by its sign if a plain word stands before it."""
    before = text[max(0, digit - _LONGEST_COMPARISON) : digit]
    start = before.rstrip("+-.")
    if not (before.isascii() and start.endswith(" ") and start[-2:-1].isalpha()):
        return _LONGEST_COMPARISON
    return _LONGEST_COMPARISON if start[:-1].lower().endswith(_LAST_WORDS) else len(before) - len(start)
