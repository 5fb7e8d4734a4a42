from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sanya.retrieval.fusion import normalise_bm25, normalise_cosines, weigh_scores
from sanya.retrieval.score_rounding import round_score

scores = arrays(np.float64, st.integers(0, 30), elements=st.floats(0, 1000))


@given(scores)
def test_relative_scores_lie_between_zero_and_one(values: np.ndarray) -> None:
    for relative in (normalise_bm25(values.astype(np.float32)), normalise_cosines(values)):
        assert relative.shape == values.shape
        assert ((relative >= 0) & (relative <= 1)).all()


@given(st.lists(st.floats(-4, 4), min_size=1, max_size=6))
def test_parts_sum_to_the_same_bits_in_any_order(values: list[float]) -> None:
    parts = [round_score(value) for value in values]
    assert len({sum(order) for order in itertools.permutations(parts)}) == 1


@given(scores, st.floats(0, 1))
def test_a_part_is_exact_already(values: np.ndarray, weight: float) -> None:
    for value in weigh_scores(normalise_bm25(values.astype(np.float32)), weight).tolist():
        assert round_score(value) == value


def test_equal_cosines_prefer_nothing() -> None:
    assert normalise_cosines(np.array([0.5, 0.5])).tolist() == [1.0, 1.0]
