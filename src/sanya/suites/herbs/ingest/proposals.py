"""The diff that a document proposes for the graph.

It is plain data: a dry run shows it, the job stores it, and a real run writes exactly it. Stored diffs use the field
names of these classes, so the names stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sanya.suites.herbs.graph.model import HerbEdge, HerbName, HerbNode, HerbSource


@dataclass(frozen=True, slots=True)
class TextLocation:
    """A place in the document, as offsets in the stored text of the page, where personal data is redacted."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """A name in the document. With several nodes it is ambiguous, with none it is unlinked. A `warning` is a sentence
    that warns of a known subject and from which no statement was read."""

    text: str
    place: TextLocation
    kind: Literal["name", "alias", "romanised", "slip", "binomial", "icd10", "dosage", "warning"]
    nodes: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Conflict:
    """A statement of the document that contradicts the graph. It is shown and never written."""

    kind: str
    message: str
    place: TextLocation
    known: str
    """The id of the edge that it contradicts."""


@dataclass(frozen=True, slots=True)
class GraphDiff:
    """All rows that one document would add, each `unreviewed` and of the job's own batch, and what it leaves open."""

    digest: str
    sources: tuple[HerbSource, ...] = ()
    nodes: tuple[HerbNode, ...] = ()
    names: tuple[HerbName, ...] = ()
    edges: tuple[HerbEdge, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    ambiguous: tuple[LinkedMention, ...] = ()
    unlinked: tuple[LinkedMention, ...] = ()
    linked: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many statements and names were left out or marked, by reason: negated, hedged, redacted, …"""

    @property
    def is_empty(self) -> bool:
        return not (self.sources or self.nodes or self.names or self.edges)
