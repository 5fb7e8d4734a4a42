"""Reads what people type for a herb, a formulation, a drug or a condition into nodes of the graph.

An entry is read in the order of certainty, and the first reading that finds anything counts:

1. a name of the graph, as `NameResolver` finds it: an id, a name, a transcription. A name of several nodes is
   ambiguous; all of them are checked, and the answer says so. A formulation among the herbs, a condition among the
   drugs, or the reverse, is understood as well;
2. an age ("4 year old") or the length of a pregnancy ("ท้อง 3 เดือน"), for conditions;
3. names inside the entry ("ใบแปะก๊วย", "warfarin 5 mg", "ยาแก้ปวดทรามาดอล"), the longest first. Several names are several
   nodes, and all are checked: one more node can only add warnings.

An entry that is read in no way is unknown. It gets suggestions of the same type that are one or two letters away.
Pairs that are known to be confused in practice (Tenormin, Tenoretic) are never suggested for one another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import orjson

from sanya.suites.herbs.graph.edit_distance import measure_edit_distance
from sanya.suites.herbs.graph.model import HerbGraph, HerbName, HerbNode, NodeType
from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.suites.herbs.graph.name_resolver import AmbiguousMatch, NameResolver, ResolvedName, UnknownName
from sanya.suites.herbs.safety.ages import PREGNANCY, find_age_years, find_population_id, is_gestation
from sanya.text.characters import has_thai

EntryStatus = Literal["known", "ambiguous", "unknown"]

# Names that related nodes share, or that may mean another plant: never enough inside a longer text.
_WEAK_KINDS = frozenset({"genus", "abbreviation", "part", "code", "doubtful"})
# A name of a plant must be most of what was typed: "dragon fruit petals" is not "dragon's blood".
_MIN_PLANT_SHARE = 0.5
_MAX_WORDS = 6
_MAX_SUGGESTIONS = 5
_MAX_CHARS = 120
_MIN_SUGGESTED = 5
_TWO_MISTAKES_FROM = 10
_TOKEN = re.compile(r"[฀-๿]+|[^\W฀-๿]+(?:['’.-][^\W฀-๿]+)*")
_JOINT = re.compile(r"[,;+&]|\s/\s|\b(?:and|plus|with)\b|และ|กับ|แล้วก็", re.IGNORECASE)
_NEIGHBOURS: dict[NodeType, NodeType] = {
    "herb": "formulation",
    "formulation": "herb",
    "drug": "condition",
    "condition": "drug",
}
_PLANT_TYPES = ("herb", "formulation")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the request and what it was read as. Of an unknown entry, `nodes` are suggestions."""

    given: str
    field: str
    status: EntryStatus
    nodes: tuple[HerbNode, ...]

    @property
    def checked_nodes(self) -> tuple[HerbNode, ...]:
        return () if self.status == "unknown" else self.nodes


class EntryReader:
    def __init__(self, resolver: NameResolver, graph: HerbGraph) -> None:
        self._resolver = resolver
        self._graph = graph

    async def read_all(self, given: str, field: str, type: NodeType) -> list[Entry]:
        """Read an entry as one name or, where it joins several ("warfarin and Lipitor"), as one entry for each.

        Each part gets its own verdict, so that a part that is not understood is not hidden by one that is.
        """
        parts = [part for part in _JOINT.split(given) if part.strip()]
        if len(parts) > 1 and await self._read_any_name(given, field, type) is None:
            entries = [await self.read(part.strip(), field, type) for part in parts]
            if any(entry.status != "unknown" for entry in entries):
                return entries
        return [await self.read(given, field, type)]

    async def _read_any_name(self, given: str, field: str, type: NodeType) -> Entry | None:
        for wanted in (type, _NEIGHBOURS[type]):
            if entry := await self._read_name(given, field, wanted):
                return entry
        return None

    async def read(self, given: str, field: str, type: NodeType) -> Entry:
        """Read one entry as a node of this type or, where none fits, of the neighbouring type."""
        types = (type, _NEIGHBOURS[type])
        if "condition" in types and is_gestation(given) and PREGNANCY in self._graph.nodes:
            return Entry(given, field, "known", (self._graph.nodes[PREGNANCY],))
        if entry := await self._read_any_name(given, field, type):
            return entry
        for wanted in types:
            if wanted == "condition" and (years := find_age_years(given)) is not None:
                population = self._graph.nodes.get(find_population_id(years) or "")
                return Entry(given, field, "known", (population,) if population else ())
            if nodes := self._find_contained(given, wanted):
                return Entry(given, field, "known", nodes)
        return Entry(given, field, "unknown", self._suggest(given, type))

    async def _read_name(self, given: str, field: str, type: NodeType) -> Entry | None:
        resolution = await self._resolver.resolve(given, (type,))
        if isinstance(resolution, UnknownName):
            return None
        # Sounds tell plants apart, which have many transcriptions. Drugs and conditions that sound alike are confused:
        # "ท้องเดือน" is not "ท้องเดิน".
        if type not in _PLANT_TYPES and resolution.match_kind == "spelling":
            return None
        if isinstance(resolution, ResolvedName) and resolution.is_certain:
            return Entry(given, field, "known", (resolution.node,))
        if isinstance(resolution, AmbiguousMatch) and resolution.is_certain:
            return Entry(given, field, "ambiguous", tuple(candidate.node for candidate in resolution.candidates))
        return None

    def _find_contained(self, given: str, type: NodeType) -> tuple[HerbNode, ...]:
        """Return the nodes whose names stand inside the entry, without overlap and the longest first."""
        known = self._graph.names_by_key
        matches = []
        for start, end, key in _list_parts(given):
            names = [name for name in known.get(key, ()) if name.node_type == type and _is_strong(name, key)]
            if names:
                matches.append((start, end, key, names))
        chosen: list[tuple[int, int]] = []
        ids: list[str] = []
        for start, end, key, names in sorted(matches, key=lambda match: (match[0] - match[1], match[0])):
            is_too_short = type in _PLANT_TYPES and len(key) < _MIN_PLANT_SHARE * len(fold_name(given))
            if is_too_short or any(start < right and left < end for left, right in chosen):
                continue
            chosen.append((start, end))
            ids += [name.node_id for name in names]
        return tuple(self._graph.nodes[id] for id in dict.fromkeys(ids))

    def _suggest(self, given: str, type: NodeType) -> tuple[HerbNode, ...]:
        key = fold_name(given)
        limit = 0 if len(key) < _MIN_SUGGESTED else 1 if len(key) < _TWO_MISTAKES_FROM else 2
        distances: dict[str, int] = {}
        for other, names in self._graph.names_by_key.items():
            if other[:1] != key[:1] or abs(len(other) - len(key)) > limit or _is_look_alike(key, other):
                continue
            same_type = [name for name in names if name.node_type == type and _is_strong(name, other)]
            distance = measure_edit_distance(key, other) if same_type else limit + 1
            for name in same_type if distance <= limit else ():
                distances[name.node_id] = min(distance, distances.get(name.node_id, distance))
        ids = sorted(distances, key=lambda id: (distances[id], id))[:_MAX_SUGGESTIONS]
        return tuple(self._graph.nodes[id] for id in ids)


def _is_strong(name: HerbName, key: str) -> bool:
    """Return whether a name is enough inside a longer text."""
    return not name.exact_only and name.kind not in _WEAK_KINDS and len(key) >= (3 if has_thai(key) else 4)


def _list_parts(text: str) -> list[tuple[int, int, str]]:
    """Return the parts of a text that could be names: start, end and key.

    Words of a spaced script are joined up to six at a time. Thai has no blanks between words, so every part of a Thai
    run is tried.
    """
    tokens = [(found.start(), found.end()) for found in _TOKEN.finditer(text[:_MAX_CHARS])]
    spans = {
        (tokens[first][0], tokens[last][1])
        for first in range(len(tokens))
        for last in range(first, min(first + _MAX_WORDS, len(tokens)))
    }
    for start, end in tokens:
        if has_thai(text[start:end]):
            spans |= {(left, right) for left in range(start, end) for right in range(left + 3, end + 1)}
    return [(start, end, fold_name(text[start:end])) for start, end in sorted(spans)]


def _is_look_alike(key: str, other: str) -> bool:
    return frozenset((key, other)) in _load_look_alikes()


@cache
def _load_look_alikes() -> frozenset[frozenset[str]]:
    lines = (files("sanya.suites.herbs") / "data" / "look_alikes.jsonl").read_bytes().splitlines()
    pairs = map(orjson.loads, lines)
    return frozenset(frozenset((fold_name(pair["a"]), fold_name(pair["b"]))) for pair in pairs)
