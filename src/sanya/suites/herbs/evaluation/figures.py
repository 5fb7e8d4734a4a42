"""What a set of judgements comes to: every metric with what it rests on, and the figures that the report draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from sanya.suites.herbs.evaluation.judgement import Judgement
from sanya.suites.herbs.evaluation.measures import (
    CalibrationBin,
    ConfidenceOutcome,
    compute_calibration_curve,
    compute_calibration_error,
    compute_mean,
    compute_ndcg,
    compute_recall,
    compute_reciprocal_rank,
)

DEPTH = 50
_DIGITS = 6
ALL_METRICS = ("R@k", "MRR", "nDCG@k", "factuality", "answers_right", "answered", "gate_precision", "ECE")
LOWER_IS_BETTER = frozenset({"ECE"})
GateOutcome = Literal["given_right", "given_wrong", "withheld_rightly", "withheld_needlessly"]


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    value: float
    n: int
    """How many questions, answers or sentences it rests on."""


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """The questions of one language or kind. A share is None where none of them has anything to measure."""

    name: str
    questions: int
    recall: float | None
    handled: float | None
    """Answered rightly where there is an answer, withheld where there is none."""


@dataclass(frozen=True)
class EvaluationFigures:
    judged: tuple[Judgement, ...]
    k: int
    least_confidence: float
    revision: int

    @cached_property
    def searched(self) -> tuple[Judgement, ...]:
        return tuple(one for one in self.judged if one.question.relevant)

    @cached_property
    def answering(self) -> tuple[Judgement, ...]:
        """Those whose answers are looked at."""
        return tuple(one for one in self.judged if one.question.judges_answer)

    @cached_property
    def given(self) -> tuple[Judgement, ...]:
        return tuple(one for one in self.answering if not self.is_withheld(one))

    @cached_property
    def withheld(self) -> tuple[Judgement, ...]:
        return tuple(one for one in self.answering if self.is_withheld(one))

    def is_withheld(self, one: Judgement) -> bool:
        return one.is_withheld(self.least_confidence)

    def classify_outcome(self, one: Judgement) -> GateOutcome:
        if self.is_withheld(one):
            return "withheld_needlessly" if one.right else "withheld_rightly"
        return "given_right" if one.right else "given_wrong"

    def is_handled_well(self, one: Judgement) -> bool:
        return self.is_withheld(one) != one.question.has_answer and (one.right or not one.question.has_answer)

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """Every metric that has something to rest on, by name; R and nDCG at every depth up to 50."""
        found = [_metric("MRR", self.searched, _rank), *self._answer_metrics()]
        for depth in range(1, DEPTH + 1):
            found += [
                _metric(f"R@{depth}", self.searched, _recall(depth)),
                _metric(f"nDCG@{depth}", self.searched, _ndcg(depth)),
            ]
        return {one.name: one for one in found if one is not None}

    def _answer_metrics(self) -> list[Metric | None]:
        sentences = [sentence.is_supported for one in self.given for sentence in one.sentences]
        with_answer = [one for one in self.answering if one.question.has_answer]
        ece = compute_calibration_error(self.certainties)
        return [
            _metric("factuality", sentences, float),
            _metric("answers_right", self.given, lambda one: float(one.right)),
            _metric("answered", with_answer, lambda one: float(not self.is_withheld(one))),
            _metric("gate_precision", self.withheld, lambda one: float(not one.right)),
            Metric("ECE", round(ece, _DIGITS), len(self.certainties)) if self.certainties else None,
        ]

    @cached_property
    def certainties(self) -> list[ConfidenceOutcome]:
        return [ConfidenceOutcome(one.answer_conf, one.right) for one in self.answering]

    @cached_property
    def curve(self) -> list[CalibrationBin]:
        return compute_calibration_curve(self.certainties)

    def list_metric_names(self, names: Iterable[str] | None = None) -> list[str]:
        """The names as they are told, R@k with the k of this run; all of them where none are asked for."""
        return list(dict.fromkeys(name.replace("@k", f"@{self.k}") for name in names or ALL_METRICS))

    def compute_recalls(self, some: Sequence[Judgement], most: int) -> list[float]:
        return [
            compute_mean(compute_recall(one.found, one.question.relevant, at) for one in some)
            for at in range(1, most + 1)
        ]

    def group_by(self, name_of: Callable[[Judgement], str]) -> list[QuestionGroup]:
        parted: dict[str, list[Judgement]] = {}
        for one in self.judged:
            parted.setdefault(name_of(one), []).append(one)
        return [self._group(name, some) for name, some in sorted(parted.items())]

    def _group(self, name: str, some: Sequence[Judgement]) -> QuestionGroup:
        searched = [one for one in some if one.question.relevant]
        answering = [one for one in some if one.question.judges_answer]
        recall = _metric("", searched, _recall(self.k))
        handled = _metric("", answering, lambda one: float(self.is_handled_well(one)))
        return QuestionGroup(name, len(some), _value(recall), _value(handled))

    def list_worst(self, most: int) -> list[Judgement]:
        """What a reader should look at first: wrong answers that were given, the surest before the others, then answers
        withheld for nothing, then what search did not find."""
        bad = [one for one in self.judged if self._badness(one) is not None]
        return sorted(bad, key=lambda one: (self._badness(one) or (9, 0.0), one.question.id))[:most]

    def _badness(self, one: Judgement) -> tuple[int, float] | None:
        recall = compute_recall(one.found, one.question.relevant, self.k) if one.question.relevant else 1.0
        is_looked_at, is_withheld = one.question.judges_answer, self.is_withheld(one)
        if is_looked_at and not is_withheld and not (one.right and all(one.supported_sentences)):
            return int(all(one.supported_sentences)), -one.answer_conf
        if recall == 0:
            return 2, 0.0
        if is_looked_at and is_withheld and one.question.has_answer:
            return 3 if one.right else 4, -one.answer_conf
        return (5, recall) if recall < 1 else None


def _metric(name: str, some: Sequence[object], value: Callable[..., float]) -> Metric | None:
    return Metric(name, round(compute_mean(value(one) for one in some), _DIGITS), len(some)) if some else None


def _value(metric: Metric | None) -> float | None:
    return None if metric is None else metric.value


def _rank(one: Judgement) -> float:
    return compute_reciprocal_rank(one.found, one.question.relevant)


def _recall(depth: int) -> Callable[[Judgement], float]:
    return lambda one: compute_recall(one.found, one.question.relevant, depth)


def _ndcg(depth: int) -> Callable[[Judgement], float]:
    return lambda one: compute_ndcg(one.found, one.question.relevant, depth)
