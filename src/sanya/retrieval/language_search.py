"""The search among the documents of one language: scores its candidates and names the best.

A query searches each language of documents separately, because words of two languages cannot share statistics. The
results are merged by score; `weigh_languages` makes the scores of two languages comparable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sanya.retrieval.embedding import Matrix
from sanya.retrieval.fusion import (
    EmbeddedRows,
    ScoreArray,
    compute_cosines,
    estimate_meaning,
    normalise_bm25,
    normalise_cosines,
    weigh_scores,
)
from sanya.retrieval.index import Candidates, WeightedTerms
from sanya.retrieval.relevance import CosineBand, RelevanceModel
from sanya.retrieval.score_rounding import round_score
from sanya.retrieval.scoring import fuse_scores, select_leading_rows
from sanya.retrieval.terms import SearchLanguage

ENGLISH, MULTILINGUAL = "english", "multilingual"
"""The vector spaces: the first is more precise but knows English only, the second holds both languages."""

# A hit in another language ranks a little behind an equal one in the language of the query.
_FOREIGN = 0.8
# Relevance feedback: the query's vector is moved a little towards those of the best hits.
_FEEDBACK_HITS = 5
_FEEDBACK_WEIGHT = np.float32(0.3)


class Hit(NamedTuple):
    id: str
    score: float
    parts: Mapping[str, float]
    """The parts `words` and `meaning`; their sum is the score, to the last bit."""
    bm25: float
    similarity: float
    language: SearchLanguage
    """The document's language. If it is not the query's, the document was found by translation."""
    relevance: float | None = None
    """How likely the document answers the query, 0 to 1, whatever else was found; None if it cannot be told."""


@dataclass(frozen=True, slots=True)
class LanguageSearch:
    """The query as looked up in one language, and its candidates."""

    language: SearchLanguage
    is_foreign: bool
    terms: WeightedTerms
    space: str
    """The vector space, or nothing if there is no model."""
    share: float
    """The weight of meaning in the score."""
    candidates: Candidates
    relevance_model: RelevanceModel = RelevanceModel()  # noqa: RUF009 - it is immutable


@dataclass(frozen=True, slots=True)
class RankedSearch:
    search: LanguageSearch
    words: ScoreArray
    meaning: ScoreArray
    similarity: ScoreArray

    async def list_hits(self, limit: int) -> list[Hit]:
        return await self.rank_by(self.words + self.meaning, limit)

    async def rank_by(self, scores: ScoreArray, limit: int) -> list[Hit]:
        """Return the best hits by these scores, ties by id. Only ids of rows that can be among them are fetched."""
        rows = select_leading_rows(scores, limit)
        if rows is None:
            rows = _select_leading_rows(scores, limit)
        ids = await self.search.candidates.fetch_ids(rows)
        ranked = sorted((-scores.item(row), id, row) for id, row in zip(ids, rows, strict=True))
        return [self._make_hit(id, row) for _, id, row in ranked[:limit]]

    def _make_hit(self, id: str, row: int) -> Hit:
        # Taken one by one: hits are few, and slicing arrays costs more.
        words, meaning = self.words.item(row), self.meaning.item(row)
        parts = {"words": words, "meaning": meaning}
        bm25, similarity = round_score(self.search.candidates.bm25.item(row)), self.similarity.item(row)
        relevance = self._estimate_relevance(bm25, similarity)
        return Hit(id, words + meaning, parts, bm25, similarity, self.search.language, relevance)

    def _estimate_relevance(self, bm25: float, similarity: float) -> float | None:
        bound = self.search.candidates.word_bound
        # A cosine of exactly 0 belongs to a row without a vector, or to a search without one.
        return self.search.relevance_model.estimate(bm25 / bound if bound > 0 else None, similarity or None)


def weigh_languages(searches: Sequence[LanguageSearch], vectors: Mapping[str, Matrix]) -> list[float]:
    """Return a weight for the scores of each language.

    Scores are relative to the candidates of one language, so the best hit of a language in which nothing fits would
    rank first. The vector space that holds both languages makes them comparable: a language is weighted by the cosine
    of its best candidate. The fewer candidates of a language have a vector, the less that cosine says, and the more the
    language counts as the best one.
    """
    weights = [_FOREIGN if search.is_foreign else 1.0 for search in searches]
    if len(searches) < 2 or MULTILINGUAL not in vectors:
        return weights
    nearest = [_find_best_cosine(search.candidates, vectors[MULTILINGUAL]) for search in searches]
    top = max(cosine for cosine, _ in nearest)
    if top <= 0:
        return weights
    near = [share * cosine + (1 - share) * top for cosine, share in nearest]
    return [weight * cosine / top for weight, cosine in zip(weights, near, strict=True)]


def fuse(search: LanguageSearch, vectors: Mapping[str, Matrix], weight: float) -> RankedSearch:
    """Fuse word and meaning scores, in one compiled step where possible, else in Python with the same result."""
    fused = _fuse_compiled(search, vectors, weight)
    return fused or _fuse_in_python(search, vectors, weight)


def _fuse_compiled(search: LanguageSearch, vectors: Mapping[str, Matrix], weight: float) -> RankedSearch | None:
    candidates = search.candidates
    # The first number of a vector is 0 by a rare chance, else only where there is none.
    if search.space not in vectors or not len(candidates) or not candidates.vectors[search.space][:, 0].all():
        return None
    scores = fuse_scores(
        candidates.bm25,
        candidates.vectors[search.space],
        vectors[search.space],
        weight * (1 - search.share),
        weight * search.share,
        search.space == ENGLISH,
    )
    return RankedSearch(search, *scores) if scores else None


def _fuse_in_python(search: LanguageSearch, vectors: Mapping[str, Matrix], weight: float) -> RankedSearch:
    candidates = search.candidates
    relative = normalise_bm25(candidates.bm25)
    words = weigh_scores(relative, weight * (1 - search.share))
    zeros: ScoreArray = np.zeros(len(candidates))
    if search.space not in vectors or not len(candidates):
        # Without a model the words say what they can about the meaning, as for a row without a vector.
        estimated = (1 - search.share) * relative + search.share * estimate_meaning(relative)
        return RankedSearch(search, weigh_scores(estimated, weight) if search.share else words, zeros, zeros)
    rows, vector = candidates.vectors[search.space].astype(np.float64), vectors[search.space]
    similarity = compute_cosines(rows, vector)
    normalise: Callable[[ScoreArray], ScoreArray] = normalise_cosines
    if (embedded := _find_embedded(rows, relative, search.relevance_model.cosine_band)) is not None:
        normalise = embedded.normalise_cosines
        estimated = (1 - search.share) * relative + search.share * estimate_meaning(relative)
        words = np.where(embedded.rows, words, weigh_scores(estimated, weight))
    meaning = weigh_scores(normalise(similarity), weight * search.share)
    if search.space == ENGLISH:
        moved = _apply_feedback(vector, rows, words + meaning)
        meaning = weigh_scores(normalise(compute_cosines(rows, moved)), weight * search.share)
    return RankedSearch(search, words, meaning, similarity)


def _select_leading_rows(scores: ScoreArray, limit: int) -> list[int]:
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit] if len(scores) > limit else -np.inf
    rows: list[int] = np.flatnonzero(scores >= edge).tolist()
    return rows


def _find_embedded(
    rows: ScoreArray | Matrix, words: ScoreArray | Matrix, band: CosineBand | None
) -> EmbeddedRows | None:
    """Return which candidates have a vector, or None if all have."""
    if rows[:, 0].all():  # a quick test: the first number of a vector is hardly ever 0
        return None
    embedded = np.asarray(rows.any(axis=1))
    if embedded.all():
        return None
    by_words = embedded[words > 0]
    return EmbeddedRows(embedded, float(by_words.mean()) if len(by_words) else 1.0, band)


def _find_best_cosine(candidates: Candidates, vector: Matrix) -> tuple[float, float]:
    """Return the highest cosine, and the share of the candidates found by words that have a vector."""
    if not len(candidates):
        return 0.0, 1.0
    rows = candidates.vectors[MULTILINGUAL]
    embedded = _find_embedded(rows, candidates.bm25, None)
    return float(compute_cosines(rows, vector).max(initial=0.0)), 1.0 if embedded is None else embedded.share


def _apply_feedback(vector: Matrix, rows: ScoreArray, scores: ScoreArray) -> Matrix:
    """Return the query's vector moved towards the best candidates in proportion to their scores (relevance feedback).
    Ties go to the oldest."""
    best = np.argsort(-scores, kind="stable")[:_FEEDBACK_HITS]
    weights = scores[best]
    total = weights.sum()
    if total <= 0:
        return vector
    moved = vector + _FEEDBACK_WEIGHT * ((weights / total) @ rows[best])
    normal: Matrix = (moved / np.sqrt(moved.dot(moved))).astype(np.float32)
    return normal
