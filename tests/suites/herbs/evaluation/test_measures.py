"""The measures against worked examples, and the curated set against the graph."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from sanya.suites.herbs.evaluation.measures import (
    ConfidenceOutcome,
    compute_calibration_curve,
    compute_calibration_error,
    compute_ndcg,
    compute_recall,
    compute_reciprocal_rank,
)
from sanya.suites.herbs.evaluation.question_set import ANYTHING, filter_answerable, load_asked, load_curated
from tests.suites.herbs.graph_harness import GraphHarness


def test_recall_is_the_share_found_of_what_could_be() -> None:
    assert compute_recall(["a", "x", "b"], {"a", "b", "c"}, 3) == pytest.approx(2 / 3)
    assert compute_recall(["a", "x"], {"a", "b", "c"}, 1) == 1.0
    assert compute_recall(["a"], set(), 5) == 0.0


def test_rank_measures_look_at_the_order() -> None:
    assert compute_reciprocal_rank(["x", "a"], {"a"}) == 0.5
    assert compute_reciprocal_rank(["x"], {"a"}) == 0.0
    assert compute_ndcg(["a", "b"], {"a", "b"}, 10) == 1.0
    assert compute_ndcg(["x", "a"], {"a"}, 10) == pytest.approx(1 / math.log2(3))


def test_calibration_is_the_gap_between_confidence_and_truth() -> None:
    sure = [ConfidenceOutcome(0.95, True)] * 9 + [ConfidenceOutcome(0.95, False)]
    assert compute_calibration_error(sure) == pytest.approx(0.05)
    assert compute_calibration_error([ConfidenceOutcome(1.0, False)]) == 1.0
    assert compute_calibration_error([]) == 0.0
    (bin,) = compute_calibration_curve(sure)
    assert (bin.count, bin.right) == (10, 0.9)


async def test_the_curated_set_is_as_large_as_promised_and_points_into_the_graph(sqlite_starter: GraphHarness) -> None:
    graph = await sqlite_starter.store.load_graph()
    questions = filter_answerable(load_curated())
    assert Counter(question.language for question in questions) == {"th": 63, "en": 43}
    assert Counter(question.split for question in questions) == {"development": 63, "held_out": 43}
    for question in questions:
        assert question.relevant <= graph.nodes.keys(), question.id
        assert {fact.subject for fact in question.facts} <= graph.nodes.keys(), question.id
    assert len({question.id for question in load_curated()}) == len(load_curated()) == 160


async def test_the_asked_set_is_half_thai_and_points_into_the_graph(
    sqlite_starter: GraphHarness,
) -> None:
    graph = await sqlite_starter.store.load_graph()
    questions = load_asked()
    assert Counter(question.language for question in questions) == {"th": 666, "en": 705}
    assert Counter(question.split for question in questions) == {"development": 961, "held_out": 410}
    assert len({question.id for question in questions}) == len(questions)
    for question in questions:
        assert question.has_answer or question.reason, question.id
        assert question.relevant <= graph.nodes.keys(), question.id
        assert {fact.subject for fact in question.facts} <= {*graph.nodes, ANYTHING}, question.id
        assert set(question.under) <= graph.nodes.keys(), question.id
