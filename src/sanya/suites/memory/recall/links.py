"""Links of a new memory: what it corrects, contradicts and supports, told in the answer of `send_memory`.

They are found by the facts of its text alone, without adding anything to the graph, which consolidation does later.
Memories that still wait for consolidation are compared as well, if they are few.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sanya.suites.memory.contract import MemoryLink
from sanya.suites.memory.recall.causal_chains import summarise
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore

if TYPE_CHECKING:
    from sanya.suites.memory.contradictions.stated_fact import StatedFact

_MAX_LINKS = 5
_MAX_PENDING = 32
_MAX_CHARS = 4000
_MAX_ACTIVE = 4


class MemoryLinkFinder:
    """Finds links for the answer of a send. Of many sends at once, most go without: they must be durable, not late."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._active = 0

    async def find_links(self, memory: Memory) -> tuple[MemoryLink, ...]:
        """Return the links of a memory to earlier ones, at most a few, corrections first."""
        if self._active >= _MAX_ACTIVE or len(memory.content) > _MAX_CHARS:
            return ()
        self._active += 1
        try:
            return await _find_links(self._store, memory)
        finally:
            self._active -= 1


async def _find_links(store: MemoryStore, memory: Memory) -> tuple[MemoryLink, ...]:
    # In a thread: the first call loads the parser.
    facts = await asyncio.to_thread(_list_facts, memory)
    from sanya.suites.memory.graph.facts import find_fact_links  # here: the thread above has loaded it

    waiting = await store.reader.list_unconsolidated(_MAX_PENDING + 1, memory.namespace)
    pending = waiting if len(waiting) <= _MAX_PENDING else []
    links = await find_fact_links(store.reader, memory, facts, pending)
    earlier = [link for link in links if link.memory.arrival < memory.arrival]
    earlier.sort(key=lambda link: ("corrects", "contradicts", "supports").index(link.relation))
    return tuple(
        MemoryLink(relation=link.relation, memory_id=link.memory.id, summary=summarise(link.memory.content))
        for link in earlier[:_MAX_LINKS]
    )


def _list_facts(memory: Memory) -> tuple[StatedFact, ...]:
    from sanya.suites.memory.graph.facts import list_facts, list_statements

    list_statements(memory)  # it is kept for the comparison
    return list_facts(memory)
