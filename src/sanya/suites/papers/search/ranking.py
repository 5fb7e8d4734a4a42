"""The order of what was found: how well words and meaning fit, raised by section, quality and recency.

Every part is a multiple of 2^-20, so that the parts of a score add up to it exactly, in any order. What raises a score
is a share of how well the chunk fits: quality never makes up for missing the point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sanya.retrieval.score_rounding import exact
from sanya.suites.papers.indexing.quality import rate_recency
from sanya.suites.papers.indexing.sections import SectionName
from sanya.suites.papers.search.chunk_cache import IndexedChunk

if TYPE_CHECKING:
    from sanya.retrieval.language_search import Hit

# What was found and concluded is what most questions are about.
_SECTION_WEIGHTS: dict[SectionName, float] = {
    "conclusions": 0.06,
    "results": 0.06,
    "title": 0.03,
    "abstract": 0.03,
    "objective": 0.02,
    "methods": 0.02,
}
_QUALITY_WEIGHT = 0.15
_MOST_STANDING = 7
_RECENCY_WEIGHT = 0.05
_MOST_RECENCY = 2
# More than the largest score there is, so that a retracted paper stands behind every other, by its score alone.
_RETRACTION = -2.0


class Quality(NamedTuple):
    design: int
    recency: int
    journal: int
    human: int

    @property
    def total(self) -> int:
        return self.design + self.recency + self.journal + self.human


class RankedChunk(NamedTuple):
    chunk: IndexedChunk
    hit: Hit
    quality: Quality
    parts: Mapping[str, float]
    score: float

    @property
    def order(self) -> tuple[float, int, str]:
        return -self.score, int(self.chunk.pmid), self.chunk.uuid


def rate_quality(piece: IndexedChunk, as_of: date | None) -> Quality:
    standing = piece.fixed_quality
    return Quality(standing.design, rate_recency(piece.last_day, as_of), standing.journal, standing.human)


def rank_chunks(
    hits: Iterable[Hit], pieces: Mapping[str, IndexedChunk], as_of: date | None, *, by_quality: bool
) -> list[RankedChunk]:
    """The best first; equal scores by PMID, then by UUID."""
    found = [_score_chunk(hit, pieces[hit.id], as_of, by_quality=by_quality) for hit in hits if hit.id in pieces]
    return sorted(found, key=lambda one: one.order)


def _score_chunk(hit: Hit, piece: IndexedChunk, as_of: date | None, *, by_quality: bool) -> RankedChunk:
    quality = rate_quality(piece, as_of)
    fit = hit.score
    standing = (quality.design + quality.journal + quality.human) / _MOST_STANDING
    parts = {
        "words": hit.parts["words"],
        "meaning": hit.parts["meaning"],
        "section": exact(fit * _SECTION_WEIGHTS.get(piece.chunk.section, 0.0)),
        "quality": exact(fit * _QUALITY_WEIGHT * standing) if by_quality else 0.0,
        "recency": exact(fit * _RECENCY_WEIGHT * quality.recency / _MOST_RECENCY) if by_quality else 0.0,
        "retraction": _RETRACTION if piece.is_retracted else 0.0,
    }
    return RankedChunk(piece, hit, quality, parts, sum(parts.values()))


def group_by_paper(ranked: Iterable[RankedChunk]) -> dict[str, list[RankedChunk]]:
    """What was found of each paper, the best first, papers by their best."""
    papers: dict[str, list[RankedChunk]] = {}
    for one in ranked:
        papers.setdefault(one.chunk.pmid, []).append(one)
    return papers
