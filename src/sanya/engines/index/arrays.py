"""Array types that the indexes share, and the choice of the best rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sanya.retrieval.scoring import select_nearest_rows

Positions = NDArray[np.int64]
"""Row numbers within a partition, from 1 on."""
Int64Array = NDArray[np.int64]
Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]


def select_best(scores: NDArray[np.floating[Any]], positions: Positions, limit: int) -> Positions:
    """Return the positions of the highest scores. Of equal scores at the edge, the lowest positions win."""
    if len(scores) <= limit:
        return positions
    nearest = select_nearest_rows(scores, positions, limit)
    return _select_best(scores, positions, limit) if nearest is None else nearest


def _select_best(scores: NDArray[np.floating[Any]], positions: Positions, limit: int) -> Positions:
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    above = positions[scores > edge]
    level = np.sort(positions[scores == edge])
    return np.concatenate([above, level[: limit - len(above)]])
