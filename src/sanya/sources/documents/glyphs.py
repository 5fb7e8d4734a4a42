"""Groups the glyphs of a page into pieces of a line. Programs draw Thai vowel and tone marks at any time, so a mark
that comes out of turn is attached to the letter that it stands at."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from sanya.sources.documents.layout import Piece

Glyph = tuple[str, float, float, float, float]
"""A letter with its left, right, top and bottom. Blanks and line ends may have none."""

_MARKS = frozenset(map(chr, (0x0E31, *range(0x0E34, 0x0E3B), *range(0x0E47, 0x0E4F), *range(0xF700, 0xF71B))))
_BLANKS = frozenset(" \r\n")
_BLANK_EM = 0.22
_WIDE_EM = 0.9
# A mark in turn stands at least this far, in heights, right of the left edge of its letter. One that was drawn after
# the next letter ("ตัง้" for "ตั้ง") stands at that letter's left edge or before it.
_MARK_INSET = 0.08


@dataclass(slots=True)
class _LineBuilder:
    letters: list[str]
    lefts: list[float]
    right: float
    top: float
    bottom: float

    def build(self) -> Piece:
        return Piece("".join(self.letters), self.lefts[0], self.right, self.top, self.bottom)


def group_glyphs(glyphs: list[Glyph]) -> list[Piece]:
    """Group the glyphs. This runs for every letter of a document, so the usual case is inlined."""
    lines: list[_LineBuilder] = []
    strays: list[Glyph] = []
    letters: list[str] = []
    lefts: list[float] = []
    start = end = top = bottom = 0.0
    blank = False
    for letter, left, right, upper, lower in glyphs:
        if letter in _BLANKS:
            blank = True
            continue
        height = lower - upper
        if letter in _MARKS:
            # A mark has no width: drawn in turn, it stands at the right edge of the letter before it.
            near = letters and top - 0.6 * height < (upper + lower) / 2 < bottom + 0.6 * height
            centre = (left + right) / 2
            if near and -0.45 * height < centre - end < 0.35 * height and centre - start > _MARK_INSET * height:
                letters.append(letter)
                lefts.append(left)
            else:
                strays.append((letter, left, right, upper, lower))
            continue
        gap = left - end
        if not (
            letters and -0.6 * height < gap < _WIDE_EM * height and abs(upper + lower - top - bottom) <= 0.8 * height
        ):
            if letters:
                lines.append(_LineBuilder(letters, lefts, end, top, bottom))
            letters, lefts, end, top, bottom = [letter], [left], right, upper, lower
        else:
            if gap > _BLANK_EM * height or (blank and _is_visible_blank(letters[-1], letter, gap, height)):
                letters.append(" ")
                lefts.append(end)
            letters.append(letter)
            lefts.append(left)
            if right > end:
                end = right
        start, blank = left, False
    if letters:
        lines.append(_LineBuilder(letters, lefts, end, top, bottom))
    for stray in strays:
        _attach_stray(stray, lines)
    return [line.build() for line in lines]


def _is_visible_blank(before: str, letter: str, gap: float, height: float) -> bool:
    """Return whether a blank is visible. PDFium inserts blanks where Thai marks are drawn out of turn."""
    is_thai = "\u0e01" <= letter <= "\u0e4e" or "\u0e01" <= before <= "\u0e4e"
    return not (is_thai and gap < 0.08 * height)


def _attach_stray(stray: Glyph, lines: list[_LineBuilder]) -> None:
    letter, left, right, top, bottom = stray
    middle, centre = (top + bottom) / 2, (left + right) / 2
    near = [line for line in lines if line.lefts[0] <= centre <= line.right + (bottom - top) * 0.3]
    if not near:
        lines.append(_LineBuilder([letter], [left], right, top, bottom))
        return
    line = min(near, key=lambda candidate: abs((candidate.top + candidate.bottom) / 2 - middle))
    place = bisect_right(line.lefts, centre - 0.12 * (bottom - top))
    line.letters.insert(place, letter)
    line.lefts.insert(place, line.lefts[place - 1] if place else left)
