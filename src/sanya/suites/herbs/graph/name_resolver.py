"""From what people call a thing to the node that it is: Thai, transcribed, English, Latin, with slips of the finger.

A name that fits several nodes is answered with all of them. Whether a guess may be used is the caller's to decide:
`how` says what it rests on.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sanya.kernel.database import Row
from sanya.kernel.sql import format_placeholders
from sanya.suites.herbs.graph.edit_distance import allowed_slips, slips
from sanya.suites.herbs.graph.model import Node, NodeType
from sanya.suites.herbs.graph.name_keys import name_key
from sanya.suites.herbs.graph.store import HerbStore
from sanya.text.characters import has_thai

How = Literal["id", "name", "spelling", "slip", "beginning"]

_MOST_CANDIDATES = 12
_MOST_ROWS = 200
_MOST_NEAREST = 5
_SHORTEST_SOUND = 5
_SHORTEST_BEGINNING = 2
_MAIN_KINDS = frozenset({"main", "romanised"})
# Names that a node shares with its kin by their nature; one of its own comes before them.
_WEAK_KINDS = frozenset({"genus", "abbreviation", "part", "code"})


@dataclass(frozen=True, slots=True)
class Candidate:
    node: Node
    name: str


@dataclass(frozen=True, slots=True)
class Exact:
    node: Node
    name: str
    how: How

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return (Candidate(self.node, self.name),)

    @property
    def is_sure(self) -> bool:
        """Whether it was named, rather than guessed from something close."""
        return self.how in ("id", "name", "spelling")


@dataclass(frozen=True, slots=True)
class Ambiguous:
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """`candidates` are the nearest."""

    candidates: tuple[Candidate, ...] = ()


Resolution = Exact | Ambiguous | Unknown


@dataclass(frozen=True, slots=True)
class _Match:
    node_id: str
    node_type: str
    name: str
    kind: str
    key: str


class Names:
    def __init__(self, store: HerbStore) -> None:
        self._store = store

    async def resolve(self, text: str, types: Sequence[NodeType] = ()) -> Resolution:
        """What `text` means among nodes of these types, or of any."""
        node = await self._store.node(text.strip())
        if node is not None and (not types or node.type in types):
            return Exact(node, node.label, "id")
        key = name_key(text)
        if not key:
            return Unknown()
        if found := _strongest(await self._where("name_key = ?", [key], types)):
            return await self._resolution(found, "name")
        if found := _strongest(await self._sounding_like(text, types)):
            return await self._resolution(found, "spelling")
        close = await self._close(key, types)
        if found := _strongest(_fewest_slips(key, close)):
            return await self._resolution(found, "slip")
        return await self._beginning(key, types, close)

    async def beginning(self, text: str, types: Sequence[NodeType], limit: int) -> list[tuple[str, Node]]:
        """Names that begin with `text`, each with its node, in alphabetical order: for completion."""
        key = name_key(text)
        if text and not key:
            return []
        matches = await self._where("name_key >= ? AND name_key < ?", [key, key + chr(sys.maxunicode)], types, limit)
        nodes = await self._store.nodes_by_id(match.node_id for match in matches)
        return [(match.name, nodes[match.node_id]) for match in matches]

    async def _sounding_like(self, text: str, types: Sequence[NodeType]) -> list[_Match]:
        from sanya.text.spelling import spelling_key  # here: a name that is found needs no dictionary

        # Thai is transcribed with a dictionary that takes a second to load.
        sound = await asyncio.to_thread(spelling_key, text) if has_thai(text) else spelling_key(text)
        return await self._where("sound = ?", [sound], types) if len(sound) >= _SHORTEST_SOUND else []

    async def _close(self, key: str, types: Sequence[NodeType]) -> list[_Match]:
        """One slip leaves one half of a name as it was, so names that share either half are all that need comparing."""
        if len(key) < 4:
            return []
        half = len(key) // 2
        first, second = key[:half], key[half:][::-1]
        starts = await self._where("name_key >= ? AND name_key < ?", [first, first + chr(sys.maxunicode)], types)
        ends = await self._where("backwards >= ? AND backwards < ?", [second, second + chr(sys.maxunicode)], types)
        return [*starts, *ends]

    async def _beginning(self, key: str, types: Sequence[NodeType], close: list[_Match]) -> Resolution:
        """The head of a longer name: one that several share is ambiguous, and is never taken for a whole name."""
        after = chr(sys.maxunicode)
        longer = await self._where("name_key >= ? AND name_key < ?", [key, key + after], types)
        candidates = await self._candidates(longer if len(key) >= _SHORTEST_BEGINNING else [])
        if len(candidates) > 1:
            return Ambiguous(candidates)
        near = sorted(close, key=lambda match: (slips(key, match.key), match.node_id))
        return Unknown((candidates or await self._candidates(near))[:_MOST_NEAREST])

    async def _resolution(self, matches: Sequence[_Match], how: How) -> Resolution:
        candidates = await self._candidates(matches)
        if len(candidates) == 1:
            return Exact(candidates[0].node, candidates[0].name, how)
        return Ambiguous(candidates)

    async def _candidates(self, matches: Iterable[_Match]) -> tuple[Candidate, ...]:
        by_node: dict[str, str] = {}
        for match in matches:
            by_node.setdefault(match.node_id, match.name)
        chosen = list(by_node)[:_MOST_CANDIDATES]
        nodes = await self._store.nodes_by_id(chosen)
        return tuple(Candidate(nodes[id], by_node[id]) for id in chosen)

    async def _where(
        self, condition: str, values: Sequence[str], types: Sequence[NodeType], limit: int = _MOST_ROWS
    ) -> list[_Match]:
        of_types = f" AND node_type IN ({format_placeholders(types)})" if types else ""
        column = condition.split()[0]
        sql = (
            "SELECT node_id, node_type, name, kind, name_key FROM herb_names "  # noqa: S608 - names of our own
            f"WHERE {condition}{of_types} ORDER BY {column}, node_type, node_id LIMIT ?"
        )
        rows: list[Row] = await self._store.database.fetch(sql, (*values, *types, limit))
        return [_Match(*map(str, row)) for row in rows]


def _strongest(matches: list[_Match]) -> list[_Match]:
    """A node's own name comes before one by kinship; and of two types, the one of which it is the main name."""
    own = [match for match in matches if match.kind not in _WEAK_KINDS] or matches
    main_types = {match.node_type for match in own if match.kind in _MAIN_KINDS}
    return [match for match in own if match.node_type in main_types] or own


def _fewest_slips(key: str, matches: list[_Match]) -> list[_Match]:
    allowed = allowed_slips(len(key))
    counted = {match: slips(key, match.key) for match in matches if abs(len(match.key) - len(key)) <= allowed}
    fewest = min(counted.values(), default=allowed + 1)
    return [match for match, count in counted.items() if count == fewest] if fewest <= allowed else []
