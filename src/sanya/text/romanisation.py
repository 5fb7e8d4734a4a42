"""Thai in Latin letters, by the Royal Thai General System of Transcription: sounds, without tones and vowel length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sanya.text.characters import THAI, parts_cluster
from sanya.text.dictionary import general_words
from sanya.text.normalisation import normalise
from sanya.text.segmentation import default_segmenter
from sanya.text.syllables import syllables

_THAI_RUN = re.compile(f"[{THAI}]+")
_DIGITS = {chr(0x0E50 + digit): str(digit) for digit in range(10)}
_DIGIT = re.compile("[๐-๙]")
_LONGEST_WORD = 60
_VOWEL = re.compile("[aeiou]")


def romanise(text: str) -> str:
    """Every Thai word in Latin letters, a blank between two; all else as it stands."""
    text = _DIGIT.sub(lambda digit: _DIGITS[digit[0]], normalise(text))
    return _THAI_RUN.sub(_romanise_run, text)


def _romanise_run(run: re.Match[str]) -> str:
    words: list[str] = []
    for word in default_segmenter().segment(run[0]):
        if words and (len(word) == 1 or len(words[-1]) == 1):
            # A letter alone is no word, but the edge of one that the dictionary does not know.
            words[-1] += word
        else:
            words.append(word)
    parts = (part for word in words for piece in _bounded(word) for part in _parts(piece))
    return " ".join(filter(None, map(romanise_word, parts)))


def _bounded(word: str) -> Iterator[str]:
    """The word, or if it is too long to be one its pieces, so that what is remembered of words stays small."""
    start = 0
    while len(word) - start > _LONGEST_WORD:
        end = start + _LONGEST_WORD
        while end > start + 1 and parts_cluster(word, end):
            end -= 1
        yield word[start:end]
        start = end
    yield word[start:]


@lru_cache(maxsize=50_000)
def romanise_word(word: str) -> str:
    """One Thai word; a hyphen stands before a syllable that begins with a vowel, so that it is read alone."""
    joined = ""
    for sound in syllables(word):
        joined += f"-{sound}" if joined and _VOWEL.match(sound) else sound
    return joined


@lru_cache(maxsize=10_000)
def _parts(word: str) -> tuple[str, ...]:
    """The common words that a name is made of, which are easier to read than the whole; the word itself if none fit."""
    words = general_words()
    if word in words:
        return (word,)
    fewest: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - _LONGEST_WORD), end):
            before = fewest[start]
            if before is not None and word[start:end] in words and len(before) + 1 < len(fewest[end] or "x" * 99):
                fewest[end] = (*before, word[start:end])
    return fewest[-1] or (word,)
