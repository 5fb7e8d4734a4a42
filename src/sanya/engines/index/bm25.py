"""The statistics of words at a moment, and the score that they give: BM25 as tantivy computes it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from sanya.retrieval.index import Terms

_K1, _B = 1.2, 0.75
# Lengths up to this are kept as they are; beyond it, four bits are significant. So tantivy keeps them, in one byte.
_EXACT_LENGTH = 24
_SIGNIFICANT_BITS = 4


@dataclass(frozen=True, slots=True)
class Statistics:
    averages: Mapping[str, float]
    """For each way the mean length of a row."""
    rarity: Mapping[str, Mapping[str, float]]
    """For each way the terms that were there, with their inverse document frequency."""

    def score(self, terms: Terms, counts: Mapping[str, Mapping[str, int]], lengths: Mapping[str, int]) -> float:
        """Of a row that has each term so often. Terms are added in the order of the query."""
        total = 0.0
        for way, weights in terms.items():
            known, found = self.rarity.get(way, {}), counts.get(way, {})
            slope = _K1 * (1 - _B + _B * kept_length(lengths.get(way, 0)) / self.averages[way]) if known else 0.0
            for term, weight in weights.items():
                if term in known and (often := found.get(term, 0)):
                    total += weight * known[term] * (1 + _K1) * often / (often + slope)
        return total

    def boosts(self, terms: Terms, now: Statistics) -> dict[str, dict[str, float]]:
        """Weights that make an index with the statistics of `now` count each term as rare as it is in these."""
        return {
            way: {
                term: weight * known[term] / now.rarity[way][term] for term, weight in weights.items() if term in known
            }
            for way, weights in terms.items()
            if (known := self.rarity.get(way))
        }

    def most_above(self, now: Statistics) -> float:
        """How many times its score under `now`, with `boosts`, a row may have under these. A term's share is
        f = n / (n + c + d / a) with the average length a; f of one average by f of another lies between 1 and the
        ratio of the two."""
        return max([1.0, *(self.averages[way] / now.averages[way] for way in self.rarity if self.rarity[way])])


def rarity(documents: int, spread: int) -> float:
    return math.log(1 + (documents - spread + 0.5) / (spread + 0.5))


def kept_length(length: int) -> int:
    """The length as tantivy keeps it: never more than it is."""
    beyond = length - _EXACT_LENGTH
    if beyond <= 0:
        return length
    shift = max(0, beyond.bit_length() - _SIGNIFICANT_BITS)
    return _EXACT_LENGTH + (beyond >> shift << shift)
