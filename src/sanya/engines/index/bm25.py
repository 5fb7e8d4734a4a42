"""BM25 as tantivy computes it: statistics of a set of rows, and the score that they give a row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sanya.retrieval.index import WeightedTerms

_K1, _B = 1.2, 0.75
# tantivy stores a length in one byte: up to this exactly, beyond it with four significant bits.
_EXACT_LENGTH = 24
_SIGNIFICANT_BITS = 4


@dataclass(frozen=True, slots=True)
class Bm25Statistics:
    count: int
    """The number of rows."""
    averages: Mapping[str, float]
    """The mean length of a row, by term kind."""
    idf: Mapping[str, Mapping[str, float]]
    """The inverse document frequency of the terms that occur, by term kind."""

    def score(self, terms: WeightedTerms, counts: Mapping[str, Mapping[str, int]], lengths: Mapping[str, int]) -> float:
        """Return the score of a row with these term counts and lengths. Terms are added in the order of the query."""
        total = 0.0
        for kind, weights in terms.items():
            idf, row_counts = self.idf.get(kind, {}), counts.get(kind, {})
            slope = _K1 * (1 - _B + _B * round_length(lengths.get(kind, 0)) / self.averages[kind]) if idf else 0.0
            for term, weight in weights.items():
                if term in idf and (count := row_counts.get(term, 0)):
                    total += weight * idf[term] * (1 + _K1) * count / (count + slope)
        return total

    def compute_bound(self, terms: WeightedTerms) -> float:
        """Return the score that no row exceeds: that of endless repetitions of every term. A term that no row contains
        counts as the rarest."""
        unknown = compute_idf(self.count, 0)
        return compute_bound(terms, lambda kind, term: self.idf.get(kind, {}).get(term, unknown))

    def compute_boosts(self, terms: WeightedTerms, other: Bm25Statistics) -> dict[str, dict[str, float]]:
        """Return query weights that make an index with the statistics `other` use the term frequencies of these."""
        return {
            kind: {term: weight * idf[term] / other.idf[kind][term] for term, weight in weights.items() if term in idf}
            for kind, weights in terms.items()
            if (idf := self.idf.get(kind))
        }

    def compute_score_bound(self, other: Bm25Statistics) -> float:
        """Return the largest ratio between a row's score by these statistics and its score by `other` with the boosts.

        With the boosts, only the average length a still differs. A term that occurs n times contributes in proportion
        to n / (n + c + d / a), with constants c and d. The ratio of that for two averages lies between 1 and the ratio
        of the averages, so the ratio of the sums does too.
        """
        return max([1.0, *(self.averages[kind] / other.averages[kind] for kind in self.idf if self.idf[kind])])


def compute_bound(terms: WeightedTerms, get_idf: Callable[[str, str], float]) -> float:
    """Return the score of endless repetitions of every term."""
    return (1 + _K1) * sum(
        [weight * get_idf(kind, term) for kind, weights in terms.items() for term, weight in weights.items()]
    )


def compute_idf(documents: int, with_term: int) -> float:
    return math.log(1 + (documents - with_term + 0.5) / (with_term + 0.5))


def round_length(length: int) -> int:
    """Return the length as tantivy stores it, rounded down."""
    beyond = length - _EXACT_LENGTH
    if beyond <= 0:
        return length
    shift = max(0, beyond.bit_length() - _SIGNIFICANT_BITS)
    return _EXACT_LENGTH + (beyond >> shift << shift)
