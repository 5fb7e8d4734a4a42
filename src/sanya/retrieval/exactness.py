"""Numbers that add up exactly: every part of a score is a multiple of 2^-20, so its parts sum to it in any order."""

from __future__ import annotations

STEPS = 2.0**20


def exact(value: float) -> float:
    """A number as a part of a score: a caller's own boost goes through this before it is added."""
    return round(value * STEPS) / STEPS
