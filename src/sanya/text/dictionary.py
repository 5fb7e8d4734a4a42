"""The dictionary for Thai segmentation: PyThaiNLP's word list and our own domain words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

GENERAL_WORDS = Path(__file__).with_name("thai_words.txt")
"""PyThaiNLP's list, one word a line; `scripts/build_thai_words.py` copies it."""


def read_general_words() -> list[str]:
    """Return the words of the general list in its order."""
    return GENERAL_WORDS.read_text(encoding="utf-8").split("\n")[:-1]


@cache
def load_general_words() -> frozenset[str]:
    return frozenset(read_general_words())


@cache
def load_domain_words() -> frozenset[str]:
    """Load the names of herbs, formulae, constituents and drugs."""
    lines = Path(__file__).with_name("domain_words.txt").read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def load_known_words() -> frozenset[str]:
    return load_general_words() | load_domain_words()
