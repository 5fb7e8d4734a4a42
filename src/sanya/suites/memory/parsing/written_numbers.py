"""Numbers and clock times in words, rewritten in digits: สองล้านห้าแสนบาท is 2500000 บาท, บ่ายสาม and 3 pm are 15:00.

Only what is surely a number is rewritten: a Thai number word before a unit or a classifier, because หก and แปด are
parts of other words as well. The result is for comparing and not for showing.
"""

from __future__ import annotations

import re
from functools import partial

from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_DIGITS = {word: int(value) for value, words in _WORDS.read_table("digits").items() for word in words}
_SCALES = {word: int(value) for value, words in _WORDS.read_table("scales").items() for word in words}
_NUMERAL = "|".join(sorted((*_DIGITS, *_SCALES), key=len, reverse=True))
COUNTED_WORDS = _WORDS.read_words("counted")
_COUNTED = "|".join(sorted(map(re.escape, COUNTED_WORDS), key=len, reverse=True))
_THAI_NUMBER = re.compile(rf"(?<!\d )(?<!\d)(?:{_NUMERAL})+(?=\s?(?:{_COUNTED}))")
_PART = re.compile(_NUMERAL)
_MILLION = 1_000_000
_THAI_DIGITS = {0x0E50 + digit: str(digit) for digit in range(10)}
_MINUTES = r"(?P<half>ครึ่ง)?(?:ตรง|\s?(?P<minute>\d{1,2})\s?นาที)?"
_CLOCKS = [re.compile(line.replace("MINUTES", _MINUTES)) for line in _WORDS.read_lines("thai_clocks")]
_THAI_HOURS = _WORDS.read_words("thai_hours")
_ENGLISH = {word: str(value) for value, word in enumerate(_WORDS.read_words("english_numbers"), 1)}
_ENGLISH_NUMBER = re.compile(rf"(?<![\w-])(?:{'|'.join(_ENGLISH)})(?![\w-])", re.IGNORECASE)
# "A four-hour crossing", "the 30-day limit"
_HYPHENATED = re.compile(
    rf"(?<![\w-])(?P<number>\d{{1,4}}|{'|'.join(_ENGLISH)})-(?P<unit>minute|hour|day|week|month|year)(?![\w-])",
    re.IGNORECASE,
)
_PHRASES = [
    (re.compile(pattern, re.IGNORECASE), digits)
    for pattern, digits in (line.split(" => ") for line in _WORDS.read_lines("phrases"))
]
_ENGLISH_HOUR = re.compile(
    r"\b(?P<relation>half past|quarter past|quarter to)\s(?P<hour>\d{1,2})(?!\d)|"
    r"\b(?:at|until|till|before|after)\s(?P<bare>\d{1,2})(?=$|[.,;!](?!\d)|\s(?:on|every|in the|sharp|instead)\b)",
    re.IGNORECASE,
)
_RELATIONS = {"half past": (0, 30), "quarter past": (0, 15), "quarter to": (-1, 45)}
_NOON, _HOURS = 12, 24


def rewrite_numbers(text: str) -> str:
    """Return the text with numbers and clock times in digits."""
    text = _THAI_NUMBER.sub(lambda match: f" {_add_up(match[0])} ", text.translate(_THAI_DIGITS))
    for pattern, added in zip(_CLOCKS, _THAI_HOURS, strict=True):
        text = pattern.sub(partial(_format_thai_clock, added=added), text)
    text = _HYPHENATED.sub(r"\g<number> \g<unit>", text)
    text = _ENGLISH_NUMBER.sub(lambda match: _ENGLISH[match[0].lower()], text)
    for phrase, digits in _PHRASES:
        text = phrase.sub(digits, text)
    return _ENGLISH_HOUR.sub(_format_english_clock, text)


def _add_up(words: str) -> int:
    """Return the value of a Thai number in words. What stands before ล้าน is multiplied by it as a whole."""
    total = part = digit = 0
    for word in _PART.findall(words):
        if word in _DIGITS:
            digit = _DIGITS[word]
        elif _SCALES[word] == _MILLION:
            total += (part + digit or 1) * _MILLION
            part = digit = 0
        else:
            part += (digit or 1) * _SCALES[word]
            digit = 0
    return total + part + digit


def _format_thai_clock(match: re.Match[str], added: str) -> str:
    hour = _read_hour(match["hour"])
    if added == "day":  # one to five o'clock by day is after noon
        hour += _NOON if hour < 6 else 0
    elif added == "morning":
        hour += 6 if hour < 6 else 0
    else:
        hour += int(added)
    minute = 30 if match["half"] else int(match["minute"] or 0)
    return f" {hour % _HOURS:02}:{minute:02} "


def _read_hour(written: str) -> int:
    return _DIGITS[written] if written in _DIGITS else int(written or 0)


def _format_english_clock(match: re.Match[str]) -> str:
    if match["bare"]:
        return f"{match[0][: -len(match['bare'])]}{int(match['bare']):02}:00"
    added, minute = _RELATIONS[match["relation"].lower()]
    return f"{(int(match['hour']) + added) % _HOURS:02}:{minute:02}"
