"""Recall: the memories that answer a question, best first.

One hybrid search by words and meaning finds the candidates. Then they are ranked together (`ranking`), because what
stands around a memory says whether it is meant: its neighbours in the conversation, its episode, its speaker, and the
entities that the graph links it to. Memories that arrived so recently that the index may lack them come from working
memory and are ranked with the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sanya.suite.search import FitLevel, SearchQuery, WordsOnly, judge_fit, rate_relevance, round_score
from sanya.suites.memory.episodes import make_word_keys
from sanya.suites.memory.ratings.rating import Rating
from sanya.suites.memory.recall.embedding import MemoryEmbedding
from sanya.suites.memory.recall.indexing import NAMESPACE, make_filters, make_owner_filter
from sanya.suites.memory.recall.ranking import MemoryTrace, RecallCandidate, RecallMatch, SearchScores, rank_candidates
from sanya.suites.memory.recall.validity import Replacement, load_replacements, rank_by_validity
from sanya.suites.memory.recall.working_memory import WorkingMemory, WorkingMemoryEntry
from sanya.suites.memory.storage.store import MemoryStore

_MIN_CANDIDATES = 100
_MAX_CANDIDATES = 1000
_RECENT_WEIGHT = 0.4
"""The words score of a memory that the index may lack and that has all words of the question."""
_RECENT_ENTRIES = 32
"""The number of newest memories that the index of this process may lack, because another process stored them."""
_MAX_NAME_WORDS = 3
_MAX_QUESTION_WORDS = 60
_NAMED_SHARE = 0.5
_ASKING = re.compile(r"อะไร|ที่ไหน|ไหน|ใคร|เมื่อไหร่|เมื่อไร|ยังไง|อย่างไร|เท่าไหร่|เท่าไร|กี่|บ้าง|ไหม")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class RecallResult:
    matches: tuple[RecallMatch, ...]
    """The best matches first, at most as many as requested."""
    total: int
    """The number of memories that were ranked."""
    may_have_more: bool
    """True if memories beyond the candidates may match as well."""
    in_working_memory: frozenset[str]
    """Ids of the memories in working memory."""
    fit: FitLevel = "good"
    """How well the best of them fits the question."""
    words_only: WordsOnly | None = None
    """Why words alone were searched, if there is no model."""
    replacements: Mapping[str, Replacement] = field(default_factory=dict)
    """What replaces memories among the matches."""
    is_partial: bool = False
    """True if stored memories were left out because they are still being indexed. Not their number: they may be those
    of others."""


class Recall:
    def __init__(self, store: MemoryStore, embedding: MemoryEmbedding, working: WorkingMemory) -> None:
        self._store = store
        self._embedding = embedding
        self._working_memory = working

    async def recall(
        self, namespace: str, question: str, min_rating: Rating, limit: int, *, as_of: str | None = None
    ) -> RecallResult:
        """Return what answers a question, or what was known of it at a time: `as_of`, as `created_at` is written."""
        library = await self._embedding.open_current_library()
        # Later memories are found as well and left out, so more candidates are needed.
        pool = _MAX_CANDIDATES if as_of else min(_MAX_CANDIDATES, max(_MIN_CANDIDATES, 2 * limit))
        query = SearchQuery(
            question,
            NAMESPACE,
            limit=pool,
            filters=make_filters(namespace, min_rating),
            statistics_filters=make_owner_filter(namespace),
        )
        found = await library.search(query)
        hits = found.hits
        scores = {hit.id: SearchScores(hit.parts["words"], hit.parts["meaning"]) for hit in hits}
        entries = await self._working_memory.list_entries(namespace)
        recent = _score_recent(question, [entry for entry in entries[:_RECENT_ENTRIES] if entry.id not in scores])
        fit = judge_fit(
            [*(hit.relevance for hit in hits), *(None for _ in recent)], by_words_alone=library.words_only is not None
        )
        in_working_memory = frozenset(entry.id for entry in entries)
        if fit.level == "none" and not any(hit.bm25 > 0 for hit in hits):
            return RecallResult(
                (), 0, False, in_working_memory, fit.level, library.words_only, is_partial=found.unindexed > 0
            )
        traces = await self._read_traces(namespace, scores | recent, min_rating, as_of)
        level = "weak" if fit.level == "none" and _is_mostly_named(question, traces) else fit.level
        linked = await self._find_linked(namespace, question, [trace.id for trace in traces])
        candidates = [RecallCandidate(trace, (scores | recent)[trace.id], trace.id in linked) for trace in traces]
        ranked, total = rank_candidates(question, candidates, limit)
        replacements = await load_replacements(self._store.reader, namespace, [match.id for match in ranked], as_of)
        matches = rank_by_validity(ranked, replacements, limit)
        relevant = sum(hit.relevance is None or rate_relevance(hit.relevance) != "none" for hit in hits) + len(recent)
        # A search returns at most `pool` hits. If it is full, memories beyond them may match as well.
        more = len(hits) >= pool and await library.count(NAMESPACE, query.filters) > len(scores | recent)
        return RecallResult(
            tuple(matches),
            max(len(matches), min(total, relevant)),
            more,
            in_working_memory,
            level,
            library.words_only,
            replacements,
            found.unindexed > 0,
        )

    async def _read_traces(
        self, namespace: str, scores: Mapping[str, SearchScores], min_rating: Rating, as_of: str | None
    ) -> list[MemoryTrace]:
        rows = await self._store.reader.read_traces(namespace, list(scores))
        traces = [MemoryTrace._make(cast(Any, row)) for row in rows]
        # Recent entries did not pass the filters of the search.
        return [
            trace
            for trace in traces
            if Rating(trace.letter, trace.digit).is_at_least(min_rating) and (not as_of or trace.created_at <= as_of)
        ]

    async def _find_linked(self, namespace: str, question: str, ids: Sequence[str]) -> set[str]:
        """Return the ids of memories that the graph links to an entity that the question names."""
        nodes = await self._store.reader.find_nodes_by_name(namespace, _list_possible_names(question))
        return await self._store.reader.find_linked(
            namespace, ids[:_MAX_CANDIDATES], [node.id for same_name in nodes.values() for node in same_name]
        )


def _is_mostly_named(question: str, traces: Sequence[MemoryTrace]) -> bool:
    """Tell whether a memory has most words of the question.

    Relevance is calibrated on questions. Of "backup time" it knows too little, and says that nothing fits, where a
    memory tells at what hour the backup runs.
    """
    wanted = set(make_word_keys(_ASKING.sub(" ", question)))
    return bool(wanted) and any(len(wanted & set(trace.keys.split())) >= _NAMED_SHARE * len(wanted) for trace in traces)


def _list_possible_names(question: str) -> list[str]:
    """Return all runs of one to three words, each of which may be a name in the graph."""
    words = _WORD.findall(question)[:_MAX_QUESTION_WORDS]
    return [
        " ".join(words[start : start + size]).removesuffix("'s").removesuffix("’s")
        for size in range(1, _MAX_NAME_WORDS + 1)
        for start in range(len(words) - size + 1)
    ]


def _score_recent(question: str, entries: Sequence[WorkingMemoryEntry]) -> dict[str, SearchScores]:
    """Score memories that the index may lack by the share of the question's words that they have."""
    question_keys = set(make_word_keys(question))
    if not question_keys:
        return {}
    shares = {entry.id: len(question_keys & entry.keys) / len(question_keys) for entry in entries}
    return {key: SearchScores(round_score(_RECENT_WEIGHT * share), 0.0) for key, share in shares.items() if share > 0}
