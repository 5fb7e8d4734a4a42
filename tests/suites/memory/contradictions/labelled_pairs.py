"""Pairs of statements in English and Thai, labelled by hand: the nature of their contradiction, or `-` for none.

Most pairs of the second kind are hard: other times, other precision, doubt, plans, more detail, namesakes.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class LabelledPair(NamedTuple):
    nature: str | None
    first: str
    second: str


def read_labelled_pairs() -> list[LabelledPair]:
    return _read("labelled_pairs.txt")


def read_unseen_pairs() -> list[LabelledPair]:
    """Return pairs that were written after the rules, and that nobody looked at while changing the rules."""
    return _read("unseen_pairs.txt")


def _read(name: str) -> list[LabelledPair]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    rows = [[part.strip() for part in line.split(" | ")] for line in lines if line]
    return [LabelledPair(None if nature == "-" else nature, first, second) for nature, first, second in rows]
