"""Relative-score fusion of word scores and meaning scores.

A hybrid search ranks the same candidates twice: by words (BM25, from 0 to any number) and by meaning (cosine of two
vectors, in practice within a narrow band such as 0.6 to 0.8). The two scales cannot be added as they are. So each is
first brought to 0–1 among the candidates of this query: BM25 is divided by the best BM25, so that 0 still means "no
word matched"; cosines are stretched from the worst candidate (0) to the best (1). Then the two are added by weight, and
alpha sets the weights. Reciprocal-rank fusion, which looks only at ranks and not at how far apart the scores are, was
worse on every set we measured, on Thai by far.

Each weighted part is rounded to a multiple of 2^-20. Sums of such numbers are exact in floating point, whatever the
order, so the parts of a hit sum to its score to the last bit, and every engine gives the same score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sanya.retrieval.embedding import Matrix
from sanya.retrieval.score_rounding import STEPS

ScoreArray = NDArray[np.float64]
# The ufuncs directly: as methods of an array they cost twice as much, and there are few scores.
_least, _most = np.minimum.reduce, np.maximum.reduce


def normalise_bm25(scores: Matrix) -> ScoreArray:
    """Divide BM25 scores by the best one. Zero stays zero: it means that no word matched."""
    wide = scores.astype(np.float64)
    best = _most(wide) if len(wide) else 0.0
    return wide / best if best > 0 else wide


def normalise_cosines(scores: ScoreArray, embedded: NDArray[np.bool_] | None = None) -> ScoreArray:
    """Stretch cosines from the worst candidate (0) to the best (1); if all are equal, each gets 1. Candidates that are
    not `embedded` have no vector: they get 0 and do not count as the worst."""
    if embedded is not None:
        relative = np.zeros_like(scores)
        relative[embedded] = normalise_cosines(scores[embedded])
        return relative
    if not len(scores):
        return scores
    least, most = _least(scores), _most(scores)
    return (scores - least) / (most - least) if most > least else np.ones_like(scores)


def compute_cosines(rows: Matrix | ScoreArray, vector: Matrix) -> ScoreArray:
    """Return the cosine of each row with the vector, rounded, so that the order of additions does not show."""
    return _round_scores(rows.astype(np.float64, copy=False) @ vector.astype(np.float64))


def weigh_scores(relative: ScoreArray, weight: float) -> ScoreArray:
    """Return the weighted part of each score, rounded so that adding parts is exact."""
    return _round_scores(relative * weight)


def _round_scores(scores: ScoreArray) -> ScoreArray:
    steps = scores * STEPS
    np.rint(steps, out=steps)
    steps /= STEPS
    return steps


def compute_meaning_share(alpha: float, balanced: float) -> float:
    """Return the weight of meaning: 0 at alpha 0, 1 at alpha 1, and at alpha 0.5 the share measured to be best."""
    if alpha <= 0.5:
        return 2 * alpha * balanced
    return balanced + (2 * alpha - 1) * (1 - balanced)
