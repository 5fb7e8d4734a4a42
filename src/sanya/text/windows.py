"""Long text in overlapping windows for the index. A window ends with a sentence where it can, and never between a
number and its unit or comparison."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sanya.text.characters import has_thai, parts_cluster
from sanya.text.quantities import quantity_spans
from sanya.text.segmentation import default_segmenter
from sanya.text.sentences import sentence_spans
from sanya.text.spans import Span
from sanya.text.token_count import PARTS, has_more_parts, parts_before, token_parts

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
        quantities = quantity_spans(text)
        sentences = {0, *(span.end for span in sentence_spans(text, quantities))}
        safe = _safe_cuts(text, quantities, sizes.aim * PARTS)
        self._sizes = sizes
        self._places = sorted({len(text), *sentences, *safe})
        self._parts = parts_before(text, self._places)
        self._sentence_ends = [index for index, place in enumerate(self._places) if place in sentences]

    def spans(self) -> Iterator[Span]:
        last = len(self._places) - 1
        first = end = 0
        while end < last:
            end = self._end_of(first, end)
            yield Span(self._places[first], self._places[end])
            first = self._start_behind(first, end)

    def _end_of(self, first: int, after: int) -> int:
        """The place where the window that begins at `first` ends: with a sentence if one ends near the aim."""
        begun = self._parts[first]
        most = bisect_right(self._parts, begun + self._sizes.most * PARTS) - 1
        if most == len(self._places) - 1 or most <= after:
            return max(most, after + 1)
        aim = max(after + 1, bisect_left(self._parts, begun + self._sizes.aim * PARTS))
        near = self._sentence_ends[bisect_left(self._sentence_ends, aim)]
        if near <= most:
            return near
        early = self._sentence_ends[bisect_left(self._sentence_ends, aim) - 1]
        half = begun + self._sizes.aim * PARTS // 2
        return early if early > after and self._parts[early] >= half else min(aim, most)

    def _start_behind(self, first: int, end: int) -> int:
        """Where the next window begins: as far back as the overlap allows, with a sentence if one begins there."""
        furthest = bisect_left(self._parts, self._parts[end] - self._sizes.overlap * PARTS)
        furthest = max(furthest, first + 1)
        sentence = self._sentence_ends[min(bisect_left(self._sentence_ends, furthest), len(self._sentence_ends) - 1)]
        return sentence if furthest <= sentence < end else min(furthest, end)


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
