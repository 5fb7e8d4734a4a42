"""Ranks the chunks that a search found: by words and meaning, raised by section, quality and recency.

Every part of a score is a multiple of 2^-20, so the parts add up to the score exactly, in any order. Section, quality
and recency each add a share of how well the chunk matches, so a good study that misses the question never ranks above
one that answers it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sanya.suite.search import round_score
from sanya.suites.papers.indexing.quality import rate_recency
from sanya.suites.papers.indexing.sections import SectionName
from sanya.suites.papers.search.chunk_cache import IndexedChunk

if TYPE_CHECKING:
    from sanya.suite.search import Hit

# Most questions are about results and conclusions.
_SECTION_WEIGHTS: dict[SectionName, float] = {
    "conclusions": 0.06,
    "results": 0.06,
    "title": 0.03,
    "abstract": 0.03,
    "objective": 0.02,
    "methods": 0.02,
}
_QUALITY_WEIGHT = 0.15
_MAX_FIXED_QUALITY = 7
_RECENCY_WEIGHT = 0.05
_MAX_RECENCY = 2
# Larger than any score, so that a retracted paper ranks below every other by its score alone.
_RETRACTION = -2.0


class Quality(NamedTuple):
    design: int
    recency: int
    journal: int
    human: int

    @property
    def total(self) -> int:
        return self.design + self.recency + self.journal + self.human


RETRACTED_QUALITY = Quality(0, 0, 0, 0)
"""A retracted paper is no evidence, whatever its design was."""


class RankedChunk(NamedTuple):
    indexed: IndexedChunk
    hit: Hit
    quality: Quality
    parts: Mapping[str, float]
    score: float

    @property
    def relevance(self) -> float | None:
        return self.hit.relevance

    @property
    def order(self) -> tuple[float, int, str]:
        return -self.score, int(self.indexed.pmid), self.indexed.uuid


def rate_quality(chunk: IndexedChunk, as_of: date | None) -> Quality:
    if chunk.is_retracted:
        return RETRACTED_QUALITY
    fixed = chunk.fixed_quality
    return Quality(fixed.design, rate_recency(chunk.last_day, as_of), fixed.journal, fixed.human)


def rank_chunks(
    hits: Iterable[Hit],
    chunks: Mapping[str, IndexedChunk],
    as_of: date | None,
    *,
    by_quality: bool,
    demotes_retracted: bool = True,
) -> list[RankedChunk]:
    """Return the chunks, the best first; equal scores are ordered by PMID, then by UUID."""
    ranked = [_score_chunk(hit, chunks[hit.id], as_of, by_quality=by_quality) for hit in hits if hit.id in chunks]
    if not demotes_retracted:
        ranked = list(map(_restore_retracted, ranked))
    return sorted(ranked, key=lambda match: match.order)


def _score_chunk(hit: Hit, indexed: IndexedChunk, as_of: date | None, *, by_quality: bool) -> RankedChunk:
    quality = rate_quality(indexed, as_of)
    fit = hit.score
    evidence = (quality.design + quality.journal + quality.human) / _MAX_FIXED_QUALITY
    parts = {
        "words": hit.parts["words"],
        "meaning": hit.parts["meaning"],
        "section": round_score(fit * _SECTION_WEIGHTS.get(indexed.chunk.section, 0.0)),
        "quality": round_score(fit * _QUALITY_WEIGHT * evidence) if by_quality else 0.0,
        "recency": round_score(fit * _RECENCY_WEIGHT * quality.recency / _MAX_RECENCY) if by_quality else 0.0,
        "retraction": _RETRACTION if indexed.is_retracted else 0.0,
    }
    return RankedChunk(indexed, hit, quality, parts, sum(parts.values()))


def _restore_retracted(match: RankedChunk) -> RankedChunk:
    parts = {**match.parts, "retraction": 0.0}
    return match._replace(parts=parts, score=sum(parts.values()))


def merge_passages(chunks: Sequence[RankedChunk], passages: Sequence[RankedChunk]) -> list[RankedChunk]:
    """Rank chunks of abstracts and passages of full texts together.

    The scores of each are relative to the best of its own index, so a poor passage among few full texts would rank
    beside the best abstract. Relevance is absolute: each score is multiplied by its share of the best relevance.
    """
    if not passages:
        return list(chunks)
    relevances = [match.relevance for match in (*chunks, *passages) if match.relevance is not None]
    best = max(relevances, default=0.0)
    scaled = [_scale(match, best) for match in (*chunks, *passages)]
    return sorted(scaled, key=lambda match: match.order)


def _scale(match: RankedChunk, best: float) -> RankedChunk:
    share = match.relevance / best if match.relevance is not None and best > 0 else 1.0
    parts = {name: part if name == "retraction" else round_score(part * share) for name, part in match.parts.items()}
    return match._replace(parts=parts, score=sum(parts.values()))


def group_by_paper(ranked: Iterable[RankedChunk]) -> dict[str, list[RankedChunk]]:
    """Return the matching chunks of each paper, the best first; papers are ordered by their best chunk."""
    papers: dict[str, list[RankedChunk]] = {}
    for match in ranked:
        papers.setdefault(match.indexed.pmid, []).append(match)
    return papers
