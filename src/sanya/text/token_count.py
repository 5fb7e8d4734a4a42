"""How many tokens a text is to an embedder: an estimate without its vocabulary, cheap and the same everywhere.

Counted in twentieths, so that the parts of a text that is cut at blanks add up to the whole. The figures are those of
MiniLM's word pieces on SciFact and, for Thai, of the multilingual sentence encoder's pieces on XQuAD."""

from __future__ import annotations

import re
from collections import Counter

from sanya.text.characters import THAI

PARTS = 20
"""Parts of a token that are counted."""

_WORDS = re.compile("[A-Za-z]+")
_DIGITS = re.compile("[0-9]+")
_THAI_CHARACTERS = re.compile(f"[{THAI}]+")
_OTHERS = re.compile(f"[^A-Za-z0-9\\s{THAI}]+")
# By the number of letters. A common word is one piece; a long one is a name or a term and falls into several.
_WORD_PARTS = [0, 20, 20, 22, 22, 22, 23, 24, 25, 30, 32, 39, 43, 46, 62, 68, 93, 99, 108, 110, 141]
_DIGIT_PARTS = [0, 20, 20, 27, 27, 48, 80]
_THAI_PARTS = 5


def token_parts(text: str) -> int:
    words = _summed(_WORD_PARTS, _WORDS.findall(text))
    digits = _summed(_DIGIT_PARTS, _DIGITS.findall(text))
    thai = sum(map(len, _THAI_CHARACTERS.findall(text)))
    others = sum(map(len, _OTHERS.findall(text)))
    return words + digits + _THAI_PARTS * thai + PARTS * others


def token_count(text: str) -> int:
    """The number of tokens, rounded up; 0 for nothing but blanks."""
    return -(-token_parts(text) // PARTS)


def _summed(table: list[int], runs: list[str]) -> int:
    """Lengths are few, runs are many: each length is looked up once."""
    return sum(_looked_up(table, length) * count for length, count in Counter(map(len, runs)).items())


def _looked_up(table: list[int], length: int) -> int:
    last = len(table) - 1
    return table[length] if length <= last else table[last] * length // last
