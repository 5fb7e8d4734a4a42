"""The order of candidates, from what is known of each and of those around it. Every part of a score is shown.

The weights were found on three long conversations, each time on two of them and tried on the third
(benchmarks/memory_locomo.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import NamedTuple

from sanya.retrieval.fusion import exact
from sanya.suites.memory.episodes import word_keys
from sanya.suites.memory.ratings import LETTERS, WORST
from sanya.suites.memory.records import fold_name

_OWN_WORDS, _EPISODE, _EPISODE_WORDS, _SPEAKER, _LENGTH, _QUESTION = 0.15, 0.2, 0.3, 0.2, 0.35, 0.15
_BY_DISTANCE = {-1: 0.2, -2: 0.2, 1: 0.05, 2: 0.05}
"""What a match by words is worth to those that come after and before it."""
_RECENCY, _RATING, _GRAPH = 0.02, 0.03, 0.05
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_SUBSTANTIAL_CHARS = 300


class Trace(NamedTuple):
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


class Found(NamedTuple):
    """What the search says of a memory: its parts of the score."""

    words: float
    meaning: float


@dataclass(frozen=True, slots=True)
class Candidate:
    trace: Trace
    found: Found
    is_linked: bool = False
    """Whether the graph links it to somebody or something that the question names."""


@dataclass(frozen=True, slots=True)
class Match:
    id: str
    score: float
    parts: Mapping[str, float]
    is_held: bool
    """Whether working memory had it."""


def rank(question: str, candidates: Sequence[Candidate], held: set[str]) -> list[Match]:
    """The best first. What neither words nor meaning speak for is left out."""
    likely = [one for one in candidates if one.found.words or one.found.meaning]
    if not likely:
        return []
    traces = [one.trace for one in likely]
    asked = fold_name(question)
    shared = SharedWords(question, traces)
    by_place = {(trace.episode, trace.place): shared.own[trace.id] for trace in traces}
    episodes = _episodes(likely)
    newest, oldest = max(one.arrival for one in traces), min(one.arrival for one in traces)
    matches = []
    for one in likely:
        trace = one.trace
        whole = _EPISODE * episodes[trace.episode] + _EPISODE_WORDS * shared.of_episode[trace.episode]
        around = sum(
            weight * by_place.get((trace.episode, trace.place + distance), 0.0)
            for distance, weight in _BY_DISTANCE.items()
        )
        parts = {
            "words": exact(one.found.words + _OWN_WORDS * shared.own[trace.id]),
            "meaning": exact(one.found.meaning),
            "neighbours": exact(around),
            "episode": exact(whole),
            "speaker": exact(_SPEAKER * _is_named(trace.speaker, asked)),
            "substance": exact(_substance(trace)),
            "recency": exact(_RECENCY * (trace.arrival - oldest) / max(1, newest - oldest)),
            "rating": exact(_RATING * _standing(trace)),
            "graph": exact(_GRAPH * one.is_linked),
        }
        matches.append(Match(trace.id, sum(parts.values()), parts, trace.id in held))
    return sorted(matches, key=lambda match: (-match.score, match.id))


class SharedWords:
    """The words that a question shares with candidates, rare ones among them counting more (BM25, as far as the
    candidates alone can tell). Names of speakers are left out: those are everywhere."""

    def __init__(self, question: str, traces: Sequence[Trace]) -> None:
        names = {key for trace in traces if trace.speaker for key in word_keys(trace.speaker)}
        asked = [key for key in dict.fromkeys(word_keys(question)) if key not in names]
        counts = {trace.id: _counts(trace.keys, asked) for trace in traces}
        having = Counter(key for some in counts.values() for key in some)
        rarity = {key: log(1 + (len(traces) - having[key] + 0.5) / (having[key] + 0.5)) for key in asked}
        lengths = {trace.id: trace.keys.count(" ") + 1 for trace in traces}
        usual = sum(lengths.values()) / max(1, len(lengths))
        self.own = relative(
            {
                one: sum(rarity[key] * _saturated(times, lengths[one] / usual) for key, times in some.items())
                for one, some in counts.items()
            }
        )
        by_episode: dict[str, Counter[str]] = {trace.episode: Counter() for trace in traces}
        for trace in traces:
            by_episode[trace.episode].update(counts[trace.id])
        self.of_episode = relative(
            {
                episode: sum(rarity[key] * _saturated(times, 1.0) for key, times in some.items())
                for episode, some in by_episode.items()
            }
        )


def _counts(keys: str, asked: Sequence[str]) -> dict[str, int]:
    held = Counter(keys.split())
    return {key: held[key] for key in asked if key in held}


def _saturated(times: int, length: float) -> float:
    return times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length))


def _episodes(candidates: Sequence[Candidate]) -> dict[str, float]:
    """How well each episode matches as a whole: its best memory counts most, the next half of that, and so on."""
    scores: dict[str, list[float]] = {}
    for one in candidates:
        scores.setdefault(one.trace.episode, []).append(one.found.words + one.found.meaning)
    return relative(
        {
            episode: sum(score / at for at, score in enumerate(sorted(some, reverse=True), 1))
            for episode, some in scores.items()
        }
    )


def _is_named(speaker: str | None, asked: str) -> bool:
    return speaker is not None and re.search(rf"\b{re.escape(speaker)}\b", asked) is not None


def _substance(trace: Trace) -> float:
    """A longer remark says more, and a question says less than its answer."""
    length = min(1.0, log1p(trace.length) / log1p(_SUBSTANTIAL_CHARS))
    return _LENGTH * length - (_QUESTION if trace.asks else 0.0)


def _standing(trace: Trace) -> float:
    letters = 1 - LETTERS.index(trace.letter) / (len(LETTERS) - 1)
    return (letters + 1 - (trace.digit - 1) / (WORST.digit - 1)) / 2


def relative(scores: Mapping[str, float]) -> dict[str, float]:
    top = max(scores.values(), default=0.0)
    return {one: score / top if top > 0 else 0.0 for one, score in scores.items()}
