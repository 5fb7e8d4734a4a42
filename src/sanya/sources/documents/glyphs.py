"""Letters as a page draws them, gathered into pieces of a line. Programs draw the signs above and below Thai letters
when and where it suits them, so a sign that comes astray is given back to the letter it stands at."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from sanya.sources.documents.layout import Piece

Glyph = tuple[str, float, float, float, float]
"""A letter with its left, right, top and bottom; a blank has no place."""

_MARKS = frozenset(map(chr, (0x0E31, *range(0x0E34, 0x0E3B), *range(0x0E47, 0x0E4F), *range(0xF700, 0xF71B))))
_BLANK_EM = 0.22
_WIDE_EM = 0.9


@dataclass(slots=True)
class _Growing:
    letters: list[str]
    lefts: list[float]
    right: float
    top: float
    bottom: float
    blank: bool = field(default=False)

    def piece(self) -> Piece:
        return Piece("".join(self.letters), self.lefts[0], self.right, self.top, self.bottom)

    def add(self, letter: str, left: float) -> None:
        self.letters.append(letter)
        self.lefts.append(left)


def pieces_of(glyphs: list[Glyph]) -> list[Piece]:
    grown: list[_Growing] = []
    strays: list[Glyph] = []
    current: _Growing | None = None
    for glyph in glyphs:
        letter, left, right, top, bottom = glyph
        if letter == " ":
            if current is not None:
                current.blank = True
            continue
        if letter in _MARKS:
            if current is not None and _at_end(current, glyph):
                current.add(letter, left)
            else:
                strays.append(glyph)
            continue
        if current is None or not _goes_on(current, glyph):
            current = _Growing([letter], [left], right, top, bottom)
            grown.append(current)
            continue
        gap, height = left - current.right, bottom - top
        if _parted(current, letter, gap, height):
            current.add(" ", current.right)
        current.blank = False
        current.add(letter, left)
        current.right = max(current.right, right)
    for stray in strays:
        _give_back(stray, grown)
    return [one.piece() for one in grown]


def _parted(current: _Growing, letter: str, gap: float, height: float) -> bool:
    """Whether a blank stands before the letter. PDFium makes blanks up where Thai signs are drawn out of turn, so
    beside Thai only a gap counts that can be seen."""
    if gap > _BLANK_EM * height:
        return True
    is_thai = "\u0e01" <= letter <= "\u0e4e" or "\u0e01" <= current.letters[-1] <= "\u0e4e"
    return current.blank and not (is_thai and gap < 0.08 * height)


def _goes_on(current: _Growing, glyph: Glyph) -> bool:
    _, left, _, top, bottom = glyph
    height = max(bottom - top, 1e-6)
    on_line = abs((top + bottom) - (current.top + current.bottom)) < 0.8 * height
    return on_line and -0.6 * height < left - current.right < _WIDE_EM * height


def _at_end(current: _Growing, glyph: Glyph) -> bool:
    """Whether a sign stands at the letter drawn before it. It has no width: its place is the right edge of a letter."""
    _, left, right, top, bottom = glyph
    height = max(bottom - top, 1e-6)
    near = current.top - 0.6 * height < (top + bottom) / 2 < current.bottom + 0.6 * height
    return near and -0.45 * height < (left + right) / 2 - current.right < 0.35 * height


def _give_back(stray: Glyph, grown: list[_Growing]) -> None:
    letter, left, right, top, bottom = stray
    middle, centre = (top + bottom) / 2, (left + right) / 2
    near = [one for one in grown if one.lefts[0] <= centre <= one.right + (bottom - top) * 0.3]
    if not near:
        grown.append(_Growing([letter], [left], right, top, bottom))
        return
    line = min(near, key=lambda one: abs((one.top + one.bottom) / 2 - middle))
    place = bisect_right(line.lefts, centre - 0.12 * (bottom - top))
    line.letters.insert(place, letter)
    line.lefts.insert(place, line.lefts[place - 1] if place else left)
