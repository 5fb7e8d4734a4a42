"""Severity of a warning: contraindicated, major, moderate or minor.

`strength` (low, moderate, high) is what the contract had first and stays; it is derived from the severity:
contraindicated and major are high, moderate is moderate, minor is low. Statements that an owner ingested from documents
have a strength alone, so their severity is derived from that, the other way round.
"""

from __future__ import annotations

from typing import Literal, get_args

from sanya.suites.herbs.graph.model import HerbEdge, Strength

Severity = Literal["contraindicated", "major", "moderate", "minor"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

_BY_STRENGTH: dict[Strength | None, Severity] = {
    "high": "major",
    "moderate": "moderate",
    "low": "minor",
    None: "minor",
}


def get_severity(edge: HerbEdge) -> Severity:
    return derive_severity(edge.data.get("severity"), edge.strength)


def derive_severity(stated: str | None, strength: Strength | None) -> Severity:
    """Return the severity that a statement gives, or the one that its strength stands for."""
    return stated if stated in SEVERITIES else _BY_STRENGTH[strength]


def rank_severity(severity: Severity) -> int:
    """Return 4 for contraindicated down to 1 for minor."""
    return len(SEVERITIES) - SEVERITIES.index(severity)
