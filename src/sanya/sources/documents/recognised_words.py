"""Tesseract's tables of words, read into lines and, where its Thai model took Latin letters for Thai ones, mended by
what its English model sees in the same place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from sanya.sources.documents.layout import Piece
from sanya.text.characters import has_thai

_WORD_LEVEL, _LINE_LEVEL, _COLUMNS = "5", "4", 12
_WIDE_OF_HEIGHT = 1.2
_LATIN = re.compile(r"[(\[\"']?[A-Za-z][a-z]+(?:['-][A-Za-z]+)*[)\]\"'.,:;]{0,3}")
# So sure is the English model of Latin words, and next to never of Thai ones.
_SURE = 0.88


@dataclass(slots=True)
class Word:
    """`is_parted`: a blank stands before it. Most Thai words have none."""

    text: str
    left: float
    right: float
    certainty: float
    is_parted: bool


@dataclass(slots=True)
class Line:
    top: float
    bottom: float
    words: list[Word]

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def pieces(self) -> Iterator[Piece]:
        """Words share the line's height: their own differ by their letters."""
        current: Piece | None = None
        wide = _WIDE_OF_HEIGHT * (self.bottom - self.top)
        for word in self.words:
            if current is not None and word.left - current.right <= wide:
                current.text += f" {word.text}" if word.is_parted else word.text
                current.right = max(current.right, word.right)
                continue
            if current is not None:
                yield current
            current = Piece(word.text, word.left, word.right, self.top, self.bottom)
        if current is not None:
            yield current


def lines_of(said: str) -> list[Line]:
    """Of Tesseract's text and its table, in one: the table has the place of every word and how sure it is, but only the
    text tells which words a blank parts."""
    written = said.replace("\f", "\n").split("\n")
    rows = [row for line in written if len(row := line.split("\t")) == _COLUMNS and row[0].isdigit()]
    plain = "\n".join(line for line in written if line.count("\t") != _COLUMNS - 1)
    parted = _parted_words([row[-1] for row in rows if _is_word(row)], plain)
    lines = []
    for _, some in groupby((row for row in rows if row[0] in (_LINE_LEVEL, _WORD_LEVEL)), key=lambda row: row[1:5]):
        first, *others = list(some)
        words = [_word(row, next(parted)) for row in (first, *others) if _is_word(row)]
        if words:
            top, height = float(first[7]), float(first[9])
            lines.append(Line(top, top + height, words))
    return lines


def _is_word(row: list[str]) -> bool:
    return row[0] == _WORD_LEVEL and bool(row[-1].strip())


def _word(row: list[str], is_parted: bool) -> Word:
    left, width, certainty = float(row[6]), float(row[8]), float(row[10])
    return Word(row[-1], left, left + width, max(certainty, 0.0) / 100, is_parted)


def _parted_words(words: list[str], text: str) -> Iterator[bool]:
    """For each word, whether something parts it from the one before: both have the same letters in the same order."""
    place = 0
    for word in words:
        start = text.find(word, place)
        if start < 0 or text[place:start].strip():
            yield True
            continue
        yield start > place
        place = start + len(word)


def has_latin(lines: list[Line]) -> bool:
    return any(_LATIN.fullmatch(word.text) for line in lines for word in line.words)


def mend_latin(lines: list[Line], english: list[Line]) -> None:
    """Puts Latin words, of which the English model is sure, in the place of what was taken for Thai."""
    for other in english:
        # Lines of a scan that is a little turned overlap: the one of the same height is meant.
        line = min(lines, key=lambda one: abs(one.middle - other.middle), default=None)
        if line is None or not line.top <= other.middle <= line.bottom:
            continue
        for word in other.words:
            if word.certainty >= _SURE and _LATIN.fullmatch(word.text):
                _exchange(line, word)


def _exchange(line: Line, latin: Word) -> None:
    below = [place for place, one in enumerate(line.words) if latin.left <= (one.left + one.right) / 2 <= latin.right]
    if not below or not any(has_thai(line.words[place].text) for place in below):
        return
    first, last = below[0], below[-1]
    parted = line.words[first].is_parted
    if last + 1 < len(line.words):
        line.words[last + 1].is_parted = True
    line.words[first : last + 1] = [Word(latin.text, latin.left, latin.right, latin.certainty, parted)]
