"""Romanisation by the Royal Thai General System of Transcription: sounds, without tones and vowel length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sanya.text.characters import THAI, is_inside_cluster
from sanya.text.dictionary import load_general_words
from sanya.text.normalisation import normalise
from sanya.text.segmentation import get_default_segmenter
from sanya.text.syllables import split_syllables

_THAI_RUN = re.compile(f"[{THAI}]+")
_DIGITS = {chr(0x0E50 + digit): str(digit) for digit in range(10)}
_DIGIT = re.compile("[๐-๙]")
_LONGEST_WORD = 60
_VOWEL = re.compile("[aeiou]")


def romanise(text: str) -> str:
    """Write every Thai word in Latin letters, separated by blanks; leave everything else unchanged."""
    text = _DIGIT.sub(lambda digit: _DIGITS[digit[0]], normalise(text))
    return _THAI_RUN.sub(_romanise_run, text)


def _romanise_run(run: re.Match[str]) -> str:
    words: list[str] = []
    for word in get_default_segmenter().segment(run[0]):
        if words and (len(word) == 1 or len(words[-1]) == 1):
            # A single letter is no word but the edge of one that the dictionary does not know.
            words[-1] += word
        else:
            words.append(word)
    parts = (part for word in words for piece in _split_long_word(word) for part in _split_name(piece))
    return " ".join(filter(None, map(romanise_word, parts)))


def _split_long_word(word: str) -> Iterator[str]:
    """Yield the word, or its pieces if it is too long to be a word, so that the cache stays small."""
    start = 0
    while len(word) - start > _LONGEST_WORD:
        end = start + _LONGEST_WORD
        while end > start + 1 and is_inside_cluster(word, end):
            end -= 1
        yield word[start:end]
        start = end
    yield word[start:]


@lru_cache(maxsize=50_000)
def romanise_word(word: str) -> str:
    """Romanise a Thai word. A hyphen before a syllable that begins with a vowel keeps the two syllables apart."""
    joined = ""
    for sound in split_syllables(word):
        joined += f"-{sound}" if joined and _VOWEL.match(sound) else sound
    return joined


@lru_cache(maxsize=10_000)
def _split_name(word: str) -> tuple[str, ...]:
    """Return the fewest common words that make up a name, which are easier to read than the whole; else the word
    itself."""
    words = load_general_words()
    if word in words:
        return (word,)
    fewest: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - _LONGEST_WORD), end):
            before = fewest[start]
            if before is not None and word[start:end] in words and len(before) + 1 < len(fewest[end] or "x" * 99):
                fewest[end] = (*before, word[start:end])
    return fewest[-1] or (word,)
