"""Arranges pieces of text in reading order: columns one after the other, a table row on one line, the lines of a
paragraph joined."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, median_low

from sanya.text.characters import has_thai

CELL_GAP = " | "
"""Separator of pieces so far apart that they are cells rather than words."""

_LEAST_ROWS = 4
_LEAST_COLUMN_EM = 9.0
_CELL_EM = 1.6
_FULL = 0.82
# Lines of a paragraph are equally far apart, so a little more than that begins another paragraph.
_APART = 1.18
_APART_EM = 0.15
_LIST_ITEM = re.compile(r"\s*(?:[-*•·▪–]\s|[0-9๐-๙]{1,2}[.)]\s|\([0-9ก-ฮa-z]{1,2}\)\s)")
# Candidate places of a gutter, in fortieths of the width.
_STEPS = range(8, 33)


@dataclass(slots=True)
class Piece:
    """Text on one line without a wide gap. The top left corner of the page is 0, 0."""

    text: str
    left: float
    right: float
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(slots=True)
class LayoutRow:
    pieces: list[Piece]

    @property
    def left(self) -> float:
        return self.pieces[0].left

    @property
    def right(self) -> float:
        return max(piece.right for piece in self.pieces)

    @property
    def middle(self) -> float:
        return self.pieces[0].middle


def arrange_pieces(pieces: list[Piece]) -> str:
    """Return the text of a page."""
    kept = [piece for piece in pieces if piece.text.strip()]
    if not kept:
        return ""
    em = max(median(piece.bottom - piece.top for piece in kept), 1e-6)
    return _arrange_block(kept, em, 0)


def _arrange_block(pieces: list[Piece], em: float, depth: int) -> str:
    rows = _group_rows(pieces, em)
    columns = _find_columns(rows, em) if depth < 3 else None
    if columns is None:
        return _join_rows(rows, em)
    first, last, at = columns
    inside = [piece for row in rows[first:last] for piece in row.pieces]
    parts = [
        _list_pieces(rows[:first]),
        [piece for piece in inside if piece.left < at],
        [piece for piece in inside if piece.left >= at],
        _list_pieces(rows[last:]),
    ]
    return "\n\n".join(_arrange_block(part, em, depth + 1) for part in parts if part)


def _list_pieces(rows: list[LayoutRow]) -> list[Piece]:
    return [piece for row in rows for piece in row.pieces]


def _group_rows(pieces: list[Piece], em: float) -> list[LayoutRow]:
    rows: list[LayoutRow] = []
    for piece in sorted(pieces, key=lambda candidate: candidate.middle):
        if rows and abs(piece.middle - rows[-1].middle) < 0.45 * em:
            rows[-1].pieces.append(piece)
        else:
            rows.append(LayoutRow([piece]))
    for row in rows:
        row.pieces.sort(key=lambda piece: piece.left)
    return rows


def _find_columns(rows: list[LayoutRow], em: float) -> tuple[int, int, float] | None:
    """Return the longest run of rows that a gutter splits into two columns of running text, and the place of the
    gutter."""
    if len(rows) < _LEAST_ROWS:
        return None
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    if right - left < 2 * _LEAST_COLUMN_EM * em:
        return None
    first_at, last_at = (left + (right - left) * step / 40 for step in (_STEPS[0], _STEPS[-1]))
    across = sum(any(piece.left < first_at and last_at < piece.right for piece in row.pieces) for row in rows)
    if len(rows) - across < _LEAST_ROWS:
        return None
    best: tuple[int, int, float] | None = None
    for step in _STEPS:
        at = left + (right - left) * step / 40
        for first, last in _find_uncrossed_runs(rows, at, em):
            longest = best[1] - best[0] if best else 0
            if last - first > longest and _is_running_text(rows[first:last], at, em):
                best = first, last, at
    return best


def _find_uncrossed_runs(rows: list[LayoutRow], at: float, em: float) -> list[tuple[int, int]]:
    """Return the runs of rows with nothing at `at`."""
    runs, first = [], 0
    margin = 0.3 * em
    for number, row in enumerate(rows):
        if any(piece.left - margin < at < piece.right + margin for piece in row.pieces):
            runs.append((first, number))
            first = number + 1
    runs.append((first, len(rows)))
    return [(start, end) for start, end in runs if end - start >= _LEAST_ROWS]


def _is_running_text(rows: list[LayoutRow], at: float, em: float) -> bool:
    """Return whether the rows are running text. Its lines fill both columns; table cells leave most of them free."""
    for is_left in (True, False):
        lines = [side for row in rows if (side := [piece for piece in row.pieces if (piece.left < at) == is_left])]
        if len(lines) < _LEAST_ROWS - 1:
            return False
        edge, end = min(line[0].left for line in lines), max(line[-1].right for line in lines)
        if end - edge < _LEAST_COLUMN_EM * em:
            return False
        full = sum(sum(piece.right - piece.left for piece in line) >= _FULL * (end - edge) for line in lines)
        if full * 2 < len(lines):
            return False
    return True


def _has_cells(pieces: list[Piece], em: float) -> bool:
    return any(after.left - before.right > _CELL_EM * em for before, after in pairwise(pieces))


def _join_rows(rows: list[LayoutRow], em: float) -> str:
    """Join rows. A row that fills the column continues in the next one, unless a larger gap separates them."""
    edge, end = min(row.left for row in rows), max(row.right for row in rows)
    # The lower median: in a page of short paragraphs, half of the gaps are gaps between paragraphs.
    leading = median_low([after.middle - before.middle for before, after in pairwise(rows)] or [em])
    parts = [_format_row(rows[0], em)]
    for before, after in pairwise(rows):
        line = _format_row(after, em)
        apart = after.middle - before.middle > max(_APART * leading, leading + _APART_EM * em)
        tabular = _has_cells(before.pieces, em) or _has_cells(after.pieces, em)
        goes_on = before.right - edge >= _FULL * (end - edge) and abs(after.left - edge) < 1.2 * em
        goes_on = goes_on and not _LIST_ITEM.match(line)
        parts.append("\n\n" if apart else choose_separator(parts[-1], line) if goes_on and not tabular else "\n")
        parts.append(line)
    return "".join(parts).replace("\x02", "")


def choose_separator(line: str, following: str) -> str:
    """Return the separator of two lines of a paragraph. A Thai line may end inside a word, so it needs none."""
    if line.endswith(("\x02", "\xad", "-")):
        return ""
    return "" if has_thai(line[-1:]) and has_thai(following[:1]) else " "


def _format_row(row: LayoutRow, em: float) -> str:
    parts = [row.pieces[0].text]
    for before, after in pairwise(row.pieces):
        parts.append(CELL_GAP if after.left - before.right > _CELL_EM * em else " ")
        parts.append(after.text)
    return "".join(parts).strip()
