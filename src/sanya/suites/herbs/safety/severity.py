"""Severity of a warning: contraindicated, major, moderate or minor.

`strength` (low, moderate, high) is what the contract had first and stays; it is derived from the severity:
contraindicated and major are high, moderate is moderate, minor is low; one step lower where the only evidence comes
from animals or test tubes and no official text warns. Statements that an owner ingested from documents have a strength
alone, so their severity is derived from that, the other way round.
"""

from __future__ import annotations

from typing import Literal, get_args

from sanya.suites.herbs.graph.model import STRENGTHS, HerbEdge, Strength, rank_strength

Severity = Literal["contraindicated", "major", "moderate", "minor"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

_BY_STRENGTH: dict[Strength | None, Severity] = {
    "high": "major",
    "moderate": "moderate",
    "low": "minor",
    None: "minor",
}
# Kinds of evidence that come from no person.
LABORATORY = frozenset({"animal", "in_vitro"})
_STRENGTHS: dict[Severity, Strength] = {
    "contraindicated": "high",
    "major": "high",
    "moderate": "moderate",
    "minor": "low",
}


def get_severity(edge: HerbEdge) -> Severity:
    return derive_severity(edge.data.get("severity"), edge.strength)


def derive_severity(stated: str | None, strength: Strength | None) -> Severity:
    """Return the severity that a statement gives, or the one that its strength stands for."""
    return stated if stated in SEVERITIES else _BY_STRENGTH[strength]


def rank_severity(severity: Severity) -> int:
    """Return 4 for contraindicated down to 1 for minor."""
    return len(SEVERITIES) - SEVERITIES.index(severity)


def derive_strength(severity: Severity, *, is_lowered: bool = False) -> Strength:
    """Return the strength that a severity stands for, one step lower for evidence from animals or test tubes alone."""
    strength = _STRENGTHS[severity]
    return STRENGTHS[max(rank_strength(strength) - 2, 0)] if is_lowered else strength
