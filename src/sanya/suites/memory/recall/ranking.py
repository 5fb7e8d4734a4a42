"""Ranking of recall: a score for each candidate, as a sum of parts that are all returned.

A remark such as "Yes, last Saturday" shares no word with the question that it answers. Its context does. So a candidate
gets, beside its own match by words and meaning, a share of the matches right before and after it in its episode, a
share of the match of its episode as a whole, and one more share if it follows a question that matches. Where a time is
asked for, remarks that name one are preferred. Smaller parts prefer the speaker whom the question names, longer remarks
over short ones and answers over questions, newer memories, better ratings, and memories that the graph links to an
entity of the question.

All parts are computed from the candidates alone, as arrays, in one pass. Each is rounded to fixed steps, so that the
parts add up to the score exactly and two engines that find the same candidates rank them alike. Ties go by id.

The weights were chosen on three long conversations, each time on two of them and tried on the third
(benchmarks/memory_locomo.py). Weights learned for all parts together, by the same split, ranked no better.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sanya.suite.search import SCORE_STEPS, ScoreArray
from sanya.suites.memory.episodes import DAY_EPISODE, make_word_keys
from sanya.suites.memory.ratings.rating import LETTERS, WORST
from sanya.suites.memory.recall.asked_times import is_asking_for_time, is_naming_time
from sanya.suites.memory.storage.records import fold_name

_OWN_WORDS, _EPISODE, _EPISODE_WORDS, _SPEAKER, _LENGTH, _QUESTION = 0.15, 0.2, 0.3, 0.2, 0.35, 0.15
_BY_DISTANCE = {-1: 0.2, -2: 0.2, 1: 0.05, 2: 0.05}
"""The share of a match by words that its neighbours get: those after it (negative) and before it."""
_ANSWER, _TIME = 0.12, 0.15
_RECENCY, _RATING, _GRAPH = 0.02, 0.03, 0.05
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_SUBSTANTIAL_CHARS = 300


class MemoryTrace(NamedTuple):
    """The columns of a memory that ranking needs."""

    id: str
    episode: str
    place: int
    letter: str
    digit: int
    arrival: int
    speaker: str | None
    asks: int
    length: int
    keys: str
    """Its words as `episodes.make_word_keys` makes them."""
    created_at: str = ""


class SearchScores(NamedTuple):
    """The score of a memory in the search, by parts."""

    words: float
    meaning: float


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    trace: MemoryTrace
    scores: SearchScores
    is_linked: bool = False
    """True if the graph links it to an entity that the question names."""


@dataclass(frozen=True, slots=True)
class RecallMatch:
    id: str
    score: float
    parts: Mapping[str, float]

    def drop_parts(self) -> RecallMatch:
        return RecallMatch(self.id, self.score, {})


def rank_candidates(question: str, candidates: Sequence[RecallCandidate], limit: int) -> tuple[list[RecallMatch], int]:
    """Return the best matches first, and the number of all. A candidate without words or meaning score is no match."""
    likely = [candidate for candidate in candidates if candidate.scores.words or candidate.scores.meaning]
    if not likely:
        return [], 0
    parts = _compute_parts(question, likely)
    table = np.round(np.stack(list(parts.values())) * SCORE_STEPS) / SCORE_STEPS
    scores = table.sum(axis=0).tolist()
    order = sorted(range(len(likely)), key=lambda index: (-scores[index], likely[index].trace.id))[:limit]
    names = tuple(parts)
    matches = [
        RecallMatch(likely[index].trace.id, scores[index], dict(zip(names, table[:, index].tolist(), strict=True)))
        for index in order
    ]
    return matches, len(likely)


def _compute_parts(question: str, candidates: Sequence[RecallCandidate]) -> dict[str, ScoreArray]:
    """Return an array for each part of the score, with a value for each candidate."""
    traces = [candidate.trace for candidate in candidates]
    shared = SharedWords(question, traces)
    words = np.array([candidate.scores.words for candidate in candidates])
    meaning = np.array([candidate.scores.meaning for candidate in candidates])
    arrivals = np.array([trace.arrival for trace in traces], dtype=np.float64)
    named = _find_named_speakers({trace.speaker for trace in traces}, fold_name(question))
    # Notes that only share their day are no conversation: what was noted before and after says nothing about them.
    notes = _find_days_of_notes(traces)
    in_context = np.array([0.0 if trace.episode in notes else 1.0 for trace in traces])
    episodes = _score_episodes(traces, words + meaning)
    return {
        "words": words + _OWN_WORDS * shared.own,
        "meaning": meaning,
        "neighbours": in_context * _score_neighbours(traces, shared.own),
        "episode": in_context * (_EPISODE * episodes + _EPISODE_WORDS * shared.of_episode),
        "answer": _ANSWER * in_context * _score_answers(traces, shared.own),
        "time": _TIME * _find_times(question, traces),
        "speaker": np.array([_SPEAKER if trace.speaker in named else 0.0 for trace in traces]),
        "substance": _score_substance(traces),
        "recency": _RECENCY * (arrivals - arrivals.min()) / max(1.0, float(np.ptp(arrivals))),
        "rating": np.array([_RATING * _NORMALISED_RATINGS[trace.letter, trace.digit] for trace in traces]),
        "graph": np.array([_GRAPH if candidate.is_linked else 0.0 for candidate in candidates]),
    }


def _find_days_of_notes(traces: Sequence[MemoryTrace]) -> set[str]:
    """Return the episodes that are days on which memories were sent without a source, mostly without a speaker."""
    balance: dict[str, int] = {}
    for trace in traces:
        if trace.episode.startswith(DAY_EPISODE):
            balance[trace.episode] = balance.get(trace.episode, 0) + (1 if trace.speaker is None else -1)
    return {episode for episode, surplus in balance.items() if surplus > 0}


class SharedWords:
    """Matches of candidates and their episodes with the words of a question: BM25 with the candidates as the corpus.

    Names of speakers are left out, because in a conversation they are everywhere.
    """

    def __init__(self, question: str, traces: Sequence[MemoryTrace]) -> None:
        names = {key for speaker in {trace.speaker for trace in traces} if speaker for key in make_word_keys(speaker)}
        question_keys = [key for key in dict.fromkeys(make_word_keys(question)) if key not in names]
        if not question_keys:
            self.own = self.of_episode = np.zeros(len(traces))
            return
        marked = [f" {key} " for key in question_keys]
        counts = np.array([_count_keys(f" {trace.keys} ", marked) for trace in traces], dtype=np.float64)
        lengths = np.array([trace.keys.count(" ") + 1 for trace in traces], dtype=np.float64)
        having = np.count_nonzero(counts, axis=0)
        rarity = np.log(1 + (len(traces) - having + 0.5) / (having + 0.5))
        mean_length = max(1.0, float(lengths.mean()))
        self.own = _scale_to_top(_saturate(counts, (lengths / mean_length)[:, None]) @ rarity)
        episode_rows = {
            episode: index for index, episode in enumerate(dict.fromkeys(trace.episode for trace in traces))
        }
        rows = np.array([episode_rows[trace.episode] for trace in traces])
        together = np.zeros((len(episode_rows), len(question_keys)))
        np.add.at(together, rows, counts)
        self.of_episode = _scale_to_top(_saturate(together, 1.0) @ rarity)[rows]


def _count_keys(keys: str, padded_keys: Sequence[str]) -> list[int]:
    return [keys.count(key) for key in padded_keys]


def _saturate(times: ScoreArray, length: ScoreArray | float) -> ScoreArray:
    saturated: ScoreArray = (
        times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * np.asarray(length)))
    )
    return saturated


def _score_neighbours(traces: Sequence[MemoryTrace], own: ScoreArray) -> ScoreArray:
    """Score how well the memories shortly before and after each one match by words."""
    at_place = {(trace.episode, trace.place): index for index, trace in enumerate(traces)}
    scores = np.zeros(len(traces))
    for (episode, place), index in at_place.items():
        if own[index]:
            for distance, weight in _BY_DISTANCE.items():
                neighbour = at_place.get((episode, place - distance))
                if neighbour is not None:
                    scores[neighbour] += weight * own[index]
    return scores


def _score_answers(traces: Sequence[MemoryTrace], own: ScoreArray) -> ScoreArray:
    """Score the remarks that follow a question by how well that question matches."""
    asked = {(trace.episode, trace.place + 1): index for index, trace in enumerate(traces) if trace.asks}
    before = [asked.get((trace.episode, trace.place)) for trace in traces]
    return np.array([0.0 if index is None else own[index] for index in before])


def _find_times(question: str, traces: Sequence[MemoryTrace]) -> ScoreArray:
    if not is_asking_for_time(question):
        return np.zeros(len(traces))
    return np.array([1.0 if is_naming_time(trace.keys) else 0.0 for trace in traces])


def _score_episodes(traces: Sequence[MemoryTrace], scores: ScoreArray) -> ScoreArray:
    """Score the episode of each memory: its best memory counts in full, the second by half, the third by a third."""
    by_episode: dict[str, list[float]] = {}
    for trace, score in zip(traces, scores.tolist(), strict=True):
        by_episode.setdefault(trace.episode, []).append(score)
    whole = {
        episode: sum(score / rank for rank, score in enumerate(sorted(of_episode, reverse=True), 1))
        for episode, of_episode in by_episode.items()
    }
    return _scale_to_top(np.array([whole[trace.episode] for trace in traces]))


def _find_named_speakers(speakers: set[str | None], question: str) -> set[str | None]:
    # The plain test comes first: a pattern for each speaker would cost more than the rest of the ranking.
    likely = [speaker for speaker in speakers if speaker is not None and speaker in question]
    return {speaker for speaker in likely if re.search(rf"\b{re.escape(speaker)}\b", question)}


def _score_substance(traces: Sequence[MemoryTrace]) -> ScoreArray:
    """Score longer remarks higher, and questions lower than answers."""
    lengths = np.log1p([trace.length for trace in traces]) / np.log1p(_SUBSTANTIAL_CHARS)
    asking = np.array([trace.asks for trace in traces])
    substance: ScoreArray = _LENGTH * np.minimum(1.0, lengths) - _QUESTION * asking
    return substance


def _normalise_rating(letter: str, digit: int) -> float:
    """Return a number from 0 for F6 to 1 for A1."""
    letters = 1 - LETTERS.index(letter) / (len(LETTERS) - 1)
    return (letters + 1 - (digit - 1) / (WORST.digit - 1)) / 2


_NORMALISED_RATINGS = {
    (letter, digit): _normalise_rating(letter, digit) for letter in LETTERS for digit in range(1, WORST.digit + 1)
}


def _scale_to_top(scores: ScoreArray) -> ScoreArray:
    top = float(scores.max(initial=0.0))
    return scores / top if top > 0 else np.zeros_like(scores)
