"""Whom a memory has it from: the sources that its text itself names, or the sender's own word."""

from __future__ import annotations

from sanya.suites.memory.graph.context import Thread
from sanya.suites.memory.ratings.provenance import UNSOURCED, Origin, source_id, source_of
from sanya.suites.memory.storage.records import Provenance, Record, Source

_MOST_SOURCES = 10
_LONGEST_NAME = 200


async def weave_voices(thread: Thread) -> None:
    """A named source makes a voice of its own; without any the memory rests on whoever sent it."""
    known = (await thread.reader.sources_of([thread.memory.id]))[thread.memory.id]
    names = dict.fromkeys(one.source[:_LONGEST_NAME] for one in thread.reading.attributions)
    found: list[Source] = [
        source_of(thread.namespace, Origin("named in the text", name, None), thread.memory.base.letter)
        for name in list(names)[:_MOST_SOURCES]
    ]
    if not known and not found:
        found = [_own_word(thread)]
    records: list[Record] = [*found, *(Provenance(thread.memory.id, one.id) for one in found)]
    await thread.save(records)


def _own_word(thread: Thread) -> Source:
    memory = thread.memory
    return Source(
        id=source_id("\n".join(("own word", thread.namespace, memory.id))),
        namespace=thread.namespace,
        type="statement",
        ref=memory.id,
        citation=f"sent at {memory.created_at}",
        reliability=memory.base.letter,
        lineage=UNSOURCED,
    )
