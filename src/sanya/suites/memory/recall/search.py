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

from sanya.retrieval.score_rounding import round_score
from sanya.retrieval.search import Library, SearchQuery
from sanya.suites.memory.episodes import make_word_keys
from sanya.suites.memory.ratings.rating import Rating
from sanya.suites.memory.recall.indexing import NAMESPACE, MemoryIndex, make_filters, make_owner_filter
from sanya.suites.memory.recall.ranking import MemoryTrace, RecallCandidate, RecallMatch, SearchScores, rank_candidates
from sanya.suites.memory.recall.working_memory import WorkingMemory, WorkingMemoryEntry
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
class RecallResult:
    matches: tuple[RecallMatch, ...]
    """The best first, no more than were asked for."""
    total: int
    """How many were found and ranked."""
    may_have_more: bool
    """Whether there are memories beyond those that were looked at, of which some may match."""
    in_working_memory: frozenset[str]
    """What working memory holds."""


class Recall:
    def __init__(self, store: MemoryStore, index: MemoryIndex, working: WorkingMemory) -> None:
        self._store = store
        self._index = index
        self._working = working
        self._embedded = -1
        """All memories up to this revision have their vectors."""
        self._turn = asyncio.Lock()

    async def recall(self, namespace: str, question: str, min_rating: Rating, limit: int) -> RecallResult:
        library = await self._open_current_library()
        pool = min(_MOST, max(_POOL, 2 * limit))
        query = SearchQuery(
            question,
            NAMESPACE,
            limit=pool,
            filters=make_filters(namespace, min_rating),
            statistics_filters=make_owner_filter(namespace),
        )
        hits = (await library.search(query)).hits
        found = {hit.id: SearchScores(hit.parts["words"], hit.parts["meaning"]) for hit in hits}
        held = await self._working.list_entries(namespace)
        found |= _score_recent(question, [one for one in held[:_LATEST] if one.id not in found])
        rows = await self._store.reader.read_traces(namespace, list(found))
        read = (MemoryTrace._make(cast(Any, row)) for row in rows)
        traces = [trace for trace in read if Rating(trace.letter, trace.digit).is_at_least(min_rating)]
        linked = await self._find_linked(namespace, question, [trace.id for trace in traces])
        matches, total = rank_candidates(
            question, [RecallCandidate(one, found[one.id], one.id in linked) for one in traces], limit
        )
        # The search gives no more than it is asked for: with so many, there may be others that match.
        more = len(hits) >= pool and await library.count(NAMESPACE, query.filters) > len(found)
        return RecallResult(tuple(matches), total, more, frozenset(one.id for one in held))

    async def _open_current_library(self) -> Library:
        """The search with everything in it that is stored by now. What is new is embedded here, if the background has
        not come to it: a memory is found by its meaning from the first question on."""
        library = await self._index.open_library()
        asked = await self._store.read_revision()
        if asked > self._embedded:
            async with self._turn:  # many who ask at once wait for the first embedding that begins after they asked
                if asked > self._embedded:
                    await self._embed(library)
        # Last, so that new rows come into the index together with their vectors.
        await library.refresh()
        return library

    async def _embed(self, library: Library) -> None:
        revision = await self._store.read_revision()
        await library.embed_missing(NAMESPACE, limit=_EMBEDDED_FIRST)
        if not await library.count_unembedded(NAMESPACE):
            self._embedded = revision

    async def _find_linked(self, namespace: str, question: str, ids: Sequence[str]) -> set[str]:
        """Memories that the graph links to somebody or something that the question names."""
        nodes = await self._store.reader.find_nodes_by_name(namespace, _list_possible_names(question))
        return await self._store.reader.find_linked(
            namespace, ids[:_MOST], [one.id for some in nodes.values() for one in some]
        )


def _list_possible_names(question: str) -> list[str]:
    """Runs of one to three words, any of which may be a name in the graph."""
    words = _WORD.findall(question)[:_MOST_NAMES]
    return [
        " ".join(words[at : at + size]).removesuffix("'s").removesuffix("’s")
        for size in range(1, _LONGEST_NAME + 1)
        for at in range(len(words) - size + 1)
    ]


def _score_recent(question: str, held: Sequence[WorkingMemoryEntry]) -> dict[str, SearchScores]:
    """Memories that arrived so lately that the search may not hold them, by the words they share with the question."""
    asked = set(make_word_keys(question))
    if not asked:
        return {}
    shared = {one.id: len(asked & one.keys) / len(asked) for one in held}
    return {one: SearchScores(round_score(_FRESH * share), 0.0) for one, share in shared.items() if share > 0}
