"""How sure an answer is, as a probability: what was seen of it, weighed by a logistic curve that was fitted to the
development questions (scripts/calibrate_herbs.py writes calibration.json; its measures are in docs/herbs.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Curve = Literal["retrieval", "answer"]
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class RetrievalSigns:
    """What can be seen of a search without knowing whether it is right; each 0 to 1."""

    graph: float
    """How far the best hit is named by the question or linked to what it names."""
    words: float
    meaning: float
    known: float
    """The share of the question's words, beside names, that the hits' passages hold."""


@dataclass(frozen=True, slots=True)
class AnswerSigns:
    """The same of an answer."""

    fit: float
    """How well the best statement fits what is asked."""
    graph: float
    """How far what it is about is named by the question or linked to what it names."""
    relevance: float
    known: float
    """The share of the question's words, beside names, that the statements hold."""
    asked_elsewhere: float
    """Whether it asks for what the graph does not hold: doses, prices, growing."""


def confidence(curve: Curve, signs: RetrievalSigns | AnswerSigns) -> float:
    weights = _curves()[curve]
    total = weights["bias"] + sum(weights[name] * value for name, value in asdict(signs).items())
    return round(1 / (1 + math.exp(-total)), _DIGITS)


def known_share(asked: Iterable[str], held: Iterable[str], *, names_something: bool) -> float:
    """The share of a question's words, beside the names in it, that are held somewhere. A question that is nothing but
    names is known; one that is nothing at all is not."""
    words = set(asked)
    return len(words & set(held)) / len(words) if words else float(names_something)


@cache
def _curves() -> Mapping[str, Mapping[str, float]]:
    text = (files("sanya.suites.herbs.answers") / "calibration.json").read_text(encoding="utf-8")
    curves: Mapping[str, Mapping[str, float]] = json.loads(text)["curves"]
    return curves
