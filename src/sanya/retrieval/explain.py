"""Explains a search: how the query was read, what words and meaning found, and how the scores were fused."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sanya.retrieval.language_search import Hit, RankedSearch
from sanya.retrieval.search import SearchResult
from sanya.retrieval.terms import TermReader

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class LanguageExplanation:
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
class SearchExplanation:
    query: str
    language: str
    mode: str
    alpha: float | None
    legs: list[LanguageExplanation]
    """One for each language searched. `sanya search explain --json` publishes this name."""
    hits: list[Hit]


async def explain(result: SearchResult, reader: TermReader) -> SearchExplanation:
    query = result.query
    languages = [await _explain_language(query.text, ranked, reader) for ranked in result.searches]
    return SearchExplanation(query.text, result.language, query.mode, query.alpha, languages, list(result.hits))


async def _explain_language(text: str, ranked: RankedSearch, reader: TermReader) -> LanguageExplanation:
    search = ranked.search
    translations = reader.find_translations(text, search.language) if search.is_foreign else []
    share = search.share if search.space else 0.0  # without a model nothing goes by meaning
    by_words = await ranked.rank_by(search.candidates.bm25.astype(np.float64), _SHOWN)
    by_meaning = await ranked.rank_by(ranked.similarity, _SHOWN)
    return LanguageExplanation(
        search.language,
        search.is_foreign,
        {kind: dict(terms) for kind, terms in search.terms.items()},
        {phrase: [text for text, _ in words] for phrase, words in translations},
        search.space if share > 0 else "",
        {"words": round(1 - share, 6), "meaning": round(share, 6)},
        len(search.candidates),
        [(hit.id, hit.bm25) for hit in by_words if hit.bm25 > 0],
        [(hit.id, hit.similarity) for hit in by_meaning if share > 0],
    )
