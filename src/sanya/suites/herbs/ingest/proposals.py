"""What a document proposes for the graph, and how that differs from what the graph knows. All of it is data: it is
shown by a dry run and kept with the job, and a real run writes exactly it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sanya.suites.herbs.graph.model import Edge, Name, Node, Source


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the document: characters of the page's text as it was stored, that is, without personal data."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """A stretch of the document that names something. Several nodes: it stays ambiguous; none: it is unlinked."""

    text: str
    place: Place
    kind: Literal["name", "alias", "romanised", "slip", "binomial", "icd10", "dosage"]
    nodes: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Conflict:
    """What the document says against what is known; nothing of it is written."""

    kind: str
    message: str
    place: Place
    known: str
    """The id of the edge or node that says otherwise."""


@dataclass(frozen=True, slots=True)
class Diff:
    """All that one document would change: every row is `unreviewed` and of the job's own batch."""

    digest: str
    sources: tuple[Source, ...] = ()
    nodes: tuple[Node, ...] = ()
    names: tuple[Name, ...] = ()
    edges: tuple[Edge, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    ambiguous: tuple[LinkedMention, ...] = ()
    unlinked: tuple[LinkedMention, ...] = ()
    linked: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    """What was seen and left out, by reason: negated, hedged, redacted and so on."""

    @property
    def is_empty(self) -> bool:
        return not (self.sources or self.nodes or self.names or self.edges)
