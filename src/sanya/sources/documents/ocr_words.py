"""Parses the word tables of Tesseract into lines, and corrects Latin words that its Thai model misread by what its
English model sees in the same place."""

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
# The English model is this sure of Latin words, and almost never of Thai ones.
_SURE = 0.88


@dataclass(slots=True)
class OcrWord:
    """A recognised word. `is_parted`: a blank stands before it. Most Thai words have none."""

    text: str
    left: float
    right: float
    certainty: float
    is_parted: bool


@dataclass(slots=True)
class OcrLine:
    top: float
    bottom: float
    words: list[OcrWord]

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def split_pieces(self) -> Iterator[Piece]:
        """Yield the pieces of the line. Words get the height of the line: their own differ by their letters."""
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


def parse_lines(output: str) -> list[OcrLine]:
    """Parse the text and the table of Tesseract. The table has the position and the confidence of every word; only the
    text shows which words a blank separates."""
    written = output.replace("\f", "\n").split("\n")
    rows = [row for line in written if len(row := line.split("\t")) == _COLUMNS and row[0].isdigit()]
    plain = "\n".join(line for line in written if line.count("\t") != _COLUMNS - 1)
    parted = _find_blanks([row[-1] for row in rows if _is_word(row)], plain)
    lines = []
    for _, some in groupby((row for row in rows if row[0] in (_LINE_LEVEL, _WORD_LEVEL)), key=lambda row: row[1:5]):
        first, *others = list(some)
        words = [_parse_word(row, next(parted)) for row in (first, *others) if _is_word(row)]
        if words:
            top, height = float(first[7]), float(first[9])
            lines.append(OcrLine(top, top + height, words))
    return lines


def _is_word(row: list[str]) -> bool:
    return row[0] == _WORD_LEVEL and bool(row[-1].strip())


def _parse_word(row: list[str], is_parted: bool) -> OcrWord:
    left, width, certainty = float(row[6]), float(row[8]), float(row[10])
    return OcrWord(row[-1], left, left + width, max(certainty, 0.0) / 100, is_parted)


def _find_blanks(words: list[str], text: str) -> Iterator[bool]:
    """Yield for each word whether a blank stands before it. Text and table have the same letters in the same order."""
    place = 0
    for word in words:
        start = text.find(word, place)
        if start < 0 or text[place:start].strip():
            yield True
            continue
        yield start > place
        place = start + len(word)


def has_latin(lines: list[OcrLine]) -> bool:
    return any(_LATIN.fullmatch(word.text) for line in lines for word in line.words)


def correct_latin(lines: list[OcrLine], english: list[OcrLine]) -> None:
    """Replace misread Thai by Latin words of which the English model is sure."""
    for other in english:
        # Lines of a tilted scan overlap: take the one at the same height.
        line = min(lines, key=lambda candidate: abs(candidate.middle - other.middle), default=None)
        if line is None or not line.top <= other.middle <= line.bottom:
            continue
        for word in other.words:
            if word.certainty >= _SURE and _LATIN.fullmatch(word.text):
                _replace_words(line, word)


def _replace_words(line: OcrLine, latin: OcrWord) -> None:
    below = [
        place for place, word in enumerate(line.words) if latin.left <= (word.left + word.right) / 2 <= latin.right
    ]
    if not below or not any(has_thai(line.words[place].text) for place in below):
        return
    first, last = below[0], below[-1]
    parted = line.words[first].is_parted
    if last + 1 < len(line.words):
        line.words[last + 1].is_parted = True
    line.words[first : last + 1] = [OcrWord(latin.text, latin.left, latin.right, latin.certainty, parted)]
