"""Token counts: an estimate of how many tokens an embedder sees, without its vocabulary, cheap and the same everywhere.

Tokens are counted in twentieths ("parts"), so that the pieces of a text that is cut at blanks add up to the whole. The
costs are averages of MiniLM's word pieces on SciFact and, for Thai, of the multilingual sentence encoder's on XQuAD."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate

from sanya.text.characters import THAI
from sanya.text.plain_text import PlainCosts

PARTS = 20
"""The number of parts of a token."""

_WORDS = re.compile("[A-Za-z]+")
_DIGITS = re.compile("[0-9]+")
_THAI_CHARACTERS = re.compile(f"[{THAI}]+")
_OTHERS = re.compile(f"[^A-Za-z0-9\\s{THAI}]+")
# Parts by the number of letters. A common word is one token; a long word is a name or a term and becomes several.
_WORD_PARTS = [0, 20, 20, 22, 22, 22, 23, 24, 25, 30, 32, 39, 43, 46, 62, 68, 93, 99, 108, 110, 141]
_DIGIT_PARTS = [0, 20, 20, 27, 27, 48, 80]
_THAI_PARTS = 5
_ASCII_SIGNS = [code for code in range(128) if not re.match(r"[A-Za-z0-9\s]", chr(code))]
_SIGNS_AS_BLANKS = dict.fromkeys(_ASCII_SIGNS, " ")
_NO_LETTERS = {code: None for code in range(128) if re.match(r"[A-Za-z ]", chr(code))}
# A run of letters has at most this many parts beyond the rate of a word of twenty letters.
_MOST_OF_RUN = 13
_ONLY_SIGNS = {code: None for code in range(128) if code not in _ASCII_SIGNS}


_plain_costs = PlainCosts(_WORD_PARTS, _DIGIT_PARTS, PARTS)


def count_token_parts(text: str) -> int:
    if (counted := _plain_costs.count(text)) is not None:
        return counted
    if len(_known) > _REMEMBERED:
        _known.clear()
    if not text.isascii():
        return sum(map(_known.__getitem__, text.split()))
    signs = len(text.translate(_ONLY_SIGNS))
    return PARTS * signs + sum(map(_known.__getitem__, text.translate(_SIGNS_AS_BLANKS).split()))


# Most pieces are words, which recur.
_piece_parts = lru_cache(maxsize=50_000)(count_token_parts)


def count_parts_before(text: str, places: list[int]) -> list[int]:
    """Return the parts before each place, counted piece by piece from the first place on."""
    if (counted := _plain_costs.count_before(text, places)) is not None:
        return counted
    pieces = map(text.__getitem__, map(slice, places, places[1:]))
    return list(accumulate(map(_piece_parts, pieces), initial=0))


def has_more_parts(text: str, parts: int) -> bool:
    """Return whether the text has more than `parts`. An upper bound decides for most texts."""
    if (known := _plain_costs.exceed(text, parts)) is not None:
        return known
    return estimate_max_parts(text) > parts and count_token_parts(text) > parts


def estimate_max_parts(text: str) -> int:
    """Return an upper bound in a fifth of the time of counting; for plain text it is about twice the count."""
    most = PARTS * len(text)
    if not text.isascii():
        return most
    others = len(text.translate(_NO_LETTERS))
    runs = text.count(" ") + 1 + others
    letters = _WORD_PARTS[20] * (len(text) - others) // 20 + 1
    return min(most, _MOST_OF_RUN * runs + letters + PARTS * others)


class _Parts(dict[str, int]):
    """Caches the parts of pieces between blanks: no run crosses a blank, and most pieces recur."""

    def __missing__(self, piece: str) -> int:
        parts = _WORD_COSTS[len(piece)] if piece.isascii() and piece.isalpha() else _count_parts(piece)
        if len(piece) <= _LONGEST_KNOWN:
            self[piece] = parts
        return parts


def _count_parts(piece: str) -> int:
    words = sum(map(_WORD_COSTS.__getitem__, map(len, _WORDS.findall(piece))))
    digits = sum(map(_DIGIT_COSTS.__getitem__, map(len, _DIGITS.findall(piece))))
    thai = sum(map(len, _THAI_CHARACTERS.findall(piece)))
    others = sum(map(len, _OTHERS.findall(piece)))
    return words + digits + _THAI_PARTS * thai + PARTS * others


_LONGEST_KNOWN = 40
_REMEMBERED = 100_000
_known = _Parts()


def count_tokens(text: str) -> int:
    """Return the number of tokens, rounded up; 0 for a blank text."""
    return -(-count_token_parts(text) // PARTS)


class _Costs(dict[int, int]):
    """The parts of a run by its length. A length beyond the table costs as much per character as the longest in it."""

    def __init__(self, table: list[int]) -> None:
        super().__init__(enumerate(table))
        self._last = len(table) - 1

    def __missing__(self, length: int) -> int:
        return self[self._last] * length // self._last


_WORD_COSTS = _Costs(_WORD_PARTS)
_DIGIT_COSTS = _Costs(_DIGIT_PARTS)
