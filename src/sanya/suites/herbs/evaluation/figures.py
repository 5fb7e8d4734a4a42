"""The figures of an evaluation: every metric with its sample size, and the data of the report's plots."""

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
    """The number of questions, answers or sentences it is computed from."""


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """The questions of one language or kind. A share is None where no question has anything to measure."""

    name: str
    questions: int
    recall: float | None
    handled: float | None
    """The share answered rightly where there is an answer, or withheld where there is none."""
    precision: float | None = None
    """The share of the answers given that are right."""
    withheld_wrongly: int = 0
    """Questions that have an answer and got none."""
    given_wrongly: int = 0
    """Answers given that are wrong, or to questions that have none."""


@dataclass(frozen=True)
class EvaluationFigures:
    judged: tuple[Judgement, ...]
    k: int
    least_confidence: float
    revision: int

    @cached_property
    def searched(self) -> tuple[Judgement, ...]:
        return tuple(judgement for judgement in self.judged if judgement.question.relevant)

    @cached_property
    def answering(self) -> tuple[Judgement, ...]:
        """The judgements of questions whose answers are judged."""
        return tuple(judgement for judgement in self.judged if judgement.question.judges_answer)

    @cached_property
    def given(self) -> tuple[Judgement, ...]:
        return tuple(judgement for judgement in self.answering if not self.is_withheld(judgement))

    @cached_property
    def withheld(self) -> tuple[Judgement, ...]:
        return tuple(judgement for judgement in self.answering if self.is_withheld(judgement))

    def is_withheld(self, judgement: Judgement) -> bool:
        return judgement.is_withheld(self.least_confidence)

    def classify_outcome(self, judgement: Judgement) -> GateOutcome:
        if self.is_withheld(judgement):
            return "withheld_needlessly" if judgement.right else "withheld_rightly"
        return "given_right" if judgement.right else "given_wrong"

    def is_handled_well(self, judgement: Judgement) -> bool:
        has_answer = judgement.question.has_answer
        return self.is_withheld(judgement) != has_answer and (judgement.right or not has_answer)

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """Every metric that can be computed, by name; R and nDCG at every depth up to 50."""
        metrics = [_compute_metric("MRR", self.searched, _measure_rank), *self._answer_metrics()]
        for depth in range(1, DEPTH + 1):
            metrics += [
                _compute_metric(f"R@{depth}", self.searched, _measure_recall(depth)),
                _compute_metric(f"nDCG@{depth}", self.searched, _measure_ndcg(depth)),
            ]
        return {metric.name: metric for metric in metrics if metric is not None}

    def _answer_metrics(self) -> list[Metric | None]:
        sentences = [sentence.is_supported for judgement in self.given for sentence in judgement.sentences]
        with_answer = [judgement for judgement in self.answering if judgement.question.has_answer]
        ece = compute_calibration_error(self.certainties)
        return [
            _compute_metric("factuality", sentences, float),
            _compute_metric("answers_right", self.given, lambda judgement: float(judgement.right)),
            _compute_metric("answered", with_answer, lambda judgement: float(not self.is_withheld(judgement))),
            _compute_metric("gate_precision", self.withheld, lambda judgement: float(not judgement.right)),
            Metric("ECE", round(ece, _DIGITS), len(self.certainties)) if self.certainties else None,
        ]

    @cached_property
    def certainties(self) -> list[ConfidenceOutcome]:
        return [ConfidenceOutcome(judgement.answer_conf, judgement.right) for judgement in self.answering]

    @cached_property
    def curve(self) -> list[CalibrationBin]:
        return compute_calibration_curve(self.certainties)

    def list_metric_names(self, names: Iterable[str] | None = None) -> list[str]:
        """Return the names of metrics with `@k` replaced by the k of this run; all metrics where no names are given."""
        return list(dict.fromkeys(name.replace("@k", f"@{self.k}") for name in names or ALL_METRICS))

    def compute_recalls(self, judgements: Sequence[Judgement], max_depth: int) -> list[float]:
        return [
            compute_mean(
                compute_recall(judgement.hit_ids, judgement.question.relevant, depth) for judgement in judgements
            )
            for depth in range(1, max_depth + 1)
        ]

    def group_by(self, get_name: Callable[[Judgement], str]) -> list[QuestionGroup]:
        groups: dict[str, list[Judgement]] = {}
        for judgement in self.judged:
            groups.setdefault(get_name(judgement), []).append(judgement)
        return [self._summarise_group(name, judgements) for name, judgements in sorted(groups.items())]

    def _summarise_group(self, name: str, judgements: Sequence[Judgement]) -> QuestionGroup:
        searched = [judgement for judgement in judgements if judgement.question.relevant]
        answering = [judgement for judgement in judgements if judgement.question.judges_answer]
        recall = _compute_metric("", searched, _measure_recall(self.k))
        handled = _compute_metric("", answering, lambda judgement: float(self.is_handled_well(judgement)))
        given = [judgement for judgement in answering if not self.is_withheld(judgement)]
        precision = _compute_metric("", given, lambda judgement: float(judgement.right))
        withheld = [judgement for judgement in answering if self.is_withheld(judgement)]
        return QuestionGroup(
            name,
            len(judgements),
            _get_value(recall),
            _get_value(handled),
            precision=_get_value(precision),
            withheld_wrongly=sum(judgement.question.has_answer for judgement in withheld),
            given_wrongly=sum(not judgement.right for judgement in given),
        )

    def list_worst(self, limit: int) -> list[Judgement]:
        """Return what to look at first: wrong answers that were given, the most confident first, then questions without
        a relevant hit, then answers withheld needlessly, then hits that are missing."""
        ranked = [
            (badness, judgement.question.id, judgement)
            for judgement in self.judged
            if (badness := self._rank_badness(judgement)) is not None
        ]
        return [judgement for _, _, judgement in sorted(ranked, key=lambda item: item[:2])[:limit]]

    def _rank_badness(self, judgement: Judgement) -> tuple[int, float] | None:
        question = judgement.question
        recall = compute_recall(judgement.hit_ids, question.relevant, self.k) if question.relevant else 1.0
        is_judged, is_withheld = question.judges_answer, self.is_withheld(judgement)
        if is_judged and not is_withheld and not (judgement.right and all(judgement.supported_sentences)):
            return int(all(judgement.supported_sentences)), -judgement.answer_conf
        if recall == 0:
            return 2, 0.0
        if is_judged and is_withheld and question.has_answer:
            return 3 if judgement.right else 4, -judgement.answer_conf
        return (5, recall) if recall < 1 else None


def _compute_metric(name: str, items: Sequence[object], measure: Callable[..., float]) -> Metric | None:
    return Metric(name, round(compute_mean(measure(item) for item in items), _DIGITS), len(items)) if items else None


def _get_value(metric: Metric | None) -> float | None:
    return None if metric is None else metric.value


def _measure_rank(judgement: Judgement) -> float:
    return compute_reciprocal_rank(judgement.hit_ids, judgement.question.relevant)


def _measure_recall(depth: int) -> Callable[[Judgement], float]:
    return lambda judgement: compute_recall(judgement.hit_ids, judgement.question.relevant, depth)


def _measure_ndcg(depth: int) -> Callable[[Judgement], float]:
    return lambda judgement: compute_ndcg(judgement.hit_ids, judgement.question.relevant, depth)
