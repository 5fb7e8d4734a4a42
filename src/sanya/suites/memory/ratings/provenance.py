"""Provenance: sources and lineages. Memories that share a document, an agent or an ancestor are not independent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sanya.suites.memory.ratings.rating import Lineage
from sanya.suites.memory.storage.identifiers import make_source_id
from sanya.suites.memory.storage.records import Memory, MemorySource, fold_name

UNSOURCED = "unsourced"
"""The common lineage of all memories that name no source."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A source as the caller names it."""

    type: str | None = None
    ref: str | None = None
    citation: str | None = None

    def __bool__(self) -> bool:
        return any((self.type, self.ref, self.citation))


NO_ORIGIN = Origin()


def make_lineage_key(origin: Origin) -> str | None:
    """Return the lineage of an origin. Two citations of one document have the same lineage."""
    if origin.ref:
        return f"doc:{fold_name(origin.ref)}"
    if not origin:
        return None
    return f"kind:{fold_name(origin.type or '')}:{fold_name(origin.citation or '')}"


def make_source(namespace: str, origin: Origin, reliability: str) -> MemorySource:
    return MemorySource(
        id=make_source_id(namespace, origin.type or "", origin.ref or "", origin.citation or ""),
        namespace=namespace,
        type=origin.type or "unknown",
        ref=origin.ref,
        citation=origin.citation,
        reliability=reliability,
        lineage=make_lineage_key(origin) or UNSOURCED,
    )


def build_lineage(memory: Memory, sources: Iterable[MemorySource], ancestors: Iterable[str] = ()) -> Lineage:
    """Return everything that a memory goes back to. `ancestors` are the memories that it is derived from."""
    keys = {f"source:{source.lineage}" for source in sources if source.lineage != UNSOURCED}
    keys |= {f"memory:{ancestor}" for ancestor in ancestors}
    # A caller chooses the agent id freely, so another agent id alone makes no independent voice.
    keys = keys or {UNSOURCED}
    if memory.agent_id:
        keys.add(f"agent:{fold_name(memory.agent_id)}")
    return frozenset(keys) | {f"memory:{memory.id}"}
