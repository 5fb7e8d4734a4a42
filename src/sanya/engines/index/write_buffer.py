"""Rows between their commit and the index: held in memory until they are derived, to save reading them from the store
again. The store stays the truth: a change that is not fully buffered is read there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.engines.index.rows import PartitionKey, Version

# About what an import brings between two refreshes. More is read from the database.
_MAX_CHARACTERS = 64_000_000


@dataclass(frozen=True, slots=True)
class BufferedChange:
    rows: Mapping[str, Sequence[Version]]
    """Rows by partition, in the order of positions."""
    characters: int

    def extend(self, partition: str, rows: Sequence[Version], characters: int) -> BufferedChange:
        return BufferedChange({**self.rows, partition: rows}, self.characters + characters)


class WriteBuffer:
    """Changes that this process committed, by namespace and number."""

    def __init__(self, max_characters: int = _MAX_CHARACTERS) -> None:
        self._max_characters = max_characters
        self._held: dict[tuple[str, int], BufferedChange] = {}
        self._characters = 0

    def put(self, namespace: str, seq: int, change: BufferedChange) -> None:
        """Hold a change. Call this after its commit, not before."""
        if self._characters + change.characters > self._max_characters:
            self.clear()
        if change.characters <= self._max_characters:
            self._held[namespace, seq] = change
            self._characters += change.characters

    def has(self, namespace: str, seq: int) -> bool:
        return (namespace, seq) in self._held

    def collect_rows(self, key: PartitionKey, changes: Sequence[int]) -> list[Version] | None:
        """Return all rows that the changes brought to the partition; None if some change is not held."""
        namespace, partition = key
        changes_held = [self._held.get((namespace, seq)) for seq in changes]
        rows_by_change = [buffered.rows.get(partition, ()) for buffered in changes_held if buffered is not None]
        return (
            [version for rows in rows_by_change for version in rows]
            if len(rows_by_change) == len(changes_held)
            else None
        )

    def drop_through(self, seq: int) -> None:
        """Drop the changes up to a number, which are derived."""
        for key in [key for key in self._held if key[1] <= seq]:
            self._characters -= self._held.pop(key).characters

    def clear(self) -> None:
        self._held.clear()
        self._characters = 0
