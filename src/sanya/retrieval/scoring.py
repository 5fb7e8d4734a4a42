"""Stands in for `scoring.pyx` where that is not compiled. Every function declines, so its caller takes the Python
form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

IS_COMPILED = False

NumberArray = NDArray[Any]


def fuse_scores(
    words: NumberArray,
    rows: NumberArray,
    vector: NumberArray,
    word_weight: float,
    meaning_weight: float,
    use_feedback: bool,
) -> None: ...


def select_leading_rows(scores: NumberArray, limit: int) -> None: ...


def select_nearest_rows(scores: NumberArray, positions: NumberArray, limit: int) -> None: ...


def merge_rows(positions: NumberArray, scores: NumberArray, near: Sequence[NumberArray]) -> None: ...
