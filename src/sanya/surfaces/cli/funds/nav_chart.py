"""NAV charts drawn with braille characters, eight dots each, so that a chart fits every terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shutil import get_terminal_size

_ROWS = 12
_MAX_COLUMNS = 100
_BLANK = 0x2800
# Bits of the dots of a braille character, by row and column.
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def draw_chart(points: Sequence[tuple[str, float]], *, columns: int | None = None) -> Iterator[str]:
    """Yield the chart line by line: highest and lowest NAV at the left, first and last day below."""
    if not points:
        return
    navs = [nav for _, nav in points]
    low, high = min(navs), max(navs)
    labels = [f"{high:,.4f}", f"{low:,.4f}"]
    margin = max(map(len, labels)) + 1
    width = max(10, min(_MAX_COLUMNS, columns or get_terminal_size().columns) - margin - 1)
    lines = _draw_dots(navs, width)
    for number, line in enumerate(lines):
        label = labels[0] if number == 0 else labels[1] if number == _ROWS - 1 else ""
        yield f"{label:>{margin}} {line}".rstrip()
    first, last = points[0][0], points[-1][0]
    yield f"{' ' * margin} {first}{last:>{max(1, width - len(first))}}"


def _draw_dots(navs: Sequence[float], width: int) -> list[str]:
    cells = [[0] * width for _ in range(_ROWS)]
    before: int | None = None
    for x, y in enumerate(_interpolate_depths(navs, width * 2)):
        # Fill the dots between two neighbouring columns, so that a steep line has no gaps.
        dots = range(min(y, before), max(y, before) + 1) if before is not None else (y,)
        for dot in dots:
            cells[dot // 4][x // 2] |= _DOTS[dot % 4][x % 2]
        before = y
    return ["".join(chr(_BLANK + cell) if cell else " " for cell in row) for row in cells]


def _interpolate_depths(navs: Sequence[float], count: int) -> Iterator[int]:
    """Yield the distance from the top in dots at `count` positions, interpolated linearly between points."""
    low, high = min(navs), max(navs)
    deepest = _ROWS * 4 - 1
    for place in range(count):
        position = place / (count - 1) * (len(navs) - 1)
        index = min(int(position), len(navs) - 1)
        following = navs[min(index + 1, len(navs) - 1)]
        nav = navs[index] + (following - navs[index]) * (position - index)
        yield round((high - nav) / (high - low) * deepest) if high > low else deepest // 2
