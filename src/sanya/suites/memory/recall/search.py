"""Which memories answer a question, and in which order.

One search brings candidates by words and meaning. They are then looked at together: a memory beside one that matches,
in an episode that matches, said by someone whom the question names, is more likely to be meant (`ranking`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sanya.retrieval.exactness import exact
from sanya.retrieval.search import Library, Query
from sanya.suites.memory.episodes import word_keys
from sanya.suites.memory.ratings.rating import Rating
from sanya.suites.memory.recall.indexing import NAMESPACE, MemoryIndex, filters_for, own
from sanya.suites.memory.recall.ranking import Candidate, Found, Match, Trace, rank
from sanya.suites.memory.recall.working_memory import Held, WorkingMemory
from sanya.suites.memory.storage.store import MemoryStore

_POOL = 100
_MOST = 1000
_EMBEDDED_FIRST = 256
_FRESH = 0.4
"""What matching all words of the question is worth for a memory that the search does not hold yet."""
_LATEST = 32
"""How many of the newest may be unknown to the search, when another process has yet to take them up."""
_LONGEST_NAME = 3
_MOST_NAMES = 60
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Recalled:
    matches: tuple[Match, ...]
    """The best first, no more than were asked for."""
    total: int
    """How many were found and ranked."""
    more: bool
    """Whether there are memories beyond those that were looked at, of which some may match."""
    held: frozenset[str]
    """What working memory holds."""


class Recall:
    def __init__(self, store: MemoryStore, index: MemoryIndex, working: WorkingMemory) -> None:
        self._store = store
        self._index = index
        self._working = working
        self._embedded = -1
        """All memories up to this revision have their vectors."""
        self._turn = asyncio.Lock()

    async def recall(self, namespace: str, question: str, least: Rating, limit: int) -> Recalled:
        library = await self._library()
        pool = min(_MOST, max(_POOL, 2 * limit))
        query = Query(question, NAMESPACE, limit=pool, filters=filters_for(namespace, least), among=own(namespace))
        hits = (await library.search(query)).hits
        found = {hit.id: Found(hit.parts["words"], hit.parts["meaning"]) for hit in hits}
        held = await self._working.held(namespace)
        found |= _fresh(question, [one for one in held[:_LATEST] if one.id not in found])
        rows = await self._store.reader.traces(namespace, list(found))
        read = (Trace._make(cast(Any, row)) for row in rows)
        traces = [trace for trace in read if Rating(trace.letter, trace.digit).passes(least)]
        linked = await self._linked(namespace, question, [trace.id for trace in traces])
        matches, total = rank(question, [Candidate(one, found[one.id], one.id in linked) for one in traces], limit)
        # The search gives no more than it is asked for: with so many, there may be others that match.
        more = len(hits) >= pool and await library.count(NAMESPACE, query.filters) > len(found)
        return Recalled(tuple(matches), total, more, frozenset(one.id for one in held))

    async def _library(self) -> Library:
        """The search with everything in it that is stored by now. What is new is embedded here, if the background has
        not come to it: a memory is found by its meaning from the first question on."""
        library = await self._index.library()
        asked = await self._store.revision()
        if asked > self._embedded:
            async with self._turn:  # many who ask at once wait for the first embedding that begins after they asked
                if asked > self._embedded:
                    await self._embed(library)
        # Last, so that new rows come into the index together with their vectors.
        await library.refresh()
        return library

    async def _embed(self, library: Library) -> None:
        revision = await self._store.revision()
        await library.embed_missing(NAMESPACE, limit=_EMBEDDED_FIRST)
        if not await library.missing(NAMESPACE):
            self._embedded = revision

    async def _linked(self, namespace: str, question: str, ids: Sequence[str]) -> set[str]:
        """Memories that the graph links to somebody or something that the question names."""
        nodes = await self._store.reader.nodes_named(namespace, _names(question))
        return await self._store.reader.linked(
            namespace, ids[:_MOST], [one.id for some in nodes.values() for one in some]
        )


def _names(question: str) -> list[str]:
    """Runs of one to three words, any of which may be a name in the graph."""
    words = _WORD.findall(question)[:_MOST_NAMES]
    return [
        " ".join(words[at : at + size]).removesuffix("'s").removesuffix("’s")
        for size in range(1, _LONGEST_NAME + 1)
        for at in range(len(words) - size + 1)
    ]


def _fresh(question: str, held: Sequence[Held]) -> dict[str, Found]:
    """Memories that arrived so lately that the search may not hold them, by the words they share with the question."""
    asked = set(word_keys(question))
    if not asked:
        return {}
    shared = {one.id: len(asked & one.keys) / len(asked) for one in held}
    return {one: Found(exact(_FRESH * share), 0.0) for one, share in shared.items() if share > 0}
