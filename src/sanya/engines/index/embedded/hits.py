"""Hits of words and vectors in a partition, and their union."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sanya.engines.index.arrays import Float32Array, Positions
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.scoring import merge_rows


class PartitionHits(NamedTuple):
    positions: Positions
    """Of all candidates, in ascending order."""
    words: Float32Array
    """Their BM25 scores."""
    vectors: dict[str, Matrix]
    """Their vectors by space."""
    word_bound: float


class WordHits(NamedTuple):
    positions: Positions
    scores: Float32Array
    bound: float
    """The score that no row exceeds."""


def merge_hits(words: WordHits, near: Sequence[Positions]) -> tuple[Positions, Float32Array]:
    """Return the positions found by words or by meaning, ascending and each once, and their BM25 scores."""
    return merge_rows(words.positions, words.scores, near) or _merge(words.positions, words.scores, near)


def _merge(words: Positions, scores: Float32Array, near: Sequence[Positions]) -> tuple[Positions, Float32Array]:
    positions = _deduplicate(np.concatenate([words, *near]))
    merged = np.zeros(len(positions), dtype=np.float32)
    merged[np.searchsorted(positions, words)] = scores
    return positions, merged


def _deduplicate(positions: Positions) -> Positions:
    """Sort and deduplicate in place: the result of np.unique in a third of its time for so few rows."""
    positions.sort()
    first = np.empty(len(positions), dtype=np.bool_)
    first[:1] = True
    np.not_equal(positions[1:], positions[:-1], out=first[1:])
    return positions[first]
