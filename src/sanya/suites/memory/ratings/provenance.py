"""Sources, and what they go back to. Voices that share a document, an agent or an ancestor are one voice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from sanya.suites.memory.ratings.rating import Lineage
from sanya.suites.memory.storage.records import Memory, MemorySource, fold_name

UNSOURCED = "unsourced"
"""The lineage of all memories that name neither source nor agent: together they are one voice."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A source as a caller names it."""

    type: str | None = None
    ref: str | None = None
    citation: str | None = None

    def __bool__(self) -> bool:
        return any((self.type, self.ref, self.citation))


NO_ORIGIN = Origin()


def make_lineage_key(origin: Origin) -> str | None:
    """The document where there is one; two citations of one document are one voice."""
    if origin.ref:
        return f"doc:{fold_name(origin.ref)}"
    if not origin:
        return None
    return f"kind:{fold_name(origin.type or '')}:{fold_name(origin.citation or '')}"


def make_source(namespace: str, origin: Origin, reliability: str) -> MemorySource:
    """The same source always gets the same id within a namespace."""
    name = "\n".join((namespace, origin.type or "", origin.ref or "", origin.citation or ""))
    return MemorySource(
        id=make_source_id(name),
        namespace=namespace,
        type=origin.type or "unknown",
        ref=origin.ref,
        citation=origin.citation,
        reliability=reliability,
        lineage=make_lineage_key(origin) or UNSOURCED,
    )


def make_source_id(name: str) -> str:
    return "src_" + sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def build_lineage(memory: Memory, sources: Iterable[MemorySource], ancestors: Iterable[str] = ()) -> Lineage:
    """Everything that a memory goes back to; `ancestors` are the memories it is derived from."""
    keys = {f"source:{one.lineage}" for one in sources if one.lineage != UNSOURCED}
    if memory.agent_id:
        keys.add(f"agent:{fold_name(memory.agent_id)}")
    keys |= {f"memory:{one}" for one in ancestors}
    return frozenset(keys or {UNSOURCED}) | {f"memory:{memory.id}"}
