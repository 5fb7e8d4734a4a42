"""Which memories answer a question, and in which order.

One search brings candidates by words and meaning. They are then looked at together: a memory beside one that matches,
in an episode that matches, said by someone whom the question names, is more likely to be meant. Every part of a score
is shown. The weights were found on three long conversations and checked on others (benchmarks/memory_locomo.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import NamedTuple

from sanya.retrieval.fusion import exact
from sanya.retrieval.search import Library, Query
from sanya.suites.memory.episodes import asks, speaker_of
from sanya.suites.memory.indexing import NAMESPACE, MemoryIndex, filters_for
from sanya.suites.memory.ratings import LETTERS, WORST, Rating
from sanya.suites.memory.records import fold_name
from sanya.suites.memory.store import MemoryStore
from sanya.suites.memory.working import Held, WorkingMemory

_POOL = 100
_MOST = 1000
_EMBEDDED_FIRST = 256
_BEFORE, _BEFORE_THAT, _AFTER = 0.2, 0.1, 0.1
_EPISODE, _SPEAKER, _SUBSTANCE, _QUESTION = 0.3, 0.1, 0.2, 0.1
_RECENCY, _RATING, _GRAPH = 0.02, 0.03, 0.05
_FRESH = 0.4
"""What matching all words of the question is worth for a memory that the search does not hold yet."""
_SUBSTANTIAL_CHARS = 300
_LONGEST_NAME = 3
_MOST_NAMES = 60
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*", re.UNICODE)


class Trace(NamedTuple):
    """A candidate as ranking sees it."""

    id: str
    episode: str
    place: int
    letter: str
    digit: int
    created_at: str
    arrival: int
    beginning: str
    length: int


@dataclass(frozen=True, slots=True)
class Match:
    id: str
    score: float
    parts: Mapping[str, float]
    is_held: bool
    """Whether working memory had it."""


@dataclass(frozen=True, slots=True)
class Found:
    words: float
    meaning: float
    bm25: float


class Recall:
    def __init__(self, store: MemoryStore, index: MemoryIndex, working: WorkingMemory) -> None:
        self._store = store
        self._index = index
        self._working = working

    async def matches(self, namespace: str, question: str, least: Rating, limit: int) -> list[Match]:
        """All that was found, the best first. A list longer than `limit` says that there is more."""
        library = await self._index.library()
        await library.refresh()
        await library.embed_missing(NAMESPACE, limit=_EMBEDDED_FIRST)
        pool = min(_MOST, max(_POOL, 2 * limit))
        query = Query(question, NAMESPACE, limit=pool, filters=filters_for(namespace, least))
        hits = (await library.search(query)).hits
        found = {hit.id: Found(hit.parts["words"], hit.parts["meaning"], hit.bm25) for hit in hits}
        held = await self._working.held(namespace)
        found |= _fresh(library, question, [one for one in held if one.id not in found])
        rows = await self._store.reader.traces(namespace, list(found))
        traces = [trace for trace in map(Trace._make, rows) if Rating(trace.letter, trace.digit).passes(least)]
        linked = await self._linked(namespace, question, [trace.id for trace in traces])
        return _ranked(question, traces, found, linked, {one.id for one in held})

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


def _fresh(library: Library, question: str, held: Sequence[Held]) -> dict[str, Found]:
    """Memories that arrived so lately that the search may not hold them, by the words they share with the question."""
    asked = set(library.reader.words(question))
    if not asked:
        return {}
    shared = {one.id: len(asked & set(library.reader.words(one.content))) / len(asked) for one in held}
    return {one: Found(exact(_FRESH * share), 0.0, 0.0) for one, share in shared.items() if share > 0}


def _ranked(
    question: str, traces: Sequence[Trace], found: Mapping[str, Found], linked: set[str], held: set[str]
) -> list[Match]:
    words = _relative({trace.id: found[trace.id].bm25 for trace in traces})
    by_place = {(trace.episode, trace.place): words[trace.id] for trace in traces}
    episodes = _episodes(traces, found)
    asked = fold_name(question)
    newest = max((trace.arrival for trace in traces), default=1)
    oldest = min((trace.arrival for trace in traces), default=0)
    matches = []
    for trace in traces:
        parts = {
            "words": found[trace.id].words,
            "meaning": found[trace.id].meaning,
            "neighbours": exact(_neighbours(trace, by_place)),
            "episode": exact(_EPISODE * episodes[trace.episode]),
            "speaker": exact(_SPEAKER * _is_named(trace, asked)),
            "substance": exact(_substance(trace)),
            "recency": exact(_RECENCY * (trace.arrival - oldest) / max(1, newest - oldest)),
            "rating": exact(_RATING * _standing(trace)),
            "graph": exact(_GRAPH * (trace.id in linked)),
        }
        if parts["words"] or parts["meaning"]:
            matches.append(Match(trace.id, sum(parts.values()), parts, trace.id in held))
    return sorted(matches, key=lambda one: (-one.score, one.id))


def _neighbours(trace: Trace, by_place: Mapping[tuple[str, int], float]) -> float:
    """How well what was said right before and after it matches by words."""

    def at(distance: int) -> float:
        return by_place.get((trace.episode, trace.place + distance), 0.0)

    return _BEFORE * at(-1) + _BEFORE_THAT * at(-2) + _AFTER * at(1)


def _episodes(traces: Sequence[Trace], found: Mapping[str, Found]) -> dict[str, float]:
    """How well each episode matches as a whole: its best memory counts most, the next half of that, and so on."""
    scores: dict[str, list[float]] = {}
    for trace in traces:
        scores.setdefault(trace.episode, []).append(found[trace.id].words + found[trace.id].meaning)
    return _relative(
        {
            episode: sum(score / rank for rank, score in enumerate(sorted(some, reverse=True), 1))
            for episode, some in scores.items()
        }
    )


def _is_named(trace: Trace, asked: str) -> bool:
    speaker = speaker_of(trace.beginning)
    return speaker is not None and re.search(rf"\b{re.escape(fold_name(speaker))}\b", asked) is not None


def _substance(trace: Trace) -> float:
    """A longer remark says more, and a question says less than its answer."""
    length = min(1.0, log1p(trace.length) / log1p(_SUBSTANTIAL_CHARS))
    return _SUBSTANCE * length - (_QUESTION if asks(trace.beginning) else 0.0)


def _standing(trace: Trace) -> float:
    letters = 1 - LETTERS.index(trace.letter) / (len(LETTERS) - 1)
    return (letters + 1 - (trace.digit - 1) / (WORST.digit - 1)) / 2


def _relative(scores: Mapping[str, float]) -> dict[str, float]:
    top = max(scores.values(), default=0.0)
    return {one: score / top if top > 0 else 0.0 for one, score in scores.items()}
