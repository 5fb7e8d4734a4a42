"""The compiled scoring gives what Python gives, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from sanya.engines.index.arrays import _select_best
from sanya.engines.index.embedded.hits import _merge
from sanya.retrieval import scoring
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Candidates
from sanya.retrieval.language_search import (
    ENGLISH,
    MULTILINGUAL,
    LanguageSearch,
    _fuse_compiled,
    _fuse_in_python,
    _select_leading_rows,
)

pytestmark = pytest.mark.skipif(not scoring.IS_COMPILED, reason="it was not compiled here")
ROUNDS = 300


def normal_rows(chance: Generator, count: int, dim: int) -> Matrix:
    rows = chance.normal(size=(count, dim))
    if chance.random() < 0.2:
        rows[chance.random(count) < 0.1] = 0.0  # they have no vector
    if count > 2:
        rows[1] = rows[0]  # and some are alike
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


async def no_names(_: Sequence[int]) -> list[str]:
    return []


def a_search(chance: Generator) -> tuple[LanguageSearch, dict[str, Matrix]]:
    count, dim = int(chance.integers(1, 90)), int(chance.choice([1, 3, 8, 13, 64, 384]))
    words = np.where(chance.random(count) < 0.7, chance.random(count) * 20, 0).astype(np.float32)
    if chance.random() < 0.1:
        words[:] = 0
    space = str(chance.choice([ENGLISH, MULTILINGUAL]))
    vector = normal_rows(chance, 1, dim)[0]
    share = float(chance.choice([0.0, 0.22, 0.6, 1.0]))
    found = Candidates(words, {space: normal_rows(chance, count, dim)}, no_names)
    return LanguageSearch("en", False, {}, space, share, found), {space: vector}


def test_parts_of_scores_are_those_of_python() -> None:
    chance = np.random.default_rng(11)
    for _ in range(ROUNDS):
        search, vectors = a_search(chance)
        weight = float(chance.choice([1.0, 0.8, 0.8 * 0.37]))
        compiled, plain = _fuse_compiled(search, vectors, weight), _fuse_in_python(search, vectors, weight)
        has_all_vectors = bool(search.candidates.vectors[search.space].any(axis=1).all())
        assert (compiled is not None) == has_all_vectors
        if compiled is None:  # some row has no vector, which Python scores
            continue
        for fast_scores, other in zip(
            (compiled.words, compiled.meaning, compiled.similarity),
            (plain.words, plain.meaning, plain.similarity),
            strict=True,
        ):
            assert fast_scores.tobytes() == other.tobytes()


def few_scores(chance: Generator, count: int) -> NDArray[np.float64]:
    """Return scores with many ties."""
    return np.asarray(chance.integers(-3, 4 + count // 4, count) / 8)


def test_the_best_rows_are_those_of_python() -> None:
    chance = np.random.default_rng(12)
    for _ in range(ROUNDS):
        count, limit = int(chance.integers(0, 60)), int(chance.integers(1, 40))
        scores = few_scores(chance, count)
        assert scoring.select_leading_rows(scores, limit) == _select_leading_rows(scores, limit)


def test_the_nearest_rows_are_those_of_python_in_the_same_order() -> None:
    chance = np.random.default_rng(13)
    for _ in range(ROUNDS):
        limit = int(chance.integers(1, 40))
        count = limit + int(chance.integers(1, 60))
        scores, positions = few_scores(chance, count).astype(np.float32), chance.permutation(1000)[:count]
        found = scoring.select_nearest_rows(scores, positions, limit)
        assert found is not None
        assert found.tolist() == _select_best(scores, positions, limit).tolist()


def test_word_and_vector_rows_are_merged_as_in_python() -> None:
    chance = np.random.default_rng(14)
    for _ in range(ROUNDS):
        words = chance.permutation(120)[: int(chance.integers(0, 50))]
        scores = chance.random(len(words)).astype(np.float32)
        near = [chance.permutation(120)[: int(chance.integers(0, 30))] for _ in range(int(chance.integers(0, 3)))]
        found = scoring.merge_rows(words, scores, near)
        assert found is not None
        expected = _merge(words, scores, near)
        assert (found[0].dtype, found[0].tolist()) == (expected[0].dtype, expected[0].tolist())
        assert (found[1].dtype, found[1].tolist()) == (expected[1].dtype, expected[1].tolist())


def test_what_is_laid_out_otherwise_is_declined() -> None:
    rows, vector, words = np.ones((4, 6), np.float32), np.ones(6, np.float32), np.ones(4, np.float32)
    assert scoring.fuse_scores(words, rows[:, ::2], vector[:3], 0.5, 0.5, True) is None
    assert scoring.fuse_scores(words, rows, vector[:3], 0.5, 0.5, True) is None
    assert scoring.fuse_scores(words[:0], rows[:0], vector, 0.5, 0.5, True) is None
    assert scoring.select_leading_rows(words, 2) is None
    assert scoring.select_nearest_rows(words.astype(np.float64), np.arange(4), 2) is None
    assert scoring.merge_rows(np.arange(4)[::2], words[:2], []) is None
    assert scoring.merge_rows(np.arange(4), words, [words]) is None
