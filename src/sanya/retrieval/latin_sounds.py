"""Stands in for `latin_sounds.pyx` where that is not compiled. It declines every name, and `sounds.py` reads it."""

from __future__ import annotations

from collections.abc import Iterable

IS_COMPILED = False


class LatinSounds:
    def __init__(self, groups: Iterable[tuple[str, str]], sounds: dict[str, str]) -> None: ...

    def read(self, word: str) -> None: ...
