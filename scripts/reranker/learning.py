"""Rankers that are learned from pairs of hits of one question: a weighted sum, and an ensemble of small trees.

Both are functions of the features alone and need numpy alone. A pair counts the more, the more exchanging it would
change nDCG (LambdaRank).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scripts.reranker.sets import FloatArray, JudgedQuestion

Ranker = Callable[[FloatArray], FloatArray]
"""Returns a score for each row of features."""

_RIDGE, _STEPS, _RATE = 0.01, 300, 0.1
_TREES, _DEPTH, _SHRINK, _BINS, _MIN_LEAF = 50, 3, 0.1, 16, 30
_MOST_QUESTIONS, _SEED = 1000, 20_250_101
"""Trees learn from so many questions, drawn once: from four times as many they take four times as long."""


class LearningSet:
    """The questions that have both an answer and something else, as one table."""

    def __init__(self, questions: Sequence[JudgedQuestion]) -> None:
        useful = [q for q in questions if q.is_relevant.any() and not q.is_relevant.all()]
        self.rows = np.concatenate([scale(q.features) for q in useful])
        sizes = np.cumsum([0, *(len(q.features) for q in useful)])
        pairs = [_list_pairs(q.is_relevant, start) for q, start in zip(useful, sizes, strict=False)]
        self.better = np.concatenate([better for better, _, _ in pairs])
        self.worse = np.concatenate([worse for _, worse, _ in pairs])
        self.weights = np.concatenate([weights for _, _, weights in pairs])

    def compute_gradient(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how far each score should rise, and the curvature of the loss there."""
        doubt = 1 / (1 + np.exp(np.clip(scores[self.better] - scores[self.worse], -30, 30)))
        slope, curve = self.weights * doubt, self.weights * doubt * (1 - doubt)
        gradient, curvature = np.zeros(len(scores)), np.zeros(len(scores))
        for rows, sign in ((self.better, 1.0), (self.worse, -1.0)):
            np.add.at(gradient, rows, sign * slope)
            np.add.at(curvature, rows, curve)
        return gradient, curvature


def scale(features: FloatArray) -> FloatArray:
    """Put beside each feature the same one relative to the hits of its question: only those are compared."""
    spread = features.std(axis=0)
    relative = (features - features.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.hstack([features, relative])


def learn_sum(questions: Sequence[JudgedQuestion]) -> Ranker:
    learned = LearningSet(questions)
    mean, spread = learned.rows.mean(axis=0), learned.rows.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    rows = (learned.rows - mean) / spread
    weights = np.zeros(rows.shape[1])
    total = learned.weights.sum()
    for _ in range(_STEPS):
        gradient, _ = learned.compute_gradient(rows @ weights)
        weights += _RATE * (rows.T @ gradient / total - _RIDGE * weights)
    return lambda features: (scale(features) - mean) / spread @ weights


def learn_trees(questions: Sequence[JudgedQuestion]) -> Ranker:
    drawn = np.random.default_rng(_SEED).permutation(len(questions))[:_MOST_QUESTIONS]
    learned = LearningSet([questions[at] for at in drawn])
    edges = [np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1])) for column in learned.rows.T]
    bins = np.stack([np.searchsorted(own, column) for own, column in zip(edges, learned.rows.T, strict=True)], axis=1)
    scores = np.zeros(len(bins))
    trees: list[_Tree] = []
    for _ in range(_TREES):
        trees.append(_Tree(bins, *learned.compute_gradient(scores)))
        scores += _SHRINK * trees[-1].predict(bins)

    def rank(features: FloatArray) -> FloatArray:
        own = np.stack([np.searchsorted(e, column) for e, column in zip(edges, scale(features).T, strict=True)], axis=1)
        predicted: FloatArray = np.sum([tree.predict(own) for tree in trees], axis=0)
        return predicted

    return rank


class _Tree:
    """A regression tree on binned features, grown by the second-order gain (as gradient boosting does)."""

    def __init__(self, bins: NDArray[np.int64], gradient: FloatArray, curvature: FloatArray, depth: int = 0) -> None:
        self.value = float(gradient.sum() / (curvature.sum() + 1.0))
        self.split: tuple[int, int, _Tree, _Tree] | None = None
        if depth == _DEPTH or len(bins) < 2 * _MIN_LEAF:
            return
        gain, feature, edge = max(_rate_splits(bins, gradient, curvature))
        if gain > 0:
            left = bins[:, feature] <= edge
            sides = (left, ~left)
            grown = [_Tree(bins[side], gradient[side], curvature[side], depth + 1) for side in sides]
            self.split = feature, edge, grown[0], grown[1]

    def predict(self, bins: NDArray[np.int64]) -> FloatArray:
        if self.split is None:
            return np.full(len(bins), self.value)
        feature, edge, low, high = self.split
        left = bins[:, feature] <= edge
        predicted = np.empty(len(bins))
        predicted[left], predicted[~left] = low.predict(bins[left]), high.predict(bins[~left])
        return predicted


def _rate_splits(bins: NDArray[np.int64], gradient: FloatArray, curvature: FloatArray) -> list[tuple[float, int, int]]:
    """Return the gain of the best split of each feature, with the feature and the last bin of the lower side."""
    whole, weight, count = gradient.sum(), curvature.sum(), len(bins)
    found = [(0.0, 0, 0)]
    for feature in range(bins.shape[1]):
        low, low_weight, low_count = (
            np.cumsum(np.bincount(bins[:, feature], values, _BINS))[:-1]
            for values in (gradient, curvature, np.ones(count))
        )
        gains = low**2 / (low_weight + 1) + (whole - low) ** 2 / (weight - low_weight + 1) - whole**2 / (weight + 1)
        gains[(low_count < _MIN_LEAF) | (count - low_count < _MIN_LEAF)] = -1
        edge = int(gains.argmax())
        found.append((float(gains[edge]), feature, edge))
    return found


def _list_pairs(is_relevant: NDArray[np.bool_], start: int) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]:
    better, worse = np.flatnonzero(is_relevant), np.flatnonzero(~is_relevant)
    first, second = np.repeat(better, len(worse)), np.tile(worse, len(better))
    worth = 1 / np.log2(np.arange(len(is_relevant)) + 2)
    weights = np.abs(worth[first] - worth[second])
    return first + start, second + start, weights / weights.sum()
