"""One memory into the graph, step by step; each step writes only what is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from sanya.suites.memory.graph.claims import weave_claims
from sanya.suites.memory.graph.context import Thread
from sanya.suites.memory.graph.dated_notes import weave_occasions
from sanya.suites.memory.graph.derived_rules import MOST_RULES, weave_rules
from sanya.suites.memory.graph.entities import weave_people
from sanya.suites.memory.graph.event_order import weave_order
from sanya.suites.memory.graph.events import weave_events
from sanya.suites.memory.graph.log_rows import weave_row
from sanya.suites.memory.graph.sources import weave_voices
from sanya.suites.memory.graph.stances import weave_positions
from sanya.suites.memory.parsing.parser import Reading, read
from sanya.suites.memory.ratings.rerating import is_marked, rerate
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

__all__ = ["MOST_RULES", "read_all", "weave_all"]

_DONE = "UPDATE memories SET consolidated_at = ? WHERE id = ? AND consolidated_at IS NULL"


@lru_cache(maxsize=1024)
def cached_reading(content: str, said: date | None) -> Reading:
    """Readings depend on the text and the day alone, so the same ones are not read twice."""
    return read(content, said)


def read_all(memories: Sequence[Memory]) -> list[Reading]:
    return [cached_reading(one.content, date.fromisoformat(one.created_at[:10])) for one in memories]


async def weave_all(
    store: MemoryStore, writer: MemoryWriter, memories: Iterable[tuple[Memory, Reading]], at: str
) -> None:
    """Those that nobody has woven meanwhile; each sees what the ones before it brought."""
    reader = store.within(writer)
    for memory, reading in memories:
        if await writer.transaction.execute(_DONE, (at, memory.id)):
            thread = Thread(memory, reading, reader, writer, at)
            await _weave(thread)
            await rerate(store, writer, memory.namespace, thread.touched)


async def _weave(thread: Thread) -> None:
    await weave_voices(thread)
    if is_marked(thread.memory):
        # It is kept as data. What it claims, and whom it calls the same, has no part in the graph.
        return
    met = await weave_people(thread)
    await weave_row(thread, met)
    claims = await weave_claims(thread)
    pairs = await weave_events(thread)
    await weave_order(thread, claims, pairs)
    await weave_rules(thread, claims)
    await weave_positions(thread)
    await weave_occasions(thread)
