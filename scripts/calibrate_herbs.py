"""Fits the confidence of searches and answers to the development questions.

Writes src/sanya/suites/herbs/answers/calibration.json, with the calibration error on the held-out questions. Run it
after search, answers or the question set have changed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

import sanya.app
from sanya.suites.herbs.evaluation.judgement import Judgement, judge
from sanya.suites.herbs.evaluation.measures import ConfidenceOutcome, compute_calibration_error
from sanya.suites.herbs.evaluation.question_set import load_asked, load_curated
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.search.index import SearchIndex

TARGET = Path(str(files("sanya.suites.herbs.answers"))) / "calibration.json"
_RIDGE = 0.3
_FOLDS = 10
# No number of right answers to our own questions makes an answer certain.
_DOUBT = 0.02
FloatArray = NDArray[np.float64]
Sample = tuple[str, dict[str, float], float]
"""The split of a question, its features, and 1 where the search or the answer was right."""


async def main() -> None:
    judgements = await _judge_all()
    TARGET.write_text(json.dumps(calibrate(judgements), indent=2) + "\n", encoding="utf-8")


def calibrate(judgements: Sequence[Judgement]) -> dict[str, dict[str, dict[str, float]]]:
    """Fit both curves to the development questions, and measure them on the held-out ones."""
    curves, measures = {}, {}
    for curve in ("retrieval", "answer"):
        samples = [_build_sample(curve, judgement) for judgement in judgements if _is_sample(curve, judgement)]
        names = list(dict.fromkeys(name for _, values, _ in samples for name in values))
        development = [sample for sample in samples if sample[0] == "development"]
        weights = _fit_weights(*_build_matrix(development, names))
        curves[curve] = {"bias": round(float(weights[0]), 4)} | {
            name: round(float(weight), 4) for name, weight in zip(names, weights[1:], strict=True)
        }
        held_out = [sample for sample in samples if sample[0] == "held_out"]
        measures[curve] = {
            "questions": len(development),
            "held_out_questions": len(held_out),
            "ece_cross_validated": _cross_validate(development, names),
            "ece_held_out": _measure_error(*_build_matrix(held_out, names), weights),
        }
    return {"curves": curves, "measures": measures}


async def _judge_all() -> list[Judgement]:
    with TemporaryDirectory() as home:
        async with sanya.app.open(home) as app:
            indexed = await SearchIndex(HerbStore(app.database), app.library).prepare()
            return [await judge(indexed, question) for question in (*load_curated(), *load_asked())]


def _is_sample(curve: str, judgement: Judgement) -> bool:
    """Return whether a question teaches the curve. A draft without a line is withheld whatever its confidence."""
    if curve == "answer":
        return bool(judgement.drafted.lines)
    return judgement.question.kind != "unrecorded"


def _build_sample(curve: str, judgement: Judgement) -> Sample:
    if curve == "retrieval":
        features = asdict(judgement.drafted.retrieval_features)
        return judgement.question.split, features, float(judgement.has_relevant_hit)
    features = asdict(judgement.drafted.features) | {f"kind:{judgement.drafted.kind}": 1.0}
    return judgement.question.split, features, float(judgement.right)


def _build_matrix(samples: Sequence[Sample], names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    features = np.array([[1.0, *(values.get(name, 0.0) for name in names)] for _, values, _ in samples])
    return features, np.array([_DOUBT + (1 - 2 * _DOUBT) * right for _, _, right in samples])


def _fit_weights(features: FloatArray, right: FloatArray) -> FloatArray:
    """Fit a logistic regression with a ridge penalty, by Newton's method."""
    weights = np.zeros(features.shape[1])
    ridge = np.eye(len(weights)) * _RIDGE
    ridge[0, 0] = 1e-3
    for _ in range(100):
        probability = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (probability - right) + ridge @ weights
        hessian = (features * (probability * (1 - probability))[:, None]).T @ features + ridge
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-10:
            break
    return weights


def _cross_validate(samples: Sequence[Sample], names: Sequence[str]) -> float:
    features, right = _build_matrix(samples, names)
    probability = np.zeros(len(right))
    for fold in range(_FOLDS):
        left_out = np.arange(len(right)) % _FOLDS == fold
        weights = _fit_weights(features[~left_out], right[~left_out])
        probability[left_out] = 1 / (1 + np.exp(-features[left_out] @ weights))
    return _compute_error(probability, right)


def _measure_error(features: FloatArray, right: FloatArray, weights: FloatArray) -> float:
    return _compute_error(1 / (1 + np.exp(-features @ weights)), right)


def _compute_error(probability: FloatArray, right: FloatArray) -> float:
    outcomes = [
        ConfidenceOutcome(float(confidence), bool(is_right > 0.5))
        for confidence, is_right in zip(probability, right, strict=True)
    ]
    return round(compute_calibration_error(outcomes), 4)


if __name__ == "__main__":
    asyncio.run(main())
