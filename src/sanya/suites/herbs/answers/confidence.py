"""Confidence of a search and of an answer, as a calibrated probability.

Each is a logistic function of a few features: numbers between 0 and 1 that can be seen of a search or a draft without
knowing whether it is right. `scripts/calibrate_herbs.py` fits the weights to the development questions and writes them
to `calibration.json`, with the calibration error on held-out questions. A confidence of 0.8 therefore means that about
four in five such answers state the reference fact.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

CurveName = Literal["retrieval", "answer"]
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class RetrievalFeatures:
    """Features of a search. The field names are the keys of the weights in calibration.json."""

    graph: float
    """How strongly the best linked hit is named by the question or linked to what it names."""
    words: float
    meaning: float
    known: float
    """The share of the question's content words that the hits' passages hold."""


@dataclass(frozen=True, slots=True)
class AnswerFeatures:
    """Features of a draft. The field names are the keys of the weights in calibration.json."""

    fit: float
    """How well the best fact fits the question."""
    graph: float
    """The feature of the same name of the search that the draft was made from."""
    relevance: float
    known: float
    """The share of the question's content words that the quoted facts hold."""
    certainty: float
    """How certain the names of the question were recognised."""
    is_planned: float
    """1 where the question was understood and a table answers it, 0 where words and vectors chose the facts."""


NO_ANSWER = AnswerFeatures(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def estimate_confidence(curve: CurveName, features: RetrievalFeatures | AnswerFeatures, kind: str = "") -> float:
    """Return the confidence. `kind` is the kind of question: each has its own bias, because the tables differ in how
    often they hold what was asked."""
    if features == NO_ANSWER:
        return 0.0
    weights = _load_curves()[curve]
    total = weights["bias"] + sum(weights[name] * value for name, value in asdict(features).items())
    total += weights.get(f"kind:{kind}", 0.0)
    return round(1 / (1 + math.exp(-total)), _DIGITS)


def measure_known_share(question_words: Iterable[str], text_words: Iterable[str], *, has_names: bool) -> float:
    """Return the share of the question's words that the texts hold. A question of nothing but names counts as known, an
    empty one as unknown."""
    words = set(question_words)
    return len(words & set(text_words)) / len(words) if words else float(has_names)


@cache
def _load_curves() -> Mapping[str, Mapping[str, float]]:
    text = (files("sanya.suites.herbs.answers") / "calibration.json").read_text(encoding="utf-8")
    curves: Mapping[str, Mapping[str, float]] = json.loads(text)["curves"]
    return curves
