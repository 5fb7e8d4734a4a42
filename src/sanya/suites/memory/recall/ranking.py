"""The order of candidates, from what is known of each and of those around it. Every part of a score is shown.

The weights were found on three long conversations, each time on two of them and tried on the third
(benchmarks/memory_locomo.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sanya.retrieval.fusion import ScoreArray
from sanya.retrieval.score_rounding import STEPS
from sanya.suites.memory.episodes import make_word_keys
from sanya.suites.memory.ratings.rating import LETTERS, WORST
from sanya.suites.memory.storage.records import fold_name

_OWN_WORDS, _EPISODE, _EPISODE_WORDS, _SPEAKER, _LENGTH, _QUESTION = 0.15, 0.2, 0.3, 0.2, 0.35, 0.15
_BY_DISTANCE = {-1: 0.2, -2: 0.2, 1: 0.05, 2: 0.05}
"""What a match by words is worth to those that come after and before it."""
_RECENCY, _RATING, _GRAPH = 0.02, 0.03, 0.05
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_SUBSTANTIAL_CHARS = 300


class MemoryTrace(NamedTuple):
    """A memory as ranking sees it."""

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
    """Its words, in the rough form of `episodes.word_keys`."""


class SearchScores(NamedTuple):
    """What the search says of a memory: its parts of the score."""

    words: float
    meaning: float


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    trace: MemoryTrace
    scores: SearchScores
    is_linked: bool = False
    """Whether the graph links it to somebody or something that the question names."""


@dataclass(frozen=True, slots=True)
class RecallMatch:
    id: str
    score: float
    parts: Mapping[str, float]


def rank_candidates(question: str, candidates: Sequence[RecallCandidate], limit: int) -> tuple[list[RecallMatch], int]:
    """The best first, and how many there are in all. What neither words nor meaning speak for is left out."""
    likely = [one for one in candidates if one.scores.words or one.scores.meaning]
    if not likely:
        return [], 0
    parts = _compute_parts(question, likely)
    table = np.round(np.stack(list(parts.values())) * STEPS) / STEPS
    scores = table.sum(axis=0).tolist()
    order = sorted(range(len(likely)), key=lambda at: (-scores[at], likely[at].trace.id))[:limit]
    names = tuple(parts)
    matches = [
        RecallMatch(likely[at].trace.id, scores[at], dict(zip(names, table[:, at].tolist(), strict=True)))
        for at in order
    ]
    return matches, len(likely)


def _compute_parts(question: str, candidates: Sequence[RecallCandidate]) -> dict[str, ScoreArray]:
    """By name, what each candidate gets of a part. Parts are rounded so that their sum is exact in any order."""
    traces = [one.trace for one in candidates]
    shared = SharedWords(question, traces)
    words = np.array([one.scores.words for one in candidates])
    meaning = np.array([one.scores.meaning for one in candidates])
    arrivals = np.array([one.arrival for one in traces], dtype=np.float64)
    named = _find_named_speakers({one.speaker for one in traces}, fold_name(question))
    episodes = _score_episodes(traces, words + meaning)
    return {
        "words": words + _OWN_WORDS * shared.own,
        "meaning": meaning,
        "neighbours": _score_neighbours(traces, shared.own),
        "episode": _EPISODE * episodes + _EPISODE_WORDS * shared.of_episode,
        "speaker": np.array([_SPEAKER if one.speaker in named else 0.0 for one in traces]),
        "substance": _score_substance(traces),
        "recency": _RECENCY * (arrivals - arrivals.min()) / max(1.0, float(np.ptp(arrivals))),
        "rating": np.array([_RATING * _STANDING[one.letter, one.digit] for one in traces]),
        "graph": np.array([_GRAPH if one.is_linked else 0.0 for one in candidates]),
    }


class SharedWords:
    """The words that a question shares with candidates, rare ones among them counting more (BM25, as far as the
    candidates alone can tell). Names of speakers are left out: those are everywhere."""

    def __init__(self, question: str, traces: Sequence[MemoryTrace]) -> None:
        names = {key for speaker in {one.speaker for one in traces} if speaker for key in make_word_keys(speaker)}
        asked = [key for key in dict.fromkeys(make_word_keys(question)) if key not in names]
        if not asked:
            self.own = self.of_episode = np.zeros(len(traces))
            return
        marked = [f" {key} " for key in asked]
        counts = np.array([_count_keys(f" {one.keys} ", marked) for one in traces], dtype=np.float64)
        lengths = np.array([one.keys.count(" ") + 1 for one in traces], dtype=np.float64)
        having = np.count_nonzero(counts, axis=0)
        rarity = np.log(1 + (len(traces) - having + 0.5) / (having + 0.5))
        usual = max(1.0, float(lengths.mean()))
        self.own = _scale_to_top(_saturate(counts, (lengths / usual)[:, None]) @ rarity)
        place = {episode: at for at, episode in enumerate(dict.fromkeys(one.episode for one in traces))}
        rows = np.array([place[one.episode] for one in traces])
        together = np.zeros((len(place), len(asked)))
        np.add.at(together, rows, counts)
        self.of_episode = _scale_to_top(_saturate(together, 1.0) @ rarity)[rows]


def _count_keys(keys: str, asked: Sequence[str]) -> list[int]:
    return [keys.count(key) for key in asked]


def _saturate(times: ScoreArray, length: ScoreArray | float) -> ScoreArray:
    weighed: ScoreArray = (
        times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * np.asarray(length)))
    )
    return weighed


def _score_neighbours(traces: Sequence[MemoryTrace], own: ScoreArray) -> ScoreArray:
    """How well what was said shortly before and after each matches by words."""
    at_place = {(one.episode, one.place): at for at, one in enumerate(traces)}
    around = np.zeros(len(traces))
    for (episode, place), at in at_place.items():
        if own[at]:
            for distance, weight in _BY_DISTANCE.items():
                neighbour = at_place.get((episode, place - distance))
                if neighbour is not None:
                    around[neighbour] += weight * own[at]
    return around


def _score_episodes(traces: Sequence[MemoryTrace], scores: ScoreArray) -> ScoreArray:
    """How well each one's episode matches as a whole: its best memory counts most, the next half of that, and so on."""
    by_episode: dict[str, list[float]] = {}
    for trace, score in zip(traces, scores.tolist(), strict=True):
        by_episode.setdefault(trace.episode, []).append(score)
    whole = {
        episode: sum(score / at for at, score in enumerate(sorted(some, reverse=True), 1))
        for episode, some in by_episode.items()
    }
    return _scale_to_top(np.array([whole[trace.episode] for trace in traces]))


def _find_named_speakers(speakers: set[str | None], asked: str) -> set[str | None]:
    # Most speakers are not named at all, and a pattern for each would cost more than the rest of the ranking.
    likely = [one for one in speakers if one is not None and one in asked]
    return {one for one in likely if re.search(rf"\b{re.escape(one)}\b", asked)}


def _score_substance(traces: Sequence[MemoryTrace]) -> ScoreArray:
    """A longer remark says more, and a question says less than its answer."""
    lengths = np.log1p([one.length for one in traces]) / np.log1p(_SUBSTANTIAL_CHARS)
    asking = np.array([one.asks for one in traces])
    said: ScoreArray = _LENGTH * np.minimum(1.0, lengths) - _QUESTION * asking
    return said


def _normalise_rating(letter: str, digit: int) -> float:
    """From 0 for F6 to 1 for A1."""
    letters = 1 - LETTERS.index(letter) / (len(LETTERS) - 1)
    return (letters + 1 - (digit - 1) / (WORST.digit - 1)) / 2


_STANDING = {
    (letter, digit): _normalise_rating(letter, digit) for letter in LETTERS for digit in range(1, WORST.digit + 1)
}


def _scale_to_top(scores: ScoreArray) -> ScoreArray:
    top = float(scores.max(initial=0.0))
    return scores / top if top > 0 else np.zeros_like(scores)
