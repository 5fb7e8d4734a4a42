"""Splits long text into overlapping windows for the index. A window ends with a sentence if possible, and never between
a number and its unit or comparison."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sanya.text.characters import has_thai, is_inside_cluster
from sanya.text.fast_cuts import find_cuts
from sanya.text.quantities import find_quantities, is_inside_quantity
from sanya.text.segmentation import get_default_segmenter
from sanya.text.sentences import split_sentences
from sanya.text.spans import Span
from sanya.text.token_count import PARTS, count_parts_before, count_token_parts, has_more_parts

# Every blank beside a number is unsafe: the next word may be a unit or a comparison that no list knows.
_UNSAFE = "0-9๐-๙<>=≤≥≈~±+−×"
# The pattern begins with the blank, so the characters before it are examined only there.
_SAFE_BLANK = re.compile(rf"\s(?<![{_UNSAFE}\s]\s)\s*(?=[^{_UNSAFE}%‰°\s])")
_BLANK_BEFORE_NUMBER = re.compile(r"(?<![\s<>=≤≥≈~±+−×])\s+(?=[0-9๐-๙])")
_HARD_PIECE = 40


@dataclass(frozen=True, slots=True)
class WindowSizes:
    """Sizes in tokens: what a window aims at, what it must not exceed, and what it shares with the one before."""

    aim: int = 325
    most: int = 450
    overlap: int = 50

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.aim <= self.most:
            raise ValueError("a window needs 0 <= overlap < aim <= most")


DEFAULT_SIZES = WindowSizes()


def split_windows(text: str, sizes: WindowSizes = DEFAULT_SIZES) -> list[Span]:
    """Return windows that cover the text, in order; none for a blank text.

    Only a span without a safe cut, such as a number with its unit, may be longer than `most`."""
    if not text.strip():
        return []
    if not has_more_parts(text, sizes.most * PARTS):
        return [Span(0, len(text))]
    return list(_Windows(text, sizes).list_spans())


class _Windows:
    def __init__(self, text: str, sizes: WindowSizes) -> None:
        self._text = text
        self._sizes = sizes
        self._places, self._sentence_ends, self._sure = find_cuts(text, sizes.aim) or _find_cuts(text, sizes.aim)
        self._parts = count_parts_before(text, self._places)

    def list_spans(self) -> Iterator[Span]:
        last = len(self._places) - 1
        first, end = 0, self._find_end(0, 0)
        while end < last:
            yield Span(self._places[first], self._places[end])
            first = self._find_next_start(first, end)
            end = self._find_end(first, end)
        yield Span(self._places[first], self._places[last])

    def _find_end(self, first: int, after: int) -> int:
        """Return the place where the window from `first` ends: with a sentence if one ends near the aim."""
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
        most = self._step_outside(bisect_right(self._parts, bound) - 1, -1)
        return min(self._step_outside(aim), most) if most > after else self._step_outside(after + 1)

    def _find_next_start(self, first: int, end: int) -> int:
        """Return where the next window begins: as far back as the overlap allows, with a sentence if possible."""
        furthest = max(first + 1, bisect_left(self._parts, self._parts[end] - self._sizes.overlap * PARTS))
        sentence = self._sentence_ends[bisect_left(self._sentence_ends, furthest)]
        return sentence if sentence < end else self._step_outside(furthest)

    def _step_outside(self, index: int, step: int = 1) -> int:
        """Return the nearest place, from this one on, that is not inside a quantity."""
        while not self._is_outside(self._places[index]):
            index += step
        return index

    def _is_outside(self, place: int) -> bool:
        behind = bisect_right(self._sure, place)
        return self._sure[behind - 1] == place or not is_inside_quantity(self._text, place, self._sure[behind - 1])


def _find_cuts(text: str, longest: int) -> tuple[list[int], list[int], list[int]]:
    """Return the places where the text may be cut, the indexes of those that end a sentence, and the places known to be
    outside quantities: here all."""
    quantities = find_quantities(text)
    sentences = {0, *(span.end for span in split_sentences(text, quantities))}
    places = sorted({len(text), *sentences, *_find_safe_cuts(text, quantities, longest * PARTS)})
    return places, [index for index, place in enumerate(places) if place in sentences], places


def _find_safe_cuts(text: str, quantities: list[Span], longest: int) -> list[int]:
    """Return the places where the text may be cut: safe blanks. Inside a span that is too long without them, use the
    less safe places that the next finder gives."""
    inside = {place for span in quantities for place in range(span.start + 1, span.end)}
    cuts: list[int] = []
    too_long = [Span(0, len(text))]
    for find in (_find_safe_blanks, _find_blanks_before_numbers, _find_word_boundaries):
        more = [cut for span in too_long for cut in find(text, span) if cut not in inside]
        cuts = sorted([*cuts, *more])
        too_long = _find_long_stretches(text, cuts, longest)
        if not too_long:
            break
    return cuts


def _find_long_stretches(text: str, cuts: list[int], parts: int) -> list[Span]:
    """Return the spans between cuts that have more than `parts` token parts."""
    # No character costs more than one token, so the length alone rules out nearly every span.
    long = [(start, end) for start, end in pairwise([0, *cuts, len(text)]) if end - start > parts // PARTS]
    return [Span(*bounds) for bounds in long if count_token_parts(text[slice(*bounds)]) > parts]


def _find_safe_blanks(text: str, span: Span) -> list[int]:
    return [blank.end() for blank in _SAFE_BLANK.finditer(text, *span)]


def _find_blanks_before_numbers(text: str, span: Span) -> list[int]:
    """Return blanks before numbers. In a table no blank is safe, but a number behind a number is seldom its unit."""
    return [match.end() for match in _BLANK_BEFORE_NUMBER.finditer(text, *span)]


def _find_word_boundaries(text: str, span: Span) -> list[int]:
    """Return boundaries of Thai words, or every few characters without Thai; never inside a cluster or a number."""
    stretch = span.slice(text)
    if has_thai(stretch):
        ends = accumulate(map(len, get_default_segmenter().segment(stretch)))
        cuts = [span.start + end for end in ends]
    else:
        cuts = list(range(span.start + _HARD_PIECE, span.end, _HARD_PIECE))
    return [cut for cut in cuts if not is_inside_cluster(text, cut) and not _is_beside_number(text, cut)]


def _is_beside_number(text: str, cut: int) -> bool:
    return text[cut - 1].isdigit() or text[cut : cut + 1].isdigit()
