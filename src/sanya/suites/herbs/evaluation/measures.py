"""The measures of an evaluation, as plain functions: ranks and calibration."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

BINS = 10


def compute_recall(found: Sequence[str], relevant: Collection[str], k: int) -> float:
    """The share of what is relevant among the first k; where more is relevant than k can hold, of those k."""
    if not relevant:
        return 0.0
    return len(set(found[:k]) & set(relevant)) / min(len(set(relevant)), k)


def compute_reciprocal_rank(found: Sequence[str], relevant: Collection[str]) -> float:
    return next((1 / rank for rank, one in enumerate(found, 1) if one in relevant), 0.0)


def compute_ndcg(found: Sequence[str], relevant: Collection[str], k: int) -> float:
    gained = sum(1 / math.log2(rank + 1) for rank, one in enumerate(found[:k], 1) if one in relevant)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(set(relevant)), k) + 1))
    return gained / ideal if ideal else 0.0


def compute_mean(values: Iterable[float]) -> float:
    taken = list(values)
    return sum(taken) / len(taken) if taken else 0.0


@dataclass(frozen=True, slots=True)
class ConfidenceOutcome:
    """A confidence that was given, and whether the answer turned out right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """One point of the calibration curve."""

    least: float
    most: float
    count: int
    confidence: float
    right: float


def compute_calibration_curve(judged: Sequence[ConfidenceOutcome], bins: int = BINS) -> list[CalibrationBin]:
    """The bins that hold something, from doubt to certainty."""
    filled: dict[int, list[ConfidenceOutcome]] = {}
    for one in judged:
        filled.setdefault(min(bins - 1, int(one.confidence * bins)), []).append(one)
    return [
        CalibrationBin(
            at / bins,
            (at + 1) / bins,
            len(some),
            compute_mean(one.confidence for one in some),
            compute_mean(float(one.right) for one in some),
        )
        for at, some in sorted(filled.items())
    ]


def compute_calibration_error(judged: Sequence[ConfidenceOutcome], bins: int = BINS) -> float:
    """How far confidence and truth are apart, averaged over all answers."""
    if not judged:
        return 0.0
    return sum(one.count * abs(one.confidence - one.right) for one in compute_calibration_curve(judged, bins)) / len(
        judged
    )
