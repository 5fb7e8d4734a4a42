"""Estimates the tokens of a text, closely enough to stay within a host's limits and to compare answers.

`estimate_tokens` follows the vocabulary o200k, which current models of OpenAI use and others come near to. Its costs
were fitted to 230 pieces of our listings, answers, docs and Thai names: 5 % off on average, 17 % at most.
`estimate_bytes` turns a host's limit into bytes cautiously: a dense text has 3 bytes a token.
"""

from __future__ import annotations

import re
from math import ceil

BYTES_PER_TOKEN = 3

_PIECES = re.compile(
    r" ?(?P<word>[A-Z]?[a-z]+|[A-Z]+)|(?P<digits>[0-9]{1,3})| ?(?P<thai>[\u0e00-\u0e7f]+)"
    r"| ?(?P<signs>[^\sA-Za-z0-9\u0e00-\u0e7f]+)|(?P<blank>\s+)"
)
_COMMON_LETTERS = 7
_WORD, _FURTHER_LETTER, _DIGITS, _THAI_RUN, _THAI_LETTER, _THREE_SIGNS, _BLANK = 0.87, 0.77, 1.87, 5.2, 0.17, 0.69, 1.5


def estimate_tokens(text: str) -> int:
    return ceil(sum(map(_count_piece, _PIECES.finditer(text))))


def estimate_bytes(tokens: int) -> int:
    return tokens * BYTES_PER_TOKEN


def _count_piece(piece: re.Match[str]) -> float:
    match piece.lastgroup:
        case "word":
            return _WORD + _FURTHER_LETTER * max(0, len(piece["word"]) - _COMMON_LETTERS)
        case "digits":
            return _DIGITS
        case "thai":
            return _THAI_RUN + _THAI_LETTER * len(piece["thai"])
        case "signs":
            return _THREE_SIGNS * ceil(len(piece["signs"]) / 3)
        case _:
            return 0.0 if piece[0] == " " else _BLANK
