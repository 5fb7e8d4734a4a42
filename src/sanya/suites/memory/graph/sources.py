"""Whom a memory has it from: the sources that its text itself names, or the sender's own word."""

from __future__ import annotations

from sanya.suites.memory.graph.context import GraphContext
from sanya.suites.memory.ratings.provenance import UNSOURCED, Origin, make_source, make_source_id
from sanya.suites.memory.storage.records import MemoryRecord, MemorySource, Provenance

_MOST_SOURCES = 10
_LONGEST_NAME = 200


async def add_sources(thread: GraphContext) -> None:
    """A named source makes a voice of its own; without any the memory rests on whoever sent it."""
    known = (await thread.reader.find_sources([thread.memory.id]))[thread.memory.id]
    names = dict.fromkeys(one.source[:_LONGEST_NAME] for one in thread.parsed.attributions)
    found: list[MemorySource] = [
        make_source(thread.namespace, Origin("named in the text", name, None), thread.memory.base.letter)
        for name in list(names)[:_MOST_SOURCES]
    ]
    if not known and not found:
        found = [_make_sender_source(thread)]
    records: list[MemoryRecord] = [*found, *(Provenance(thread.memory.id, one.id) for one in found)]
    await thread.save(records)


def _make_sender_source(thread: GraphContext) -> MemorySource:
    memory = thread.memory
    return MemorySource(
        id=make_source_id("\n".join(("own word", thread.namespace, memory.id))),
        namespace=thread.namespace,
        type="statement",
        ref=memory.id,
        citation=f"sent at {memory.created_at}",
        reliability=memory.base.letter,
        lineage=UNSOURCED,
    )
