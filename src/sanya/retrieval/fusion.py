"""Relative-score fusion of word scores and meaning scores.

A hybrid search ranks the same candidates twice: by words (BM25, from 0 to any number) and by meaning (cosine of two
vectors, in practice within a narrow band such as 0.6 to 0.8). The two scales cannot be added as they are. So each is
first brought to 0–1 among the candidates of this query: BM25 is divided by the best BM25, so that 0 still means "no
word matched"; cosines are stretched from the worst candidate (0) to the best (1). Then the two are added by weight:
alpha is that of meaning. Reciprocal-rank fusion, which looks only at ranks and not at how far apart the scores are, was
worse on every set we measured, on Thai by far.

**Rows without a vector.** While a corpus is being embedded, some candidates have no vector yet. Meaning 0 would say
that they mean something else, and a document with every word of the query would rank below one that merely has been
embedded. So the missing part is estimated from the words: a candidate that has no vector is taken to mean what such a
match usually means, `_LEAST_MEANING` of the scale without a match and all of it for the best match. The scale itself is
at risk as well: the best of a few embedded rows may be far from the query, and stretching would make it a 1. So the
less of the candidates is embedded, the more the scale is that of a whole corpus (`CosineBand`, measured). Where nothing
is embedded the order is that of words alone, where everything is, that of the hybrid search; between them nDCG@10 rises
with every vector (`benchmarks/retrieval_partial.py`).

Each weighted part is rounded to a multiple of 2^-20. Sums of such numbers are exact in floating point, whatever the
order, so the parts of a hit sum to its score to the last bit, and every engine gives the same score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sanya.retrieval.embedding import Matrix
from sanya.retrieval.relevance import CosineBand
from sanya.retrieval.score_rounding import STEPS

ScoreArray = NDArray[np.float64]
# Measured on SciFact and XQuAD; any value from 0.2 to 0.5 gives nearly the same.
_LEAST_MEANING = 0.25
# The ufuncs directly: as methods of an array they cost twice as much, and there are few scores.
_least, _most = np.minimum.reduce, np.maximum.reduce


def normalise_bm25(scores: Matrix) -> ScoreArray:
    """Divide BM25 scores by the best one. Zero stays zero: it means that no word matched."""
    wide = scores.astype(np.float64)
    best = _most(wide) if len(wide) else 0.0
    return wide / best if best > 0 else wide


def normalise_cosines(scores: ScoreArray) -> ScoreArray:
    """Stretch cosines from the worst candidate (0) to the best (1); if all are equal, each gets 1."""
    if not len(scores):
        return scores
    least, most = _least(scores), _most(scores)
    return (scores - least) / (most - least) if most > least else np.ones_like(scores)


@dataclass(frozen=True, slots=True)
class EmbeddedRows:
    """The candidates that have a vector, where others have none."""

    rows: NDArray[np.bool_]
    share: float
    """The share of the candidates found by words that have a vector."""
    band: CosineBand | None

    def normalise_cosines(self, scores: ScoreArray) -> ScoreArray:
        """Scale the cosines of the rows that have a vector; the others get 0."""
        relative = np.zeros_like(scores)
        if self.rows.any():
            own = scores[self.rows]
            least, most = float(_least(own)), float(_most(own))
            # A model that was not measured: the best row of a whole corpus is taken to be as far again from the worst.
            usual_least, usual_most = self.band or (least, 2 * most - least)
            low = least + (1 - self.share) * (min(least, usual_least) - least)
            high = most + (1 - self.share) * (max(most, usual_most) - most)
            relative[self.rows] = np.clip((own - low) / (high - low), 0, 1) if high > low else 1.0
        return relative


def estimate_meaning(words: ScoreArray) -> ScoreArray:
    """Return the meaning to expect of candidates with these normalised BM25 scores, on the scale of cosines."""
    return _LEAST_MEANING + (1 - _LEAST_MEANING) * words


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
