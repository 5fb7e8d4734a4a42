"""Resolution of a name to a node: Thai, transcribed, English or Latin, with typing mistakes.

`NameResolver.resolve` tries five lookups in order and stops at the first that finds anything:

1. `id`: the text is the id of a node.
2. `name`: the text equals a stored name, without case, blanks and punctuation.
3. `spelling`: the text sounds like a Thai name in some Latin spelling ("fah talai jone").
4. `misspelling`: the text is one or two typing mistakes away from a name.
5. `prefix`: the text begins several longer names.

Within one lookup, a node's own name outranks one that it shares by kinship (a genus, a plant part), and a main name
outranks an alias of another type. One node left is a `ResolvedName`; several are an `AmbiguousMatch` with all of them,
never a guess. Lookups 1 to 3 are certain. A caller that must not guess, such as the safety check, refuses the others
by `is_certain` and shows the candidates.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sanya.suite.store import Row, format_placeholders
from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.edit_distance import limit_edit_distance, measure_edit_distance
from sanya.suites.herbs.graph.model import HerbNode, NodeType
from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.suites.herbs.graph.name_lookup import select_strongest
from sanya.suites.herbs.graph.store import HerbStore

NameMatchKind = Literal["id", "name", "spelling", "misspelling"]

MAX_CANDIDATES = 20
"""Fifteen herbs are called "โกฐ" and a further word."""
_MAX_ROWS = 200
_MAX_NEAREST = 5
_MIN_SOUND_LENGTH = 5
_MIN_PREFIX_LENGTH = 2
_MIN_MISSPELT_LENGTH = 4
# A suggestion has at most one mistake in this many letters: a name that is less alike would only mislead.
_LETTERS_PER_MISTAKE = 4
_LAST_CHARACTER = chr(sys.maxunicode)


@dataclass(frozen=True, slots=True)
class NameCandidate:
    node: HerbNode
    name: str


@dataclass(frozen=True, slots=True)
class ResolvedName:
    node: HerbNode
    name: str
    match_kind: NameMatchKind

    @property
    def candidates(self) -> tuple[NameCandidate, ...]:
        return (NameCandidate(self.node, self.name),)

    @property
    def is_certain(self) -> bool:
        """False where the node was guessed from a misspelling."""
        return self.match_kind in ("id", "name", "spelling")


@dataclass(frozen=True, slots=True)
class AmbiguousMatch:
    candidates: tuple[NameCandidate, ...]
    match_kind: NameMatchKind = "name"
    is_prefix: bool = False
    """True where the text begins these names and is none of them."""

    @property
    def is_certain(self) -> bool:
        """False where the candidates were guessed from a misspelling. A prefix of several names is certain: it names
        what they have in common."""
        return self.match_kind != "misspelling"


@dataclass(frozen=True, slots=True)
class UnknownName:
    """`candidates` are the nearest names."""

    candidates: tuple[NameCandidate, ...] = ()


NameResolution = ResolvedName | AmbiguousMatch | UnknownName


@dataclass(frozen=True, slots=True)
class _NameRow:
    node_id: str
    node_type: str
    name: str
    kind: str
    key: str


class NameResolver:
    def __init__(self, store: HerbStore) -> None:
        self._store = store

    async def resolve(self, text: str, types: Sequence[NodeType] = ()) -> NameResolution:
        """Return what `text` names among nodes of these types, or of any type."""
        node = await self._store.get_node(text.strip())
        if node is not None and (not types or node.type in types):
            return ResolvedName(node, node.label, "id")
        key = fold_name(text)
        if not key:
            return UnknownName()
        if rows := select_strongest(await self._fetch_rows("name_key = ?", [key], types)):
            return await self._build_resolution(rows, "name")
        if rows := select_strongest(await self._find_by_sound(text, types)):
            return await self._build_resolution(rows, "spelling")
        close = await self._find_close(key, types)
        if rows := select_strongest(_select_nearest(key, close)):
            return await self._build_resolution(rows, "misspelling")
        return await self._resolve_prefix(key, types, close)

    async def complete_names(self, text: str, types: Sequence[NodeType], limit: int) -> list[tuple[str, HerbNode]]:
        """Return names that begin with `text`, each with its node, in alphabetical order."""
        key = fold_name(text)
        if text and not key:
            return []
        rows = await self._fetch_prefix("name_key", key, types, limit)
        nodes = await self._store.get_nodes(row.node_id for row in rows)
        return [(row.name, nodes[row.node_id]) for row in rows]

    async def _find_by_sound(self, text: str, types: Sequence[NodeType]) -> list[_NameRow]:
        from sanya.suite.text import make_spelling_key  # imported late: a name found before needs no dictionary

        # Thai is transcribed with a dictionary that takes a second to load.
        sound = await asyncio.to_thread(make_spelling_key, text) if has_thai(text) else make_spelling_key(text)
        return await self._fetch_rows("sound = ?", [sound], types) if len(sound) >= _MIN_SOUND_LENGTH else []

    async def _find_close(self, key: str, types: Sequence[NodeType]) -> list[_NameRow]:
        """Return names that share the first or the second half of the key.

        One mistake leaves one half of a name intact, so two index ranges hold every name that is one mistake away.
        """
        if len(key) < _MIN_MISSPELT_LENGTH:
            return []
        half = len(key) // 2
        starts = await self._fetch_prefix("name_key", key[:half], types)
        ends = await self._fetch_prefix("backwards", key[half:][::-1], types)
        return [*starts, *ends]

    async def _resolve_prefix(self, key: str, types: Sequence[NodeType], close: list[_NameRow]) -> NameResolution:
        """Treat the key as the beginning of longer names, which is never enough to choose one of them."""
        longer = await self._fetch_prefix("name_key", key, types)
        candidates = await self._build_candidates(longer if len(key) >= _MIN_PREFIX_LENGTH else [])
        if len(candidates) > 1:
            return AmbiguousMatch(candidates, is_prefix=True)
        distances = {row: measure_edit_distance(key, row.key) for row in close}
        limit = max(1, len(key) // _LETTERS_PER_MISTAKE)
        nearest = sorted(
            (row for row in close if distances[row] <= limit), key=lambda row: (distances[row], row.node_id)
        )
        return UnknownName((candidates or await self._build_candidates(nearest))[:_MAX_NEAREST])

    async def _build_resolution(self, rows: Sequence[_NameRow], match_kind: NameMatchKind) -> NameResolution:
        candidates = await self._build_candidates(rows)
        if len(candidates) == 1:
            return ResolvedName(candidates[0].node, candidates[0].name, match_kind)
        return AmbiguousMatch(candidates, match_kind)

    async def _build_candidates(self, rows: Iterable[_NameRow]) -> tuple[NameCandidate, ...]:
        names: dict[str, str] = {}
        for row in rows:
            names.setdefault(row.node_id, row.name)
        chosen = list(names)[:MAX_CANDIDATES]
        nodes = await self._store.get_nodes(chosen)
        return tuple(NameCandidate(nodes[id], names[id]) for id in chosen)

    async def _fetch_prefix(
        self, column: str, prefix: str, types: Sequence[NodeType], limit: int = _MAX_ROWS
    ) -> list[_NameRow]:
        bounds = [prefix, prefix + _LAST_CHARACTER]
        return await self._fetch_rows(f"{column} >= ? AND {column} < ?", bounds, types, limit)

    async def _fetch_rows(
        self, condition: str, values: Sequence[str], types: Sequence[NodeType], limit: int = _MAX_ROWS
    ) -> list[_NameRow]:
        type_condition = f" AND node_type IN ({format_placeholders(types)})" if types else ""
        column = condition.split()[0]
        sql = (
            "SELECT node_id, node_type, name, kind, name_key FROM herb_names "  # noqa: S608 - names of our own
            f"WHERE {condition}{type_condition} ORDER BY {column}, node_type, node_id LIMIT ?"
        )
        rows: list[Row] = await self._store.database.fetch(sql, (*values, *types, limit))
        return [_NameRow(*map(str, row)) for row in rows]


def _select_nearest(key: str, rows: list[_NameRow]) -> list[_NameRow]:
    """Return the rows with the fewest mistakes, if that is few enough for the length of the key."""
    limit = limit_edit_distance(len(key))
    distances = {row: measure_edit_distance(key, row.key) for row in rows if abs(len(row.key) - len(key)) <= limit}
    nearest = min(distances.values(), default=limit + 1)
    return [row for row, distance in distances.items() if distance == nearest] if nearest <= limit else []
