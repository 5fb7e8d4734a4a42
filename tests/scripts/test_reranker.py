"""The frame that tries learned rerankers finds a rule where there is one, and reports a gain only then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from scripts.reranker.features import TermCounts, measure_match
from scripts.reranker.learning import Ranker, learn_sum, learn_trees
from scripts.reranker.sets import JudgedQuestion, compute_gain

DOCUMENTS = [["salt", "raises", "blood", "pressure"], ["blood", "test", "of", "salt"], ["pressure", "cooker"], ["rice"]]
COUNTS = TermCounts(DOCUMENTS)
Learn = Callable[[Sequence[JudgedQuestion]], Ranker]


def _make_questions(count: int, seed: int, *, has_rule: bool) -> list[JudgedQuestion]:
    """Make questions with eight candidates of four features; the third says which of them answers, if any does."""
    random = np.random.default_rng(seed)
    questions = []
    for number in range(count):
        features = random.random((8, 4))
        best = int(features[:, 2].argmax()) if has_rule else int(random.integers(8))
        questions.append(JudgedQuestion("set", str(number), "", features, np.arange(8) == best, 1))
    return questions


@pytest.mark.parametrize("learn", [learn_sum, learn_trees])
def test_a_rule_is_learned_and_holds_for_other_questions(learn: Learn) -> None:
    rank = learn(_make_questions(200, 1, has_rule=True))
    unseen = _make_questions(50, 2, has_rule=True)
    gains = [compute_gain(question, np.argsort(-rank(question.features))) for question in unseen]
    assert np.mean(gains) > 0.9


@pytest.mark.parametrize("learn", [learn_sum, learn_trees])
def test_where_there_is_no_rule_other_questions_gain_nothing(learn: Learn) -> None:
    rank = learn(_make_questions(200, 1, has_rule=False))
    unseen = _make_questions(400, 2, has_rule=False)
    today = np.mean([compute_gain(question, np.arange(8)) for question in unseen])
    ours = np.mean([compute_gain(question, np.argsort(-rank(question.features))) for question in unseen])
    assert abs(ours - today) < 0.1


def test_a_text_matches_by_rarity_neighbours_and_order() -> None:
    terms = {"salt": 1.0, "blood": 1.0, "pressure": 1.0}
    near, far, other, none = (measure_match(terms, words, frozenset({"salt"}), COUNTS) for words in DOCUMENTS)
    assert near.coverage == pytest.approx(1.0) and far.coverage > other.coverage > none.coverage == 0
    assert (near.pairs, far.pairs) == (0.5, 0.0)
    assert near.phrase == pytest.approx(2 / 3) and far.phrase == pytest.approx(1 / 3)
    assert none.nearness == 0 and near.nearness == pytest.approx(1.0)
    assert near.title_coverage > 0
