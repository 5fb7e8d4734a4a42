"""Relative-score fusion: each way's scores are brought to 0–1 within the query, then added by weight.

Parts are rounded to multiples of 2^-20, so that adding them is exact in any order and the parts of a hit sum to its
score to the last bit. Reciprocal-rank fusion was worse on every set measured, on Thai by far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sanya.retrieval.embedding import Matrix
from sanya.retrieval.exactness import STEPS

Scores = NDArray[np.float64]
# As methods of an array they cost twice as much, and there are few scores.
_least, _most = np.minimum.reduce, np.maximum.reduce


def relative_words(scores: Matrix) -> Scores:
    """BM25 over its best. Zero stays zero: it means that no word matched."""
    wide = scores.astype(np.float64)
    best = _most(wide) if len(wide) else 0.0
    return wide / best if best > 0 else wide


def relative_meaning(scores: Scores, embedded: NDArray[np.bool_] | None = None) -> Scores:
    """Cosines from the worst candidate's to the best one's. When all are alike there is nothing to prefer. Candidates
    that are not `embedded` have no meaning to compare: they get nothing and count for nothing."""
    if embedded is not None:
        relative = np.zeros_like(scores)
        relative[embedded] = relative_meaning(scores[embedded])
        return relative
    if not len(scores):
        return scores
    least, most = _least(scores), _most(scores)
    return (scores - least) / (most - least) if most > least else np.ones_like(scores)


def similarities(rows: Matrix | Scores, vector: Matrix) -> Scores:
    """The cosine of each row, rounded: equal rows get equal numbers, whatever order the machine adds in."""
    return _rounded(rows.astype(np.float64, copy=False) @ vector.astype(np.float64))


def part(relative: Scores, weight: float) -> Scores:
    """A way's part of each score, ready to be added without rounding."""
    return _rounded(relative * weight)


def _rounded(scores: Scores) -> Scores:
    steps = scores * STEPS
    np.rint(steps, out=steps)
    steps /= STEPS
    return steps


def meaning_share(alpha: float, balanced: float) -> float:
    """How much of the score meaning gets: none at alpha 0, all at 1, and at 0.5 the share measured to be best."""
    if alpha <= 0.5:
        return 2 * alpha * balanced
    return balanced + (2 * alpha - 1) * (1 - balanced)
