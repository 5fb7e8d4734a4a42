"""Records: memories, their sources, and the graph of what they speak of.

Each record type names its table, so that one writer can store any of them and one log can undo any change. A retired
memory keeps its row. `replay` of a past call reads the rows as they are now; the revision that the ledger stores beside
each call says whether they have changed since.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from operator import itemgetter
from typing import Any, ClassVar, Literal, TypeVar, cast

from sanya.suite.store import Row, Value
from sanya.suites.memory.ratings.rating import Rating

NodeKind = Literal["agent", "artifact", "event", "claim", "concept", "rule"]
EventPrecision = Literal["second", "minute", "hour", "day", "month", "season", "year", "decade"]
ContradictionNature = Literal[
    "temporal_impossibility", "factual_conflict", "source_disagreement", "logical_inconsistency"
]
ResolutionStatus = Literal["unresolved", "resolved", "dismissed"]
EdgeRelation = Literal[
    "caused",
    "precedes",
    "supports",
    "contradicts",
    "participates",
    "mentions",
    "asserts",
    "derived_from",
    "possibly_same",
    "states",
    "supersedes",
]

DEFAULT_TYPE = "Fact"
"""The type of a memory that was never classified."""

EXTRACTOR = "extractor"
"""The property of nodes and edges that a model found: the name of the model. The rules ignore them."""
EXTRACTED_LIKE = f'%"{EXTRACTOR}": %'


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    table: ClassVar[str] = "memories"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    namespace: str
    arrival: int
    """A number that rises in the order in which memories were stored."""
    episode: str = ""
    """The document, conversation or day that it is part of."""
    place: int = 0
    """Its number in the episode."""
    content: str
    rating: Rating
    base: Rating
    """The rating before corroboration, contradiction and contests; see `rating.compute_rating`."""
    type: str = DEFAULT_TYPE
    dynamic_type: str | None = None
    contests: int = 0
    properties: Mapping[str, Any] = field(default_factory=dict)
    agent_id: str | None = None
    created_at: str
    consolidated_at: str | None = None
    retired_at: str | None = None
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    table: ClassVar[str] = "memory_sources"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    namespace: str
    type: str
    ref: str | None = None
    citation: str | None = None
    reliability: str = "F"
    credibility: int = 3
    lineage: str
    """Where it originates, such as `doc:https://…`. Sources of one lineage are not independent."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """A link from a memory to a source that it comes from."""

    table: ClassVar[str] = "memory_provenance"
    key: ClassVar[tuple[str, ...]] = ("memory_id", "source_id")

    memory_id: str
    source_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryNode:
    table: ClassVar[str] = "memory_nodes"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    namespace: str
    kind: NodeKind
    name: str
    dynamic_type: str | None = None
    aliases: tuple[str, ...] = ()
    happened_at: str | None = None
    """As much of an ISO 8601 time as is known: `2010`, `2010-03`, `2010-03-15`, `2010-03-15T09:00`."""
    precision: EventPrecision | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    merged_into: str | None = None
    """The node that this one was merged into. Its own id stays valid."""


@dataclass(frozen=True, slots=True)
class NodeName:
    """A name or alias of a node, in the form in which names are compared (`fold_name`)."""

    table: ClassVar[str] = "memory_names"
    key: ClassVar[tuple[str, ...]] = ("namespace", "folded", "node_id")

    namespace: str
    folded: str
    node_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEdge:
    table: ClassVar[str] = "memory_edges"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    namespace: str
    from_id: str
    """Id of a node or of a memory, like `to_id`."""
    relation: EdgeRelation
    to_id: str
    role: str | None = None
    """The part that a participant plays: `speaker`, `passenger`, …"""
    confidence: Rating
    memory_id: str | None = None
    """The memory that states the edge."""
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    table: ClassVar[str] = "memory_contradictions"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    namespace: str
    memory_id: str
    """The later one of the two memories."""
    other_id: str
    nature: ContradictionNature
    resolution_status: ResolutionStatus = "unresolved"
    detected_at: str


MemoryRecord = Memory | MemorySource | Provenance | MemoryNode | NodeName | MemoryEdge | Contradiction
RECORD_TYPES: tuple[type[MemoryRecord], ...] = (
    Memory,
    MemorySource,
    Provenance,
    MemoryNode,
    NodeName,
    MemoryEdge,
    Contradiction,
)

_RATINGS = {"rating": ("letter", "digit"), "base": ("base_letter", "base_digit"), "confidence": ("letter", "digit")}
_AS_JSON = ("properties", "aliases")
_COLUMNS: Mapping[type[Any], tuple[str, ...]] = {
    kind: tuple(column for item in fields(kind) for column in _RATINGS.get(item.name, (item.name,)))
    for kind in RECORD_TYPES
}
_NAMES: Mapping[type[Any], tuple[str, ...]] = {kind: tuple(item.name for item in fields(kind)) for kind in RECORD_TYPES}
_FIRST_COLUMNS: Mapping[type[Any], Callable[[Row], tuple[Value, ...]]] = {
    kind: itemgetter(*(_COLUMNS[kind].index(_RATINGS.get(name, (name,))[0]) for name in _NAMES[kind]))
    for kind in RECORD_TYPES
}
_SECOND_COLUMNS: Mapping[type[Any], tuple[tuple[str, int], ...]] = {
    kind: tuple((name, _COLUMNS[kind].index(_RATINGS[name][1])) for name in _NAMES[kind] if name in _RATINGS)
    for kind in RECORD_TYPES
}
AnyRecord = TypeVar("AnyRecord", bound=MemoryRecord)


def list_columns(kind: type[AnyRecord]) -> tuple[str, ...]:
    return _COLUMNS[kind]


def to_row(record: MemoryRecord) -> dict[str, Value]:
    row: dict[str, Value] = {}
    for item in fields(record):
        value = getattr(record, item.name)
        if item.name in _RATINGS:
            row.update(zip(_RATINGS[item.name], value, strict=True))
        elif item.name in _AS_JSON:
            row[item.name] = json.dumps(value, ensure_ascii=False, sort_keys=True)
        else:
            row[item.name] = value
    return row


def from_row(kind: type[AnyRecord], row: Row) -> AnyRecord:
    """Return the record of a row whose values are in the order of `list_columns`."""
    values: dict[str, Any] = dict(zip(_NAMES[kind], _FIRST_COLUMNS[kind](row), strict=True))
    for name, index in _SECOND_COLUMNS[kind]:
        values[name] = Rating(str(values[name]), cast(int, row[index]))
    if "properties" in values:
        values["properties"] = json.loads(values["properties"]) if values["properties"] != "{}" else {}
    if "aliases" in values:
        values["aliases"] = tuple(json.loads(values["aliases"]))
    return kind(**values)


def fold_name(name: str) -> str:
    """Return a name in the form in which names are compared: without case, and with single blanks."""
    return " ".join(name.casefold().split())
