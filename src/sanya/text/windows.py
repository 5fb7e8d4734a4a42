"""Long text in overlapping windows for the index. A window ends with a sentence where it can, and never between a
number and its unit or comparison."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sanya.text.characters import has_thai, parts_cluster
from sanya.text.quantities import is_inside_quantity, quantity_spans
from sanya.text.segmentation import default_segmenter
from sanya.text.sentences import sentence_spans
from sanya.text.spans import Span
from sanya.text.token_count import PARTS, has_more_parts, parts_before, token_parts
from sanya.text.usual_cuts import usual_cuts

# Beside a number every blank is unsafe: the word there may be a unit or a comparison that no list knows.
_UNSAFE = "0-9๐-๙<>=≤≥≈~±+−×"
# It begins with the blank: what stands before that is looked at only there.
_SAFE_BLANK = re.compile(rf"\s(?<![{_UNSAFE}\s]\s)\s*(?=[^{_UNSAFE}%‰°\s])")
_BLANK_BEFORE_NUMBER = re.compile(r"(?<![\s<>=≤≥≈~±+−×])\s+(?=[0-9๐-๙])")
_HARD_PIECE = 40


@dataclass(frozen=True, slots=True)
class WindowSizes:
    """In tokens: what a window aims at, what it may not exceed, and what it shares with the one before."""

    aim: int = 325
    most: int = 450
    overlap: int = 50

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.aim <= self.most:
            raise ValueError("a window needs 0 <= overlap < aim <= most")


DEFAULT_SIZES = WindowSizes()


def window_spans(text: str, sizes: WindowSizes = DEFAULT_SIZES) -> list[Span]:
    """Windows in the text's order that cover it; none where there is nothing but blanks.

    Only what cannot be cut safely, a number with its unit, may be longer than `most`."""
    if not text.strip():
        return []
    if not has_more_parts(text, sizes.most * PARTS):
        return [Span(0, len(text))]
    return list(_Windows(text, sizes).spans())


class _Windows:
    def __init__(self, text: str, sizes: WindowSizes) -> None:
        self._text = text
        self._sizes = sizes
        self._places, self._sentence_ends, self._sure = usual_cuts(text, sizes.aim) or _cuts(text, sizes.aim)
        self._parts = parts_before(text, self._places)

    def spans(self) -> Iterator[Span]:
        last = len(self._places) - 1
        first, end = 0, self._end_of(0, 0)
        while end < last:
            yield Span(self._places[first], self._places[end])
            first = self._start_behind(first, end)
            end = self._end_of(first, end)
        yield Span(self._places[first], self._places[last])

    def _end_of(self, first: int, after: int) -> int:
        """The place where the window that begins at `first` ends: with a sentence if one ends near the aim."""
        begun, last = self._parts[first], len(self._places) - 1
        bound = begun + self._sizes.most * PARTS
        if self._parts[last] <= bound:
            return last
        aim = max(after + 1, bisect_left(self._parts, begun + self._sizes.aim * PARTS))
        next_end = bisect_left(self._sentence_ends, aim)
        near, early = self._sentence_ends[next_end], self._sentence_ends[next_end - 1]
        if self._parts[near] <= bound:
            return near
        if early > after and self._parts[early] >= begun + self._sizes.aim * PARTS // 2:
            return early
        most = self._outside(bisect_right(self._parts, bound) - 1, -1)
        return min(self._outside(aim), most) if most > after else self._outside(after + 1)

    def _start_behind(self, first: int, end: int) -> int:
        """Where the next window begins: as far back as the overlap allows, with a sentence if one begins there."""
        furthest = max(first + 1, bisect_left(self._parts, self._parts[end] - self._sizes.overlap * PARTS))
        sentence = self._sentence_ends[bisect_left(self._sentence_ends, furthest)]
        return sentence if sentence < end else self._outside(furthest)

    def _outside(self, index: int, step: int = 1) -> int:
        """The nearest place, from this one on, that is not inside a quantity."""
        while not self._is_outside(self._places[index]):
            index += step
        return index

    def _is_outside(self, place: int) -> bool:
        behind = bisect_right(self._sure, place)
        return self._sure[behind - 1] == place or not is_inside_quantity(self._text, place, self._sure[behind - 1])


def _cuts(text: str, longest: int) -> tuple[list[int], list[int], list[int]]:
    """The places where the text may be cut, which of them end sentences, and those that are known to be outside
    quantities: here all."""
    quantities = quantity_spans(text)
    sentences = {0, *(span.end for span in sentence_spans(text, quantities))}
    places = sorted({len(text), *sentences, *_safe_cuts(text, quantities, longest * PARTS)})
    return places, [index for index, place in enumerate(places) if place in sentences], places


def _safe_cuts(text: str, quantities: list[Span], longest: int) -> list[int]:
    """Places where the text may be cut: safe blanks, and only inside stretches without them that are too long the
    places that the next way finds."""
    inside = {place for span in quantities for place in range(span.start + 1, span.end)}
    cuts: list[int] = []
    too_long = [Span(0, len(text))]
    for way in (_safe_blanks, _blanks_before_numbers, _between_words):
        found = [cut for span in too_long for cut in way(text, span) if cut not in inside]
        cuts = sorted([*cuts, *found])
        too_long = _longer_stretches(text, cuts, longest)
        if not too_long:
            break
    return cuts


def _longer_stretches(text: str, cuts: list[int], parts: int) -> list[Span]:
    """Those between cuts that have more parts than this."""
    # No character costs more than one token, so the length alone acquits nearly every stretch.
    long = [(start, end) for start, end in pairwise([0, *cuts, len(text)]) if end - start > parts // PARTS]
    return [Span(*one) for one in long if token_parts(text[slice(*one)]) > parts]


def _safe_blanks(text: str, span: Span) -> list[int]:
    return [blank.end() for blank in _SAFE_BLANK.finditer(text, *span)]


def _blanks_before_numbers(text: str, span: Span) -> list[int]:
    """In a table of numbers no blank is safe, but behind a number another one seldom is its unit."""
    return [match.end() for match in _BLANK_BEFORE_NUMBER.finditer(text, *span)]


def _between_words(text: str, span: Span) -> list[int]:
    """Between Thai words; in what has none, every few characters; never inside a cluster or a number."""
    stretch = span.of(text)
    if has_thai(stretch):
        ends = accumulate(map(len, default_segmenter().segment(stretch)))
        cuts = [span.start + end for end in ends]
    else:
        cuts = list(range(span.start + _HARD_PIECE, span.end, _HARD_PIECE))
    return [cut for cut in cuts if not parts_cluster(text, cut) and not _touches_number(text, cut)]


def _touches_number(text: str, cut: int) -> bool:
    return text[cut - 1].isdigit() or text[cut : cut + 1].isdigit()
