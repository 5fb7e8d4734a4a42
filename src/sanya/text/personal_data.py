"""Finds and redacts personal data in a text.

A number that only looks like an id is not redacted. An id must pass its check digit, a phone number must begin like
one, and a number without a form of its own (passport, hospital number) must be introduced by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

_THAI_DIGITS = str.maketrans("๐๑๒๓๔๕๖๗๘๙", "0123456789")
_SEPARATED = re.compile(r"[ -]")
_LONG_NUMBER = re.compile(r"(?<![\w.])[0-9๐-๙](?:[ -]?[0-9๐-๙]){12,18}(?![\w])")
_D = "[0-9๐-๙]"
_EMAIL = re.compile(r"[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}")
_PHONE = re.compile(
    rf"(?<![\w.,/+-])(?:"
    rf"(?:\+|00)(?:66|๖๖)[ -]?\(?[0๐]?\)?[ -]?{_D}(?:[ -]?{_D}){{7,8}}"
    rf"|\+[1-9](?:[ -]?\(?[0-9]\)?){{7,13}}"
    rf"|\(?[0๐][689๖๘๙]{_D}\)?[ -]?{_D}{{3}}[ -]?{_D}{{4}}"
    rf"|\(?[0๐][689๖๘๙]\)?[ -]{_D}{{4}}[ -]?{_D}{{4}}"
    rf"|\(?[0๐][2๒]\)?[ -]?{_D}{{3}}[ -]?{_D}{{4}}"
    rf"|\(?[0๐][3-7๓-๗]{_D}\)?[ -]?{_D}{{3}}[ -]?{_D}{{3}}"
    rf")(?!{_D}|[.,/]{_D})"
)
_CALLED = (
    (
        "phone",
        re.compile(
            r"(?:โทรศัพท์|โทรสาร|โทร|มือถือ|\b(?:tel|phone|mobile|fax)\b)[ .:]{0,4}"
            rf"(?P<value>{_D}(?:[ -]?{_D}){{6,11}})(?!{_D})",
            re.IGNORECASE,
        ),
    ),
    (
        "passport",
        re.compile(
            r"(?:หนังสือเดินทาง|\bpassport)(?:\s?(?:เลขที่|เลข|no|number|#))?[ .:]{0,3}(?P<value>[A-Z]{1,2}[0-9]{6,8})\b",
            re.IGNORECASE,
        ),
    ),
    (
        "hospital_number",
        re.compile(rf"(?<![A-Za-z])(?:HN|H\.N\.)[ .:#]{{0,3}}(?P<value>{_D}{{4,10}}(?:[-/]{_D}{{1,4}})?)"),
    ),
)
_CALLED_BY = ("โทร", "มือถือ", "tel", "phone", "mobile", "fax", "หนังสือเดินทาง", "passport", "hn", "h.n.")
_DIGITS = re.compile(rf"{_D}.?.?{_D}.?{_D}.?{_D}", re.DOTALL)

PersonalDatum = tuple[int, int, str]
"""Start, end and kind of a piece of personal data."""


@dataclass(frozen=True, slots=True)
class RedactedText:
    text: str
    found: Mapping[str, int]
    """The number of redactions of each kind."""


def redact(text: str, found: Iterable[PersonalDatum]) -> RedactedText:
    """Replace each piece by a marker that names its kind."""
    kept: list[str] = []
    kinds: Counter[str] = Counter()
    end = 0
    for start, stop, kind in sorted(found):
        if start < end:
            continue
        kept += [text[end:start], f"[redacted: {kind}]"]
        kinds[kind] += 1
        end = stop
    return RedactedText("".join([*kept, text[end:]]), dict(sorted(kinds.items())))


def redact_personal(text: str) -> RedactedText:
    """Redact national ids, card numbers, phone numbers, e-mail addresses, passport and hospital numbers."""
    found = redact(text, find_personal_data(text))
    # A redaction may uncover another piece, between two that were redacted.
    while found.found and (again := redact(found.text, find_personal_data(found.text))).found:
        found = RedactedText(again.text, dict(sorted((Counter(found.found) + Counter(again.found)).items())))
    return found


def find_personal_data(text: str) -> Iterator[PersonalDatum]:
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield *match.span(), "email"
    # Most pages contain no number that is long enough.
    if _DIGITS.search(text) is None:
        return
    yield from find_identity_numbers(text)
    for match in _PHONE.finditer(text):
        yield *match.span(), "phone"
    lowered = text.lower()
    if any(word in lowered for word in _CALLED_BY):
        for kind, pattern in _CALLED:
            for match in pattern.finditer(text):
                yield *match.span("value"), kind


def find_identity_numbers(text: str) -> Iterator[PersonalDatum]:
    """Yield national ids and card numbers: long numbers that pass their check digit."""
    for match in _LONG_NUMBER.finditer(text):
        digits = _SEPARATED.sub("", match.group()).translate(_THAI_DIGITS)
        for kind, is_valid in _NUMBERS.items():
            if is_valid(digits):
                yield *match.span(), kind
                break


def is_thai_id(digits: str) -> bool:
    """Return whether these are 13 digits, the first 1 to 8, the last a check digit modulo 11."""
    if len(digits) != 13 or digits[0] in "09":
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits, range(13, 1, -1), strict=False))
    return (11 - total % 11) % 10 == int(digits[-1])


def is_card_number(digits: str) -> bool:
    """Return whether these are 13 to 19 digits in the range of a card network that pass the Luhn check."""
    if not 13 <= len(digits) <= 19 or digits[0] not in "3456" or len(set(digits)) < 2:
        return False
    doubled = [int(digit) * (2 if at % 2 else 1) for at, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


_NUMBERS: Mapping[str, Callable[[str], bool]] = {"thai_national_id": is_thai_id, "card_number": is_card_number}
