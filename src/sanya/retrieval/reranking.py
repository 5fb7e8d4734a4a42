"""Reranking: a cross-encoder reads the query and each of the best hits together, and its scores reorder them.

A vector is made without knowing the query. A cross-encoder sees both texts at once, so it judges better and costs far
more: it reads only the first hits. Its scores have any scale, so they are stretched to 0–1 among these hits and added
to the part `meaning`. Every hit that was read gains by it or stays, so none falls behind those that were not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from sanya.retrieval.fusion import normalise_cosines, weigh_scores
from sanya.retrieval.language_search import Hit

RERANKED_HITS = 24
"""The number of hits that are read."""
_WEIGHT = 1.0


class Reranker(Protocol):
    async def score(self, query: str, passages: Sequence[str]) -> Sequence[float]:
        """Return how well each passage answers the query. Only the order and the distances of the scores matter."""
        ...


def add_scores(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    """Return the hits in their new order; the first ones have these scores."""
    added = weigh_scores(normalise_cosines(np.array(scores, dtype=np.float64)), _WEIGHT).tolist()
    reranked = [_add_meaning(hit, part) for hit, part in zip(hits, added, strict=False)]
    return sorted([*reranked, *hits[len(reranked) :]], key=lambda hit: (-hit.score, hit.id))


def _add_meaning(hit: Hit, part: float) -> Hit:
    meaning = hit.parts["meaning"] + part
    return hit._replace(score=hit.parts["words"] + meaning, parts={**hit.parts, "meaning": meaning})
