"""Thai sentence boundaries.

Thai has no full stop. A blank separates sentences, but also phrases, numbers and names. So a score decides: the words
on both sides of the blank and the length of the sentence so far each add to it."""

from __future__ import annotations

import re
from bisect import bisect_right
from pathlib import Path

from sanya.text.characters import THAI

# The pattern begins with the blank, so the characters before it are examined only there.
_BLANK = re.compile(rf"\s(?:(?<=[{THAI}!?\"'”’»)\]%.]\s)\s*(?=[{THAI}(\[\"'“‘«])|(?<=[A-Za-z0-9]\s)\s*(?=[{THAI}]))")
_ABBREVIATION = re.compile(rf"(?:^|[^{THAI}])(?:[ก-ฮ]{{1,4}}\.)+$|(?:โทร|เบอร์|เลขที่|ฉบับที่)\.$")


def _load_words() -> dict[str, tuple[str, ...]]:
    sections: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("thai_sentence_words.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("["):
            words = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            words += line.split()
    return {section: tuple(words) for section, words in sections.items()}


_WORDS = _load_words()
BEGIN, MAY_BEGIN, CARRY_ON = _WORDS["begin"], _WORDS["may_begin"], _WORDS["carry_on"]
# A word that begins a sentence cannot end one either.
WANT_MORE = (*_WORDS["want_more"], *BEGIN)
POLITE, ROUNDED_OFF, _UNITS = _WORDS["polite"], _WORDS["rounded_off"], _WORDS["units"]

# Fitted so that Thai translations of English paragraphs have as many sentences as their originals.
_ENOUGH = 3.0
_CHARACTERS_A_POINT = 50
_SHORT = 8


def find_thai_cuts(text: str, known: list[int]) -> list[int]:
    """Return where Thai sentences begin, given the cuts that are known already."""
    cuts: list[int] = []
    bounds = [0, *known]
    for blank in _BLANK.finditer(text):
        start = max(bounds[bisect_right(bounds, blank.end()) - 1], cuts[-1] if cuts else 0)
        if is_sentence_end(text, *blank.span(), blank.end() - start):
            cuts.append(blank.end())
    return cuts


def has_final_abbreviation(before: str) -> bool:
    """Return whether a text ends with a Thai abbreviation: พ.ศ., ดร., มก."""
    return before.endswith(".") and not before.isascii() and _ABBREVIATION.search(before) is not None


def is_sentence_end(text: str, blank: int, place: int, length: int) -> bool:
    """Return whether the blank before this place ends a sentence that is `length` characters long so far."""
    before = text[max(0, blank - 20) : blank]
    is_opening = text.startswith(BEGIN, place)
    if before.endswith(WANT_MORE) or (text.startswith(CARRY_ON, place) and not is_opening):
        return False
    if has_final_abbreviation(before):
        return is_opening and before.endswith(_UNITS)
    score = length / _CHARACTERS_A_POINT - (2 if length < _SHORT else 0)
    score += 3 if is_opening else 1.5 if text.startswith(MAY_BEGIN, place) else 0
    score += 4 if before.endswith(POLITE) else 2 if before.endswith(ROUNDED_OFF) else 0
    return score + (place - blank > 1) >= _ENOUGH
