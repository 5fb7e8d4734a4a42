"""Suggestions for a name that was not understood: names of the same type that are one or two letters away.

Pairs that are known to be confused in practice (Tenormin, Tenoretic) are never suggested for one another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import orjson

from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.edit_distance import measure_edit_distance
from sanya.suites.herbs.graph.model import HerbGraph, HerbName, HerbNode, NodeType
from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.suites.herbs.safety.entry_words import measure_name

# Names that related nodes share, or that may mean another plant: never enough inside a longer text.
_WEAK_KINDS = frozenset({"genus", "abbreviation", "part", "code", "doubtful"})
_MAX_SUGGESTIONS = 5
_MIN_SUGGESTED = 5
_TWO_MISTAKES_FROM = 10

NamesByStart = Mapping[tuple[str, NodeType], list[tuple[str, HerbName]]]


def is_strong_name(name: HerbName, key: str) -> bool:
    """Return whether a name is enough inside a longer text."""
    return not name.exact_only and name.kind not in _WEAK_KINDS and len(key) >= (3 if has_thai(key) else 4)


def index_by_start(graph: HerbGraph) -> NamesByStart:
    """Group the strong names by first letter and type: the first letter of a name is seldom mistaken."""
    groups: dict[tuple[str, NodeType], list[tuple[str, HerbName]]] = defaultdict(list)
    for key, names in graph.names_by_key.items():
        for name in names:
            if is_strong_name(name, key):
                groups[key[:1], name.node_type].append((key, name))
    return groups


def suggest_nodes(graph: HerbGraph, names: NamesByStart, given: str, type: NodeType) -> tuple[HerbNode, ...]:
    """Return the nodes whose names are nearest to what was given, the nearest first. A word for the kind of thing adds
    nothing to a likeness: "โรคหัด" is as far from "โรคหืด" as "หัด" from "หืด"."""
    key = fold_name(given)
    length = measure_name(given, type)
    limit = 0 if length < _MIN_SUGGESTED else 1 if length < _TWO_MISTAKES_FROM else 2
    distances: dict[str, int] = {}
    for other, name in names.get((key[:1], type), ()) if limit else ():
        if abs(len(other) - len(key)) > limit or _is_look_alike(key, other):
            continue
        distance = measure_edit_distance(key, other)
        if distance <= limit:
            distances[name.node_id] = min(distance, distances.get(name.node_id, distance))
    ids = sorted(distances, key=lambda id: (distances[id], id))[:_MAX_SUGGESTIONS]
    return tuple(graph.nodes[id] for id in ids)


def _is_look_alike(key: str, other: str) -> bool:
    return frozenset((key, other)) in _load_look_alikes()


@cache
def _load_look_alikes() -> frozenset[frozenset[str]]:
    lines = (files("sanya.suites.herbs") / "data" / "look_alikes.jsonl").read_bytes().splitlines()
    pairs = map(orjson.loads, lines)
    return frozenset(frozenset((fold_name(pair["a"]), fold_name(pair["b"]))) for pair in pairs)
