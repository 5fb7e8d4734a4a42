from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

IS_COMPILED: bool

NumberArray = NDArray[Any]

def fuse_scores(
    words: NumberArray,
    rows: NumberArray,
    vector: NumberArray,
    word_weight: float,
    meaning_weight: float,
    use_feedback: bool,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None: ...
def select_leading_rows(scores: NumberArray, limit: int) -> list[int] | None: ...
def select_nearest_rows(scores: NumberArray, positions: NumberArray, limit: int) -> NDArray[np.int64] | None: ...
def merge_rows(
    positions: NumberArray, scores: NumberArray, near: Sequence[NumberArray]
) -> tuple[NDArray[np.int64], NDArray[np.float32]] | None: ...
