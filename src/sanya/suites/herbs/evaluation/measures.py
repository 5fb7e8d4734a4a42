"""Measures of ranking and calibration, as plain functions."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

BINS = 10


def compute_recall(ranked_ids: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Return the share of relevant ids among the first k, of at most k relevant ones."""
    if not relevant:
        return 0.0
    return len(set(ranked_ids[:k]) & set(relevant)) / min(len(set(relevant)), k)


def compute_reciprocal_rank(ranked_ids: Sequence[str], relevant: Collection[str]) -> float:
    return next((1 / rank for rank, id in enumerate(ranked_ids, 1) if id in relevant), 0.0)


def compute_ndcg(ranked_ids: Sequence[str], relevant: Collection[str], k: int) -> float:
    gained = sum(1 / math.log2(rank + 1) for rank, id in enumerate(ranked_ids[:k], 1) if id in relevant)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(set(relevant)), k) + 1))
    return gained / ideal if ideal else 0.0


def compute_mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0


@dataclass(frozen=True, slots=True)
class ConfidenceOutcome:
    """The confidence of an answer, and whether the answer was right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """A point of the calibration curve: the answers whose confidence lies between `least` and `most`."""

    least: float
    most: float
    count: int
    confidence: float
    right: float


def compute_calibration_curve(judged: Sequence[ConfidenceOutcome], bins: int = BINS) -> list[CalibrationBin]:
    """Return the bins that hold an answer, by rising confidence."""
    filled: dict[int, list[ConfidenceOutcome]] = {}
    for outcome in judged:
        filled.setdefault(min(bins - 1, int(outcome.confidence * bins)), []).append(outcome)
    return [
        CalibrationBin(
            index / bins,
            (index + 1) / bins,
            len(outcomes),
            compute_mean(outcome.confidence for outcome in outcomes),
            compute_mean(float(outcome.right) for outcome in outcomes),
        )
        for index, outcomes in sorted(filled.items())
    ]


def compute_calibration_error(judged: Sequence[ConfidenceOutcome], bins: int = BINS) -> float:
    """Return the mean distance between confidence and truth over all answers."""
    if not judged:
        return 0.0
    return sum(
        bin_.count * abs(bin_.confidence - bin_.right) for bin_ in compute_calibration_curve(judged, bins)
    ) / len(judged)
