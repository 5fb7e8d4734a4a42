"""A stretch of a text, kept as two positions so that what was read can be shown where it stands."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Half-open: `text[start:end]`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def spans_between(cuts: list[int], length: int) -> list[Span]:
    """The spans that cover 0..`length` and part at each cut. `cuts` rise; those at the ends or twice part nothing."""
    spans = []
    start = 0
    for cut in [*cuts, length]:
        if start < cut <= length:
            spans.append(Span(start, cut))
            start = cut
    return spans
