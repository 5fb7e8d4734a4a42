"""Stands in for `fast_cuts.pyx` where that is not compiled. It declines every text, and `windows.py` reads it."""

from __future__ import annotations

IS_COMPILED = False


def find_cuts(text: str, longest: int) -> None: ...
