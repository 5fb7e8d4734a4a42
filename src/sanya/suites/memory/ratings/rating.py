"""Ratings: a letter for the reliability of the source (A to F), a digit for the credibility of the content (1 to 6).

A rating is computed, never set. It begins at the base rating of the memory. Each independent memory that says the
same improves the digit by one (corroboration). An open contradiction worsens the digit by one, two independent ones
by two. A rating is never better than those of the memories it is derived from. Each contest then takes it one step
down.

Independence is what makes corroboration worth something: ten copies of one document are one source. Each memory has a
lineage, the set of documents, agents and ancestors that it goes back to. Memories whose lineages overlap count as
one, and so do memories that a third one joins, because it shares something with each of them.

Everything here is a pure function of the evidence. `rerating` collects the evidence and stores the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LETTERS = "ABCDEF"
BEST_DIGIT, UNCORROBORATED, WORST_DIGIT = 1, 3, 6
# Contradiction alone makes a memory improbable at worst. Only contests go down to 6, cannot be judged.
_CONTRADICTED_AT_WORST = 5
_RATING = re.compile("[A-F][1-6]")

Lineage = frozenset[str]
"""The documents, agents and ancestors that a memory goes back to. Overlapping lineages are not independent."""


class Rating(NamedTuple):
    letter: str
    digit: int

    def __str__(self) -> str:
        return f"{self.letter}{self.digit}"

    def is_at_least(self, minimum: Rating) -> bool:
        """Tell whether both the letter and the digit are at least as good."""
        return self.letter <= minimum.letter and self.digit <= minimum.digit


WORST = Rating("F", WORST_DIGIT)


def parse_rating(text: str) -> Rating:
    if not _RATING.fullmatch(text):
        raise ValueError("a rating is a letter from A to F and a digit from 1 to 6, such as B2")
    return Rating(text[0], int(text[1]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that a rating is computed from."""

    base: Rating
    own: Lineage = frozenset()
    corroborating: tuple[Lineage, ...] = ()
    contradicting: tuple[Lineage, ...] = ()
    contests: int = 0
    basis: tuple[Rating, ...] = ()
    """The ratings of the memories that this one is derived from."""


def compute_rating(evidence: Evidence) -> Rating:
    base = evidence.base
    gained = count_independent_lineages(evidence.corroborating, evidence.own)
    # A source that contradicts itself is a contradiction too, so the own lineage counts here.
    lost = count_contradicting_lineages(evidence.contradicting)
    digit = max(BEST_DIGIT, base.digit - gained)
    if lost:
        digit = max(digit, min(digit + lost, _CONTRADICTED_AT_WORST))
    rating = combine_worst([Rating(base.letter, digit), *evidence.basis])
    for _ in range(evidence.contests):
        rating = downgrade_rating(rating)
    return rating


def downgrade_rating(rating: Rating) -> Rating:
    """Return the rating one step down: the digit first, then the letter. F6 stays."""
    if rating.digit < WORST_DIGIT:
        return Rating(rating.letter, rating.digit + 1)
    return Rating(LETTERS[min(LETTERS.index(rating.letter) + 1, len(LETTERS) - 1)], rating.digit)


def choose_better(rating: Rating, other: Rating) -> Rating:
    """Return the rating with the better letter, or of equal letters the better digit; never a mixture of both."""
    return min(rating, other)


def combine_worst(ratings: Sequence[Rating]) -> Rating:
    """Return the worst letter with the worst digit."""
    return Rating(max(rating.letter for rating in ratings), max(rating.digit for rating in ratings))


def count_independent_lineages(lineages: Iterable[Lineage], known: Lineage = frozenset()) -> int:
    """Count the groups of lineages that share nothing with each other, nor with `known`."""
    groups: list[Lineage] = []
    for lineage in (known, *lineages):
        touching = [group for group in groups if group & lineage]
        groups = [group for group in groups if not group & lineage]
        groups.append(lineage.union(*touching))
    return sum(1 for group in groups if group and not group & known)


def count_contradicting_lineages(lineages: Sequence[Lineage]) -> int:
    """Return 0, 1, or 2 if any two lineages share nothing.

    Unlike `count_independent_lineages`, one lineage more never lowers the result: a contradiction that joins two others
    into one group is still a contradiction.
    """
    if not lineages:
        return 0
    return 2 if any(not lineage & other for index, lineage in enumerate(lineages) for other in lineages[:index]) else 1
