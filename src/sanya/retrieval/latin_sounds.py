"""Stands in for `latin_sounds.pyx` where that was not compiled, and declines every name: `sounds.py` reads it."""

from __future__ import annotations

from collections.abc import Iterable

IS_COMPILED = False


class LatinSounds:
    def __init__(self, groups: Iterable[tuple[str, str]], sounds: dict[str, str]) -> None: ...

    def of(self, word: str) -> None: ...
