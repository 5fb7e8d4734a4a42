"""Rows on their way from a commit to the index: held until they are derived, so that nobody reads them from the store
again. The store stays the truth: what is not held whole is read there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.engines.index.rows import Shelf, Version

# About what an import brings between two refreshes. More than that is left to the database.
_MOST_CHARACTERS = 64_000_000


@dataclass(frozen=True, slots=True)
class Change:
    rows: Mapping[str, Sequence[Version]]
    """By partition, in the order of positions."""
    characters: int

    def plus(self, partition: str, rows: Sequence[Version], characters: int) -> Change:
        return Change({**self.rows, partition: rows}, self.characters + characters)


class FreshRows:
    """Changes that were committed here, by namespace and number."""

    def __init__(self, most_characters: int = _MOST_CHARACTERS) -> None:
        self._most = most_characters
        self._held: dict[tuple[str, int], Change] = {}
        self._characters = 0

    def put(self, namespace: str, seq: int, change: Change) -> None:
        """To be called when the change is committed, not before."""
        if self._characters + change.characters > self._most:
            self.clear()
        if change.characters <= self._most:
            self._held[namespace, seq] = change
            self._characters += change.characters

    def has(self, namespace: str, seq: int) -> bool:
        return (namespace, seq) in self._held

    def rows(self, shelf: Shelf, changes: Sequence[int]) -> list[Version] | None:
        """All rows that the changes brought to the shelf; None where not every one of them is held."""
        namespace, partition = shelf
        held = [self._held.get((namespace, seq)) for seq in changes]
        found = [one.rows.get(partition, ()) for one in held if one is not None]
        return [version for rows in found for version in rows] if len(found) == len(held) else None

    def forget(self, seq: int) -> None:
        """Lets go of what was derived: the changes up to a number."""
        for key in [one for one in self._held if one[1] <= seq]:
            self._characters -= self._held.pop(key).characters

    def clear(self) -> None:
        self._held.clear()
        self._characters = 0
