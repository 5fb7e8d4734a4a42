"""Stands in for `plain_text.pyx` where that is not compiled. It declines every text, and the Python modules read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

IS_COMPILED = False


class PlainTerms:
    def __init__(
        self, stops: frozenset[str], stem: Callable[[str], str], sound: Callable[[str], str], piece: int
    ) -> None: ...

    def __len__(self) -> int:
        return 0

    def read(self, texts: Iterable[tuple[str, int]]) -> None: ...


class PlainCosts:
    def __init__(self, letters: list[int], digits: list[int], sign: int) -> None: ...

    def exceed(self, text: str, parts: int) -> None: ...

    def count(self, text: str) -> None: ...

    def count_before(self, text: str, places: list[int]) -> None: ...
