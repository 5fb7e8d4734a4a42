"""Lists of words, written as one text so that they can be read and kept in order."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())
