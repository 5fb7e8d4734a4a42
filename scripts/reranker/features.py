"""Measures how a text matches the terms of a query, beyond the scores of the two rankers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple


class TextMatch(NamedTuple):
    coverage: float
    """The share of the terms that the text has, weighted by rarity."""
    title_coverage: float
    rarest: float
    """Whether the text has the rarest of the terms."""
    pairs: float
    """The share of neighbouring terms that are neighbours in the text."""
    phrase: float
    """The longest run of terms that the text has in their order, as a share of all."""
    nearness: float
    """The densest stretch of 16 words, as a share of what the text covers."""
    length: float


SHARED = TextMatch._fields
_STRETCH = 16


class TermCounts:
    """Counts the documents that have a term."""

    def __init__(self, documents: Iterable[Sequence[str]]) -> None:
        self._counts: Counter[str] = Counter()
        self._total = 0
        for words in documents:
            self._counts.update(set(words))
            self._total += 1

    def rate_rarity(self, term: str) -> float:
        count = self._counts[term]
        return math.log(1 + (self._total - count + 0.5) / (count + 0.5))


def measure_match(
    terms: Mapping[str, float], words: Sequence[str], title: frozenset[str], counts: TermCounts
) -> TextMatch:
    weights = {term: weight * counts.rate_rarity(term) for term, weight in terms.items()}
    total = sum(weights.values()) or 1.0
    present = weights.keys() & set(words)
    covered = sum(weights[term] for term in present)
    rarest = max(weights, key=lambda term: weights[term], default="")
    return TextMatch(
        coverage=covered / total,
        title_coverage=sum(weights[term] for term in weights.keys() & title) / total,
        rarest=float(rarest in present),
        pairs=_measure_pairs(list(terms), words),
        phrase=_find_longest_run(list(terms), words) / max(1, len(terms)),
        nearness=_find_densest(weights, words) / covered if covered else 0.0,
        length=math.log1p(len(words)),
    )


def _measure_pairs(terms: Sequence[str], words: Sequence[str]) -> float:
    wanted = set(pairwise(terms))
    return len(wanted & set(pairwise(words))) / len(wanted) if wanted else 0.0


def _find_longest_run(terms: Sequence[str], words: Sequence[str]) -> int:
    place = {term: at for at, term in enumerate(terms)}
    longest = run = 0
    previous = -2
    for word in words:
        at = place.get(word, -2)
        run = run + 1 if at == previous + 1 and run else int(at >= 0)
        longest, previous = max(longest, run), at
    return longest


def _find_densest(weights: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the weight of the different terms in the stretch that holds the most."""
    places = [(at, word) for at, word in enumerate(words) if word in weights]
    best = 0.0
    for first, (start, _) in enumerate(places):
        inside = {word for at, word in places[first : first + _STRETCH] if at < start + _STRETCH}
        best = max(best, sum(weights[word] for word in inside))
    return best
