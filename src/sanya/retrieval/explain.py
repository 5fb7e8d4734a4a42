"""Why a search answered as it did: how the query was read, what each way brought, how it was fused."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.retrieval.search import Found, Hit, Leg
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


def explain(found: Found, reader: Reader) -> Explained:
    query = found.query
    legs = [_leg(query.text, leg, reader) for leg in found.legs]
    return Explained(query.text, found.language, query.mode, query.alpha, legs, list(found.hits))


def _leg(text: str, leg: Leg, reader: Reader) -> LegExplained:
    translations = reader.translations(text, leg.language) if leg.foreign else []
    by_words = sorted(leg.hits, key=lambda hit: (-hit.bm25, hit.id))
    by_meaning = sorted(leg.hits, key=lambda hit: (-hit.similarity, hit.id))
    return LegExplained(
        leg.language,
        leg.foreign,
        {way: dict(terms) for way, terms in leg.terms.items()},
        {phrase: [text for text, _ in words] for phrase, words in translations},
        leg.space if leg.share > 0 else "",
        {"words": round(1 - leg.share, 6), "meaning": round(leg.share, 6)},
        len(leg.candidates.ids),
        [(hit.id, hit.bm25) for hit in by_words[:_SHOWN] if hit.bm25 > 0],
        [(hit.id, hit.similarity) for hit in by_meaning[:_SHOWN] if leg.share > 0],
    )
