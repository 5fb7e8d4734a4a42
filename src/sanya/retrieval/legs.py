"""A leg is the search among the documents of one language; here its candidates are scored and the best are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanya.retrieval.embedding import Matrix
from sanya.retrieval.exactness import exact
from sanya.retrieval.fusion import Scores, part, relative_meaning, relative_words, similarities
from sanya.retrieval.index import Candidates, Terms
from sanya.retrieval.scoring import fused_scores, leading_rows
from sanya.retrieval.terms import Language

ENGLISH, MULTILINGUAL = "english", "multilingual"
"""The vector spaces: the first is sharper but knows English only, the second holds both languages."""

# A hit in the other language stands a little behind an equal one in the asker's own.
_FOREIGN = 0.8
# The best hits say what was meant: the query's vector is moved a little towards theirs.
_FEEDBACK_HITS = 5
_FEEDBACK_WEIGHT = np.float32(0.3)


class Hit(NamedTuple):
    id: str
    score: float
    parts: Mapping[str, float]
    """`words` and `meaning`; their sum is the score, to the last bit."""
    bm25: float
    similarity: float
    language: Language
    """Of the document; another than the query's means that it was found by translation."""


@dataclass(frozen=True, slots=True)
class Leg:
    """What was looked up and what came of it."""

    language: Language
    foreign: bool
    terms: Terms
    space: str
    share: float
    """How much of the score meaning has."""
    candidates: Candidates


@dataclass(frozen=True, slots=True)
class RankedLeg:
    leg: Leg
    words: Scores
    meaning: Scores
    similarity: Scores

    async def hits(self, limit: int) -> list[Hit]:
        return await self.best_by(self.words + self.meaning, limit)

    async def best_by(self, scores: Scores, limit: int) -> list[Hit]:
        """The best by given scores, ties by id. Ids are fetched for those alone that can be among them."""
        rows = leading_rows(scores, limit)
        if rows is None:
            rows = _leading_rows(scores, limit)
        ids = await self.leg.candidates.name(rows)
        ranked = sorted((-scores.item(row), one, row) for one, row in zip(ids, rows, strict=True))
        return [self._hit(one, row) for _, one, row in ranked[:limit]]

    def _hit(self, one: str, row: int) -> Hit:
        # One number at a time: there are few, and to take them out together costs more.
        words, meaning = self.words.item(row), self.meaning.item(row)
        parts = {"words": words, "meaning": meaning}
        bm25 = exact(self.leg.candidates.words.item(row))
        return Hit(one, words + meaning, parts, bm25, self.similarity.item(row), self.leg.language)


def leg_weights(legs: Sequence[Leg], vectors: Mapping[str, Matrix]) -> list[float]:
    """Scores are relative within a leg. Legs are compared through the space they share: one whose best candidate is
    far off is held down."""
    weights = [_FOREIGN if leg.foreign else 1.0 for leg in legs]
    if len(legs) < 2 or MULTILINGUAL not in vectors:
        return weights
    nearest = [_nearest(leg.candidates, vectors[MULTILINGUAL]) for leg in legs]
    top = max(nearest)
    return [weight * near / top for weight, near in zip(weights, nearest, strict=True)] if top > 0 else weights


def fuse(leg: Leg, vectors: Mapping[str, Matrix], weight: float) -> RankedLeg:
    """All in one compiled step where that is at hand, with the same numbers."""
    fused = _fused_at_once(leg, vectors, weight)
    return fused or _fused(leg, vectors, weight)


def _fused_at_once(leg: Leg, vectors: Mapping[str, Matrix], weight: float) -> RankedLeg | None:
    if leg.space not in vectors or not len(leg.candidates):
        return None
    found = leg.candidates
    scores = fused_scores(
        found.words,
        found.vectors[leg.space],
        vectors[leg.space],
        weight * (1 - leg.share),
        weight * leg.share,
        leg.space == ENGLISH,
    )
    return RankedLeg(leg, *scores) if scores else None


def _fused(leg: Leg, vectors: Mapping[str, Matrix], weight: float) -> RankedLeg:
    found = leg.candidates
    words = part(relative_words(found.words), weight * (1 - leg.share))
    nothing: Scores = np.zeros(len(found))
    if leg.space not in vectors or not len(found):
        return RankedLeg(leg, words, nothing, nothing)
    rows, vector = found.vectors[leg.space].astype(np.float64), vectors[leg.space]
    similarity = similarities(rows, vector)
    embedded = _embedded(rows, similarity)
    meaning = part(relative_meaning(similarity, embedded), weight * leg.share)
    if leg.space == ENGLISH:
        moved = _moved(vector, rows, words + meaning)
        meaning = part(relative_meaning(similarities(rows, moved), embedded), weight * leg.share)
    return RankedLeg(leg, words, meaning, similarity)


def _leading_rows(scores: Scores, limit: int) -> list[int]:
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit] if len(scores) > limit else -np.inf
    rows: list[int] = np.flatnonzero(scores >= edge).tolist()
    return rows


def _embedded(rows: Scores, similarity: Scores) -> NDArray[np.bool_] | None:
    """Which candidates have a vector; None when all have. Only those that are like nothing are looked at."""
    if similarity.all():
        return None
    doubtful = np.flatnonzero(similarity == 0)
    lacking = doubtful[~rows[doubtful].any(axis=1)]
    if not len(lacking):
        return None
    embedded = np.ones(len(rows), dtype=np.bool_)
    embedded[lacking] = False
    return embedded


def _nearest(found: Candidates, vector: Matrix) -> float:
    return float(similarities(found.vectors[MULTILINGUAL], vector).max(initial=0.0)) if len(found) else 0.0


def _moved(vector: Matrix, rows: Scores, scores: Scores) -> Matrix:
    """The query's vector with that of the best candidates mixed in, each by its score (relevance feedback). Of equal
    ones the oldest are taken."""
    best = np.argsort(-scores, kind="stable")[:_FEEDBACK_HITS]
    weights = scores[best]
    total = weights.sum()
    if total <= 0:
        return vector
    moved = vector + _FEEDBACK_WEIGHT * ((weights / total) @ rows[best])
    normal: Matrix = (moved / np.sqrt(moved.dot(moved))).astype(np.float32)
    return normal
