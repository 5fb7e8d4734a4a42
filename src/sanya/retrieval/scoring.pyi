from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

IS_COMPILED: bool

Numbers = NDArray[Any]

def fused_scores(
    words: Numbers, rows: Numbers, vector: Numbers, word_weight: float, meaning_weight: float, is_moving: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None: ...
def leading_rows(scores: Numbers, limit: int) -> list[int] | None: ...
def nearest_rows(scores: Numbers, positions: Numbers, limit: int) -> NDArray[np.int64] | None: ...
def merged_rows(
    positions: Numbers, scores: Numbers, near: Sequence[Numbers]
) -> tuple[NDArray[np.int64], NDArray[np.float32]] | None: ...
