from collections.abc import Iterable

IS_COMPILED: bool

class LatinSounds:
    def __init__(self, groups: Iterable[tuple[str, str]], sounds: dict[str, str]) -> None: ...
    def read(self, word: str) -> str | None: ...
