"""Questions with their candidates: a row of features for each, in today's order, and which of them answer.

Papers and paragraphs come from the home of benchmarks/retrieval_quality.py. Memories are the turns of the LoCoMo
conversations, sent through the tool, with the parts of their scores as it returns them.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import memory_locomo
from benchmarks.retrieval_library import get_cached_home, opened_library
from benchmarks.retrieval_quality import AT_LEAST, fill, read_judgements, read_rows
from sanya import app
from sanya.kernel.calls.call import Answered, Call, Caller
from sanya.retrieval.search import Library, SearchQuery
from scripts.reranker.features import SHARED, TermCounts, TextMatch, measure_match

FloatArray = NDArray[np.float64]

_PAPER_DEPTH, _MEMORY_DEPTH = 30, 100
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "inference", 4: "single fact", 5: "adversarial"}
SEARCH_FEATURES = (
    "score",
    "words",
    "meaning",
    "bm25_share",
    "cosine",
    "relevance",
    "rank",
    "word_rank",
    "meaning_rank",
)
MEMORY_PARTS = (
    *("words", "meaning", "neighbours", "episode", "answer", "time", "speaker", "substance"),
    *("recency", "rating", "graph"),
)
NEAR = (-2, -1, 1, 2)
MEMORY_FEATURES = ("score", *MEMORY_PARTS, "rank", *(f"neighbour_{distance:+d}" for distance in NEAR))


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """`part` is what is held out as a whole: a paragraph, or a conversation."""

    set: str
    part: str
    kind: str
    features: FloatArray
    is_relevant: NDArray[np.bool_]
    relevant: int
    """The number of all that answer, found or not."""


async def collect_papers() -> list[JudgedQuestion]:
    async with opened_library(get_cached_home("retrieval_quality")) as library:
        questions: list[JudgedQuestion] = []
        for name in AT_LEAST:
            await fill(library, name)
            questions += await _collect_set(library, name)
    return questions


async def _collect_set(library: Library, name: str) -> list[JudgedQuestion]:
    relevant = read_judgements(name)
    rows = {row["id"]: row for row in read_rows(name, "corpus")}
    words = {id: library.reader.extract_words(f"{row['title']} {row['text']}") for id, row in rows.items()}
    titles = {id: frozenset(library.reader.extract_words(row["title"])) for id, row in rows.items()}
    counts = TermCounts(words.values())
    questions = []
    for query in read_rows(name, "queries"):
        result = await library.search(SearchQuery(query["text"], name, limit=_PAPER_DEPTH))
        if len(result.hits) < 2:
            continue
        terms = library.reader.read_query(query["text"], result.hits[0].language)["words"]
        bounds = {ranked.search.language: ranked.search.candidates.word_bound for ranked in result.searches}
        matches = [measure_match(terms, words[hit.id], titles[hit.id], counts) for hit in result.hits]
        word_ranks = _rank([hit.bm25 for hit in result.hits])
        meaning_ranks = _rank([hit.similarity for hit in result.hits])
        features = [
            [
                *(hit.score, hit.parts["words"], hit.parts["meaning"], hit.bm25 / (bounds[hit.language] or 1.0)),
                *(hit.similarity, hit.relevance or 0.0, 1 / (at + 1), word_ranks[at], meaning_ranks[at]),
                *matches[at],
            ]
            for at, hit in enumerate(result.hits)
        ]
        own = relevant[query["id"]]
        part = min(own)  # questions about one text are held out together
        judged = np.array([hit.id in own for hit in result.hits])
        questions.append(JudgedQuestion(name, part, "", np.array(features), judged, len(own)))
    return questions


async def collect_memories() -> list[JudgedQuestion]:
    raw = json.loads(memory_locomo.DATA.read_text(encoding="utf-8"))
    questions: list[JudgedQuestion] = []
    with TemporaryDirectory() as home:
        async with app.open(Path(home)) as opened:
            conversations = memory_locomo.read_conversations(memory_locomo.DATA)
            for conversation, recorded in zip(conversations, raw, strict=True):
                kinds = {row["question"]: _CATEGORIES[row["category"]] for row in recorded["questions"]}
                questions += await _collect_conversation(opened, conversation, kinds)
    return questions


async def _collect_conversation(
    opened: app.App, conversation: memory_locomo.Conversation, kinds: dict[str, str]
) -> list[JudgedQuestion]:
    caller = Caller(f"key:{conversation.id}", frozenset({"*"}))
    turn_of: dict[str, int] = {}
    for at, turn in enumerate(conversation.turns):
        source = {"type": "conversation", "ref": f"session {turn.session}", "citation": turn.day}
        sent = await _call(opened, caller, "send_memory", {"content": turn.text, "source": source})
        turn_of[sent["memory_id"]] = at
    library = await opened.library()
    while await library.embed_missing("memory"):
        pass
    words = [library.reader.extract_words(turn.text) for turn in conversation.turns]
    counts = TermCounts(words)
    questions = []
    for text, evidence in conversation.questions:
        arguments = {"query": text, "limit": _MEMORY_DEPTH}
        found = (await _call(opened, caller, "get_memory", arguments))["memories"]
        terms = library.reader.read_query(text, "en")["words"]
        places = [turn_of[memory["id"]] for memory in found]
        matches = [measure_match(terms, own, frozenset(), counts) for own in words]
        features = [
            [
                memory["score"],
                *(memory["score_parts"].get(part, 0.0) for part in MEMORY_PARTS),
                1 / (rank + 1),
                *(_measure_neighbour(matches, place + distance) for distance in NEAR),
                *matches[place],
            ]
            for rank, (memory, place) in enumerate(zip(found, places, strict=True))
        ]
        judged = np.array([conversation.turns[place].id in evidence for place in places])
        if len(features) > 1:
            questions.append(
                JudgedQuestion("locomo", conversation.id, kinds[text], np.array(features), judged, len(evidence))
            )
    return questions


async def _call(opened: app.App, caller: Caller, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    outcome = await opened.kernel.call(Call(tool, arguments, caller=caller))
    if not isinstance(outcome, Answered):
        raise RuntimeError(f"{tool}: {outcome}")
    return outcome.body


def _measure_neighbour(matches: Sequence[TextMatch], place: int) -> float:
    return matches[place].coverage if 0 <= place < len(matches) else 0.0


def _rank(scores: Sequence[float]) -> list[float]:
    """Return the reciprocal rank of each score; equal ones share the best."""
    above = Counter(scores)
    rank_of, rank = {}, 1
    for score in sorted(above, reverse=True):
        rank_of[score] = 1 / rank
        rank += above[score]
    return [rank_of[score] for score in scores]


def list_features(set: str) -> tuple[str, ...]:
    return (*(MEMORY_FEATURES if set == "locomo" else SEARCH_FEATURES), *SHARED)


def collect(kind: str) -> list[JudgedQuestion]:
    return asyncio.run(collect_memories() if kind == "memories" else collect_papers())


def compute_gain(question: JudgedQuestion, order: NDArray[np.int64]) -> float:
    """Return nDCG@10 of a paper's question, and whether any evidence is among the first ten of a memory's."""
    ranked = question.is_relevant[order][:10]
    if question.set == "locomo":
        return float(ranked.any())
    best = sum(1 / math.log2(rank + 2) for rank in range(min(10, question.relevant)))
    return sum(1 / math.log2(rank + 2) for rank in np.flatnonzero(ranked)) / best
