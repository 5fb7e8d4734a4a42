"""Why a search answered as it did: how the query was read, what each way brought, how it was fused."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sanya.retrieval.legs import Hit, RankedLeg
from sanya.retrieval.search import Found
from sanya.retrieval.terms import Reader

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class LegExplained:
    """The search among the documents of one language."""

    language: str
    by_translation: bool
    terms: dict[str, dict[str, float]]
    translations: dict[str, list[str]]
    vector_space: str
    weights: dict[str, float]
    candidates: int
    best_by_words: list[tuple[str, float]]
    best_by_meaning: list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Explained:
    query: str
    language: str
    mode: str
    alpha: float
    legs: list[LegExplained]
    hits: list[Hit]


async def explain(found: Found, reader: Reader) -> Explained:
    query = found.query
    legs = [await _leg(query.text, leg, reader) for leg in found.legs]
    return Explained(query.text, found.language, query.mode, query.alpha, legs, list(found.hits))


async def _leg(text: str, ranked: RankedLeg, reader: Reader) -> LegExplained:
    leg = ranked.leg
    translations = reader.translations(text, leg.language) if leg.foreign else []
    by_words = await ranked.best_by(leg.candidates.words.astype(np.float64), _SHOWN)
    by_meaning = await ranked.best_by(ranked.similarity, _SHOWN)
    return LegExplained(
        leg.language,
        leg.foreign,
        {way: dict(terms) for way, terms in leg.terms.items()},
        {phrase: [text for text, _ in words] for phrase, words in translations},
        leg.space if leg.share > 0 else "",
        {"words": round(1 - leg.share, 6), "meaning": round(leg.share, 6)},
        len(leg.candidates),
        [(hit.id, hit.bm25) for hit in by_words if hit.bm25 > 0],
        [(hit.id, hit.similarity) for hit in by_meaning if leg.share > 0],
    )
