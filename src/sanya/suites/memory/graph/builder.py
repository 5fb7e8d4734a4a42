"""One memory into the graph, step by step; each step writes only what is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from sanya.suites.memory.graph.claims import add_claims
from sanya.suites.memory.graph.context import GraphContext
from sanya.suites.memory.graph.dated_notes import add_dated_notes
from sanya.suites.memory.graph.derived_rules import derive_rules
from sanya.suites.memory.graph.entities import add_entities
from sanya.suites.memory.graph.event_order import check_event_order
from sanya.suites.memory.graph.events import add_event_links
from sanya.suites.memory.graph.log_rows import add_log_row
from sanya.suites.memory.graph.sources import add_sources
from sanya.suites.memory.graph.stances import add_stance
from sanya.suites.memory.parsing.parser import ParsedText, parse_text
from sanya.suites.memory.ratings.rerating import is_marked_instruction, rerate
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

_DONE = "UPDATE memories SET consolidated_at = ? WHERE id = ? AND consolidated_at IS NULL"


@lru_cache(maxsize=1024)
def parse_cached(content: str, said: date | None) -> ParsedText:
    """Readings depend on the text and the day alone, so the same ones are not read twice."""
    return parse_text(content, said)


def parse_memories(memories: Sequence[Memory]) -> list[ParsedText]:
    return [parse_cached(one.content, date.fromisoformat(one.created_at[:10])) for one in memories]


async def build_graph(
    store: MemoryStore, writer: MemoryWriter, memories: Iterable[tuple[Memory, ParsedText]], at: str
) -> None:
    """Those that nobody has woven meanwhile; each sees what the ones before it brought."""
    reader = store.make_reader(writer)
    for memory, reading in memories:
        if await writer.transaction.execute(_DONE, (at, memory.id)):
            thread = GraphContext(memory, reading, reader, writer, at)
            await _add_memory(thread)
            await rerate(store, writer, memory.namespace, thread.to_rerate)


async def _add_memory(thread: GraphContext) -> None:
    await add_sources(thread)
    if is_marked_instruction(thread.memory):
        # It is kept as data. What it claims, and whom it calls the same, has no part in the graph.
        return
    met = await add_entities(thread)
    await add_log_row(thread, met)
    claims = await add_claims(thread)
    pairs = await add_event_links(thread)
    await check_event_order(thread, claims, pairs)
    await derive_rules(thread, claims)
    await add_stance(thread)
    await add_dated_notes(thread)
