"""How well a memory is known: a letter for the source's reliability, a digit for the credibility of what it says.

A rating is earned. It improves by voices that are independent of each other, worsens by contradiction and contest, and
is never better than what it rests on. Everything here is a pure function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LETTERS = "ABCDEF"
BEST_DIGIT, UNCORROBORATED, WORST_DIGIT = 1, 3, 6
# Corroboration makes "possibly true" probable and then confirmed; contradiction alone makes it improbable at worst.
_CONTRADICTED_AT_WORST = 5
_RATING = re.compile("[A-F][1-6]")

Lineage = frozenset[str]
"""What a voice goes back to: documents, agents, ancestors. Voices that share any of it are one."""


class Rating(NamedTuple):
    letter: str
    digit: int

    def __str__(self) -> str:
        return f"{self.letter}{self.digit}"

    def is_at_least(self, least: Rating) -> bool:
        """Whether both the letter and the digit are at least as good."""
        return self.letter <= least.letter and self.digit <= least.digit


WORST = Rating("F", WORST_DIGIT)


def parse_rating(text: str) -> Rating:
    if not _RATING.fullmatch(text):
        raise ValueError("a rating is a letter A to F and a digit 1 to 6, such as B2")
    return Rating(text[0], int(text[1]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a rating is worked out from."""

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
    # A voice that contradicts itself is still a contradiction, so its own lineage is not left out here.
    lost = count_contradicting_lineages(evidence.contradicting)
    digit = max(BEST_DIGIT, base.digit - gained)
    if lost:
        digit = max(digit, min(digit + lost, _CONTRADICTED_AT_WORST))
    rating = combine_worst([Rating(base.letter, digit), *evidence.basis])
    for _ in range(evidence.contests):
        rating = downgrade_rating(rating)
    return rating


def downgrade_rating(rating: Rating) -> Rating:
    """One conservative step down: the digit first, then the letter; F6 stays."""
    if rating.digit < WORST_DIGIT:
        return Rating(rating.letter, rating.digit + 1)
    return Rating(LETTERS[min(LETTERS.index(rating.letter) + 1, len(LETTERS) - 1)], rating.digit)


def choose_better(one: Rating, other: Rating) -> Rating:
    """The one with the better letter, of equal letters the one with the better digit: never a mixture of both."""
    return min(one, other)


def combine_worst(ratings: Sequence[Rating]) -> Rating:
    """The worst letter with the worst digit."""
    return Rating(max(one.letter for one in ratings), max(one.digit for one in ratings))


def count_independent_lineages(lineages: Iterable[Lineage], known: Lineage = frozenset()) -> int:
    """How many groups there are that share nothing with each other, nor with `known`."""
    groups: list[Lineage] = []
    for lineage in (known, *lineages):
        touching = [group for group in groups if group & lineage]
        groups = [group for group in groups if not group & lineage]
        groups.append(lineage.union(*touching))
    return sum(1 for group in groups if group and not group & known)


def count_contradicting_lineages(lineages: Sequence[Lineage]) -> int:
    """None, one, or two that share nothing. Counted so that one more never makes it fewer: a voice that joins two
    others into one still contradicts."""
    if not lineages:
        return 0
    return 2 if any(not one & other for at, one in enumerate(lineages) for other in lineages[:at]) else 1
