"""Fits how sure answers are to the development questions and writes src/sanya/suites/herbs/answers/calibration.json, with its
measures on the questions that were held out. Run it after search, answers or the question set have changed."""

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
from sanya.suites.herbs.evaluation.question_set import load_curated
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.search.index import SearchIndex

TARGET = Path(str(files("sanya.suites.herbs.answers"))) / "calibration.json"
_RIDGE = 0.1
_FOLDS = 10
Numbers = NDArray[np.float64]


async def main() -> None:
    judgements = await _judgements()
    curves, measures = {}, {}
    for curve in ("retrieval", "answer"):
        rows = [_row(curve, one) for one in judgements if curve == "answer" or one.question.kind != "unrecorded"]
        names = list(rows[0][1])
        tuned = [row for row in rows if row[0] == "development"]
        weights = _fitted(*_matrix(tuned))
        curves[curve] = {"bias": round(float(weights[0]), 4)} | {
            name: round(float(weight), 4) for name, weight in zip(names, weights[1:], strict=True)
        }
        held_out = [row for row in rows if row[0] == "held_out"]
        measures[curve] = {
            "questions": len(tuned),
            "held_out_questions": len(held_out),
            "ece_cross_validated": _cross_validated(tuned),
            "ece_held_out": _ece(*_matrix(held_out), weights),
        }
    TARGET.write_text(json.dumps({"curves": curves, "measures": measures}, indent=2) + "\n", encoding="utf-8")


async def _judgements() -> list[Judgement]:
    with TemporaryDirectory() as home:
        async with sanya.app.open(home) as app:
            searchable = await SearchIndex(HerbStore(app.database), app.library).prepare()
            return [await judge(searchable, question) for question in load_curated()]


def _row(curve: str, one: Judgement) -> tuple[str, dict[str, float], float]:
    signs = one.drafted.features if curve == "answer" else one.drafted.retrieval_features
    right = one.right if curve == "answer" else one.has_relevant_hit
    return one.question.split, asdict(signs), float(right)


def _matrix(rows: Sequence[tuple[str, dict[str, float], float]]) -> tuple[Numbers, Numbers]:
    return np.array([[1.0, *signs.values()] for _, signs, _ in rows]), np.array([right for _, _, right in rows])


def _fitted(signs: Numbers, right: Numbers) -> Numbers:
    """Logistic regression with a ridge, by Newton's method."""
    weights = np.zeros(signs.shape[1])
    ridge = np.eye(len(weights)) * _RIDGE
    ridge[0, 0] = 1e-3
    for _ in range(100):
        chance = 1 / (1 + np.exp(-signs @ weights))
        slope = signs.T @ (chance - right) + ridge @ weights
        bend = (signs * (chance * (1 - chance))[:, None]).T @ signs + ridge
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-10:
            break
    return weights


def _cross_validated(rows: Sequence[tuple[str, dict[str, float], float]]) -> float:
    signs, right = _matrix(rows)
    chance = np.zeros(len(right))
    for fold in range(_FOLDS):
        left_out = np.arange(len(right)) % _FOLDS == fold
        weights = _fitted(signs[~left_out], right[~left_out])
        chance[left_out] = 1 / (1 + np.exp(-signs[left_out] @ weights))
    return _error(chance, right)


def _ece(signs: Numbers, right: Numbers, weights: Numbers) -> float:
    return _error(1 / (1 + np.exp(-signs @ weights)), right)


def _error(chance: Numbers, right: Numbers) -> float:
    judged = [ConfidenceOutcome(float(one), bool(was)) for one, was in zip(chance, right, strict=True)]
    return round(compute_calibration_error(judged), 4)


if __name__ == "__main__":
    asyncio.run(main())
