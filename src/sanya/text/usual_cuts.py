"""Stands in for `usual_cuts.pyx` where that was not compiled, and declines every text: `windows.py` reads it."""

from __future__ import annotations

IS_COMPILED = False


def usual_cuts(text: str, longest: int) -> None: ...
