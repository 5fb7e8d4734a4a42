"""A span of a text, stored as two positions, so that a finding can be shown in its place."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Half-open: `text[start:end]`."""

    start: int
    end: int

    def slice(self, text: str) -> str:
        return text[self.start : self.end]


def build_spans(cuts: list[int], length: int) -> list[Span]:
    """Return the spans that cover 0..`length` and meet at the cuts. `cuts` ascend; duplicates and ends are ignored."""
    spans = []
    start = 0
    for cut in [*cuts, length]:
        if start < cut <= length:
            spans.append(Span(start, cut))
            start = cut
    return spans
