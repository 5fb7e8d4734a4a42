"""Chooses the sentences that answer a question from the passages a search found. Nothing is written anew: every
sentence is a span of a passage, so whoever reads it can look it up."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from sanya.kernel.lru import LruCache
from sanya.retrieval.embedding import Embedder, Matrix
from sanya.retrieval.exactness import exact
from sanya.retrieval.index import Terms
from sanya.retrieval.terms import Reader, language_of_text
from sanya.text.sentences import sentence_spans
from sanya.text.spans import Span

_WORDS, _MEANING, _PASSAGE = 0.4, 0.4, 0.2
# How much of its own worth a sentence loses when it says what a chosen one said.
_SAMENESS = 0.5
# From this likeness on, a sentence of another passage says the same thing.
_CORROBORATES = 0.6
_MOST_SENTENCES = 200
_LEAST_LETTERS = 8
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Passage:
    id: str
    text: str
    score: float
    """Of the search, 0 to 1."""
    whole: bool = False
    """Whether it is one sentence, not to be cut."""


@dataclass(frozen=True, slots=True)
class Chosen:
    passage_id: str
    start: int
    end: int
    text: str
    relevance: float
    """How well the sentence meets the question, 0 to 1: its words, its meaning, its passage."""
    support: float
    """How far to trust it, 0 to 1: its relevance, raised by every other passage that says the same."""
    corroborated_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: Passage
    span: Span
    text: str
    words: frozenset[str]


class Answers:
    """Remembers the vectors of sentences: the same ones are weighed for many questions."""

    def __init__(self, reader: Reader, embedder: Embedder) -> None:
        self._reader = reader
        self._embedder = embedder
        self._known: LruCache[str, Matrix] = LruCache(_REMEMBERED)

    async def choose(self, question: str, passages: Sequence[Passage], limit: int = 3) -> list[Chosen]:
        """At most `limit` sentences, the most relevant first, each adding something to those before it."""
        sentences = self._sentences(passages)
        if not sentences:
            return []
        vectors = await self._vectors([sentence.text for sentence in sentences])
        asked = (await self._embedder.embed([question]))[0]
        relevance = self._relevance(question, sentences, np.clip(vectors @ asked, 0, 1))
        alike = vectors @ vectors.T
        return [_chosen(at, sentences, relevance, alike) for at in _diverse(relevance, alike, limit)]

    async def _vectors(self, texts: Sequence[str]) -> Matrix:
        """Each by itself: in a batch the last bits of a vector depend on its neighbours, and an answer must not depend
        on what was asked before."""
        vectors = {text: self._known.get(text) for text in texts}
        missing = [text for text, vector in vectors.items() if vector is None]
        for text, rows in zip(
            missing, await asyncio.gather(*(self._embedder.embed([text]) for text in missing)), strict=True
        ):
            vectors[text] = rows[0]
            self._known.put(text, rows[0])
        return np.array([vectors[text] for text in texts])

    def _sentences(self, passages: Sequence[Passage]) -> list[_Sentence]:
        found = [
            _Sentence(passage, span, text, frozenset(self._reader.words(text)))
            for passage in passages
            for span in map(_trimmed, repeat(passage.text), _spans(passage))
            if sum(map(str.isalpha, text := span.of(passage.text))) >= _LEAST_LETTERS
        ]
        return found[:_MOST_SENTENCES]

    def _relevance(self, question: str, sentences: Sequence[_Sentence], meaning: Matrix) -> list[float]:
        terms = {
            language: self._reader.read_query(question, language)
            for language in {language_of_text(sentence.text) for sentence in sentences}
        }
        rarity = _rarity(sentences)
        best = max((sentence.passage.score for sentence in sentences), default=0.0) or 1.0
        return [
            _WORDS * _covered(terms[language_of_text(sentence.text)], sentence.words, rarity)
            + _MEANING * float(meaning[at])
            + _PASSAGE * sentence.passage.score / best
            for at, sentence in enumerate(sentences)
        ]


def _spans(passage: Passage) -> list[Span]:
    return [Span(0, len(passage.text))] if passage.whole else sentence_spans(passage.text)


def _trimmed(text: str, span: Span) -> Span:
    whole = span.of(text)
    return Span(span.start + len(whole) - len(whole.lstrip()), span.start + len(whole.rstrip()))


def _rarity(sentences: Sequence[_Sentence]) -> dict[str, float]:
    counts: dict[str, int] = {}
    for sentence in sentences:
        for word in sentence.words:
            counts[word] = counts.get(word, 0) + 1
    return {word: math.log(1 + len(sentences) / count) for word, count in counts.items()}


def _covered(terms: Terms, words: frozenset[str], rarity: dict[str, float]) -> float:
    """The share of the question that the sentence's words cover, rare words counting more. Words that no sentence has
    count as the rarest: a question about something else is not covered by its small words."""
    rarest = max(rarity.values(), default=1.0)
    weights = {term: weight * rarity.get(term, rarest) for term, weight in terms.get("words", {}).items()}
    total = sum(weights.values())
    return sum(weights[term] for term in sorted(weights.keys() & words)) / total if total else 0.0


def _diverse(relevance: Sequence[float], alike: Matrix, limit: int) -> list[int]:
    """Maximal marginal relevance: the best first, then what is good and new. What says the same as a chosen sentence
    does not come in beside it; it corroborates it."""
    chosen: list[int] = []
    left = list(range(len(relevance)))
    while left and len(chosen) < limit:
        worth = {at: relevance[at] - _SAMENESS * float(alike[at, chosen].max(initial=0.0)) for at in left}
        best = min(left, key=lambda at: (-worth[at], at))
        chosen.append(best)
        left = [at for at in left if at != best and alike[at, best] < _CORROBORATES]
    return sorted(chosen, key=lambda at: (-relevance[at], at))


def _chosen(at: int, sentences: Sequence[_Sentence], relevance: Sequence[float], alike: Matrix) -> Chosen:
    sentence = sentences[at]
    agreeing = {
        other.passage.id
        for there, other in enumerate(sentences)
        if other.passage.id != sentence.passage.id and alike[at, there] >= _CORROBORATES
    }
    doubt = (1 - min(1.0, relevance[at])) / (1 + len(agreeing))
    return Chosen(
        sentence.passage.id,
        sentence.span.start,
        sentence.span.end,
        sentence.text,
        exact(min(1.0, relevance[at])),
        exact(1 - doubt),
        tuple(sorted(agreeing)),
    )
