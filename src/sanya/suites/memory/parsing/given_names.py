"""Given names that show a person, and the short forms that people use for them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sanya.suites.memory.word_lists import invert_table, open_word_file

_WORDS = open_word_file(__file__)
_THAI = _WORDS.read_words("thai")
FORMAL_NAMES = invert_table(_WORDS.read_table("short_forms"))
"""Each short form with the name that it most often shortens."""
GIVEN_NAMES = frozenset([*FORMAL_NAMES, *FORMAL_NAMES.values(), *_WORDS.read_words("english"), *_THAI])
THAI_GIVEN_NAMES = tuple(sorted(_THAI, key=len, reverse=True))


def expand_short_name(given: str) -> str:
    """Return the formal name of a short form in lower case; return any other name unchanged."""
    return FORMAL_NAMES.get(given, given)


@cache
def load_thai_given_names() -> frozenset[str]:
    """Return thousands of Thai given names. Many are ordinary words too, so they count as names only after a title."""
    names = Path(__file__).with_name("thai_given_names.txt").read_text(encoding="utf-8").split()
    return frozenset((*names, *_THAI))
