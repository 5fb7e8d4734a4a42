"""Pairs of statements in English and Thai, labelled by hand: how they contradict each other, or `-` where they may both
hold. Most of those are hard: other times, other precision, doubt, plans, more detail, another person of the name."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    nature: str | None
    one: str
    other: str


def labelled_pairs() -> list[Pair]:
    return _read("contradiction_pairs.txt")


def unseen_pairs() -> list[Pair]:
    """Written after the rules were, and not looked at while they were changed."""
    return _read("contradiction_pairs_unseen.txt")


def _read(name: str) -> list[Pair]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    rows = [[part.strip() for part in line.split(" | ")] for line in lines if line]
    return [Pair(None if nature == "-" else nature, one, other) for nature, one, other in rows]
