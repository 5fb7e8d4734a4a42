"""Lists of words and phrases, written as one text so that they can be read and kept in order."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def word_list(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def phrases(text: str) -> tuple[str, ...]:
    """Parted by bars or by lines."""
    return tuple(one.strip() for line in text.splitlines() for one in line.split("|") if one.strip())
