"""Figures of judgements, compared with values computed by hand."""

from __future__ import annotations

import pytest

from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.question_set import load_curated, load_smoke
from tests.suites.herbs.evaluation.examples import judgement, mixed, question


def test_every_metric_says_what_it_rests_on() -> None:
    metrics = mixed().metrics
    assert {name: (metrics[name].value, metrics[name].n) for name in mixed().list_metric_names()} == {
        "R@10": (pytest.approx(5 / 6), 6),
        "MRR": (pytest.approx(5 / 6), 6),
        "nDCG@10": (pytest.approx(5 / 6), 6),
        "factuality": (0.75, 4),
        "answers_right": (0.5, 4),
        "answered": (0.6, 5),
        "gate_precision": (pytest.approx(2 / 3), 3),
        "ECE": (pytest.approx(metrics["ECE"].value), 7),
    }


def test_what_has_nothing_to_rest_on_is_not_measured() -> None:
    alone = EvaluationFigures((judgement(question("a", judges_answer=False, facts=())),), 5, 0.6, 1)
    assert [name for name in alone.list_metric_names() if name in alone.metrics] == ["R@5", "MRR", "nDCG@5"]
    assert alone.list_metric_names(["R@k", "R@5", "ECE"]) == ["R@5", "ECE"]


def test_the_worst_come_first() -> None:
    assert [judgement.question.id for judgement in mixed().list_worst(20)] == ["g", "b", "e", "f", "c"]


def test_a_group_is_handled_well_where_it_is_answered_rightly_or_withheld_rightly() -> None:
    groups = {group.name: group for group in mixed().group_by(lambda judgement: judgement.question.kind)}
    assert (groups["outside"].recall, groups["outside"].handled) == (None, 0.5)
    assert groups["safety"].handled == 0.4


def test_the_smoke_set_has_a_little_of_everything_in_both_languages() -> None:
    assert {(smoke.language, smoke.kind) for smoke in load_smoke()} <= {
        (curated.language, curated.kind) for curated in load_curated()
    }
    assert {smoke.kind for smoke in load_smoke()} == {curated.kind for curated in load_curated()}
    assert {smoke.split for smoke in load_smoke()} == {"development"}
    assert len(load_smoke()) <= 25


def test_a_group_counts_what_was_wrongly_withheld_and_wrongly_given() -> None:
    groups = {group.name: group for group in mixed().group_by(lambda judgement: judgement.question.language)}
    english = groups["en"]
    assert (english.withheld_wrongly, english.given_wrongly) == (2, 1)
    assert english.precision == pytest.approx(2 / 3, abs=1e-5)
    assert groups["th"].given_wrongly == 1
