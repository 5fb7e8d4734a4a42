"""Sources of a memory: those that its text names, or its sender."""

from __future__ import annotations

from sanya.suites.memory.graph.context import GraphContext
from sanya.suites.memory.ratings.provenance import UNSOURCED, Origin, make_source
from sanya.suites.memory.storage.identifiers import make_source_id
from sanya.suites.memory.storage.records import MemoryRecord, MemorySource, Provenance

_MAX_SOURCES = 10
_MAX_SOURCE_CHARS = 200


async def add_sources(context: GraphContext) -> None:
    """Add each source that the text names. A memory without any source gets its sender as the source."""
    memory = context.memory
    known = (await context.reader.find_sources([memory.id]))[memory.id]
    names = dict.fromkeys(attribution.source[:_MAX_SOURCE_CHARS] for attribution in context.parsed.attributions)
    sources = [
        make_source(context.namespace, Origin("named in the text", name, None), memory.base.letter)
        for name in list(names)[:_MAX_SOURCES]
    ]
    if not known and not sources:
        sources = [_make_sender_source(context)]
    records: list[MemoryRecord] = [*sources, *(Provenance(memory.id, source.id) for source in sources)]
    await context.save(records)


def _make_sender_source(context: GraphContext) -> MemorySource:
    memory = context.memory
    return MemorySource(
        id=make_source_id("own word", context.namespace, memory.id),
        namespace=context.namespace,
        type="statement",
        ref=memory.id,
        citation=f"sent at {memory.created_at}",
        reliability=memory.base.letter,
        lineage=UNSOURCED,
    )
