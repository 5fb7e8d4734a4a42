"""Rounding of scores to multiples of 2^-20, so that the parts of a score sum to it exactly, in any order."""

from __future__ import annotations

STEPS = 2.0**20


def round_score(value: float) -> float:
    """Round a number to a part of a score. A suite rounds its own boosts before it adds them."""
    return round(value * STEPS) / STEPS
