"""Stands in for `scoring.pyx` where that was not compiled, and declines everything: the modules that ask do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

IS_COMPILED = False

Numbers = NDArray[Any]


def fused_scores(
    words: Numbers, rows: Numbers, vector: Numbers, word_weight: float, meaning_weight: float, is_moving: bool
) -> None: ...


def leading_rows(scores: Numbers, limit: int) -> None: ...


def nearest_rows(scores: Numbers, positions: Numbers, limit: int) -> None: ...


def merged_rows(positions: Numbers, scores: Numbers, near: Sequence[Numbers]) -> None: ...
