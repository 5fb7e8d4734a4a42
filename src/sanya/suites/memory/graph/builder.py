"""The graph builder: adds memories one by one, step by step. Each step inserts only what does not exist yet."""

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
from sanya.suites.memory.graph.facts import add_fact_contradictions, add_facts
from sanya.suites.memory.graph.log_rows import add_log_row
from sanya.suites.memory.graph.sources import add_sources
from sanya.suites.memory.graph.stances import add_stance
from sanya.suites.memory.parsing.parser import ParsedText, parse_text
from sanya.suites.memory.ratings.rerating import is_marked_instruction, read_notice_lineages, rerate
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

_MARK_CONSOLIDATED = "UPDATE memories SET consolidated_at = ? WHERE id = ? AND consolidated_at IS NULL"


@lru_cache(maxsize=1024)
def parse_cached(content: str, stated_on: date | None) -> ParsedText:
    return parse_text(content, stated_on)


def parse_memories(memories: Sequence[Memory]) -> list[ParsedText]:
    return [parse_cached(memory.content, date.fromisoformat(memory.created_at[:10])) for memory in memories]


async def build_graph(
    store: MemoryStore, writer: MemoryWriter, memories: Iterable[tuple[Memory, ParsedText]], timestamp: str
) -> None:
    """Add memories that no other process has added since. Each sees what those before it brought."""
    reader = store.make_reader(writer)
    for memory, parsed in memories:
        if await writer.transaction.execute(_MARK_CONSOLIDATED, (timestamp, memory.id)):
            context = GraphContext(memory, parsed, reader, writer, timestamp)
            await _add_memory(context)
            if await read_notice_lineages(reader, memory):
                context.to_rerate.add(memory.id)
            await rerate(store, writer, memory.namespace, context.to_rerate)


async def _add_memory(context: GraphContext) -> None:
    await add_sources(context)
    if is_marked_instruction(context.memory):
        return  # it is kept as data; neither its claims nor its aliases enter the graph
    mentions = await add_entities(context)
    await add_log_row(context, mentions)
    links = await add_facts(context)
    claims = await add_claims(context)
    await add_fact_contradictions(context, links)
    pairs = await add_event_links(context)
    await check_event_order(context, claims, pairs)
    await derive_rules(context, claims)
    await add_stance(context)
    await add_dated_notes(context)
