"""Extractive answers: selects the sentences that answer a question from the passages that a search found.

Nothing is generated. Every sentence is a span of a passage, so a reader can look it up."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from sanya.kernel.lru import LruCache
from sanya.retrieval.embedding import Embedder, Matrix
from sanya.retrieval.index import WeightedTerms
from sanya.retrieval.score_rounding import round_score
from sanya.retrieval.terms import TermReader, detect_text_language
from sanya.text.sentences import split_sentences
from sanya.text.spans import Span

_WORDS, _MEANING, _PASSAGE = 0.4, 0.4, 0.2
# The penalty of a sentence for its similarity to one already selected.
_REDUNDANCY_PENALTY = 0.5
# From this cosine on, a sentence of another passage says the same thing.
_CORROBORATION_COSINE = 0.6
_MOST_SENTENCES = 200
_LEAST_LETTERS = 8
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class AnswerPassage:
    id: str
    text: str
    score: float
    """The score of the search, 0 to 1."""
    whole: bool = False
    """True for a passage that is one sentence and must not be split."""


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    passage_id: str
    start: int
    end: int
    text: str
    relevance: float
    """How well the sentence matches the question, 0 to 1: by its words, its meaning and its passage."""
    support: float
    """How far to trust the sentence, 0 to 1: its relevance, raised by every other passage that says the same."""
    corroborated_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: AnswerPassage
    span: Span
    text: str
    words: frozenset[str]


class AnswerSelector:
    """Caches the vectors of sentences: the same sentences are candidates for many questions.

    Without an embedder the words decide alone. No sentence then gains from its meaning or from others that say the
    same, so answers are trusted less.
    """

    def __init__(self, reader: TermReader, embedder: Embedder | None) -> None:
        self._reader = reader
        self._embedder = embedder
        self._cache: LruCache[str, Matrix] = LruCache(_REMEMBERED)

    async def choose(self, question: str, passages: Sequence[AnswerPassage], limit: int = 3) -> list[AnswerSentence]:
        """Return at most `limit` sentences, most relevant first; each adds something to those before it."""
        sentences = self._split_passages(passages)
        if not sentences:
            return []
        if self._embedder is None:
            vectors = np.zeros((len(sentences), 1), dtype=np.float32)
            question_vector = np.zeros(1, dtype=np.float32)
        else:
            vectors = await self._embed_sentences(self._embedder, [sentence.text for sentence in sentences])
            question_vector = (await self._embedder.embed([question]))[0]
        relevance = self._score_relevance(question, sentences, np.clip(vectors @ question_vector, 0, 1))
        cosines = vectors @ vectors.T
        return [_make_answer(at, sentences, relevance, cosines) for at in _select_diverse(relevance, cosines, limit)]

    async def _embed_sentences(self, embedder: Embedder, texts: Sequence[str]) -> Matrix:
        """Embed each sentence by itself. In a batch the last bits of a vector depend on its neighbours, and an answer
        must not depend on what was asked before."""
        vectors = {text: self._cache.get(text) for text in texts}
        missing = [text for text, vector in vectors.items() if vector is None]
        embedded = await asyncio.gather(*(embedder.embed([text]) for text in missing))
        for text, rows in zip(missing, embedded, strict=True):
            vectors[text] = rows[0]
            self._cache.put(text, rows[0])
        return np.array([vectors[text] for text in texts])

    def _split_passages(self, passages: Sequence[AnswerPassage]) -> list[_Sentence]:
        sentences = [
            _Sentence(passage, span, text, frozenset(self._reader.extract_words(text)))
            for passage in passages
            for span in map(_trim, repeat(passage.text), _find_spans(passage))
            if sum(map(str.isalpha, text := span.slice(passage.text))) >= _LEAST_LETTERS
        ]
        return sentences[:_MOST_SENTENCES]

    def _score_relevance(self, question: str, sentences: Sequence[_Sentence], meaning: Matrix) -> list[float]:
        terms = {
            language: self._reader.read_query(question, language)
            for language in {detect_text_language(sentence.text) for sentence in sentences}
        }
        rarity = _compute_rarity(sentences)
        best = max((sentence.passage.score for sentence in sentences), default=0.0) or 1.0
        return [
            _WORDS * _measure_coverage(terms[detect_text_language(sentence.text)], sentence.words, rarity)
            + _MEANING * float(meaning[at])
            + _PASSAGE * sentence.passage.score / best
            for at, sentence in enumerate(sentences)
        ]


def _find_spans(passage: AnswerPassage) -> list[Span]:
    return [Span(0, len(passage.text))] if passage.whole else split_sentences(passage.text)


def _trim(text: str, span: Span) -> Span:
    whole = span.slice(text)
    return Span(span.start + len(whole) - len(whole.lstrip()), span.start + len(whole.rstrip()))


def _compute_rarity(sentences: Sequence[_Sentence]) -> dict[str, float]:
    counts: dict[str, int] = {}
    for sentence in sentences:
        for word in sentence.words:
            counts[word] = counts.get(word, 0) + 1
    return {word: math.log(1 + len(sentences) / count) for word, count in counts.items()}


def _measure_coverage(terms: WeightedTerms, words: frozenset[str], rarity: dict[str, float]) -> float:
    """Return the share of the question that the sentence's words cover, weighted by rarity. A word that no sentence has
    counts as the rarest, so common words alone do not cover a question about something else."""
    rarest = max(rarity.values(), default=1.0)
    weights = {term: weight * rarity.get(term, rarest) for term, weight in terms.get("words", {}).items()}
    total = sum(weights.values())
    return sum(weights[term] for term in sorted(weights.keys() & words)) / total if total else 0.0


def _select_diverse(relevance: Sequence[float], cosines: Matrix, limit: int) -> list[int]:
    """Select by maximal marginal relevance: the best first, then what is relevant and new. A sentence that says the
    same as a selected one is not selected beside it; it corroborates it."""
    chosen: list[int] = []
    left = list(range(len(relevance)))
    while left and len(chosen) < limit:
        gain = {at: relevance[at] - _REDUNDANCY_PENALTY * float(cosines[at, chosen].max(initial=0.0)) for at in left}
        best = min(left, key=lambda at: (-gain[at], at))
        chosen.append(best)
        left = [at for at in left if at != best and cosines[at, best] < _CORROBORATION_COSINE]
    return sorted(chosen, key=lambda at: (-relevance[at], at))


def _make_answer(
    at: int, sentences: Sequence[_Sentence], relevance: Sequence[float], cosines: Matrix
) -> AnswerSentence:
    sentence = sentences[at]
    agreeing = {
        other.passage.id
        for there, other in enumerate(sentences)
        if other.passage.id != sentence.passage.id and cosines[at, there] >= _CORROBORATION_COSINE
    }
    doubt = (1 - min(1.0, relevance[at])) / (1 + len(agreeing))
    return AnswerSentence(
        sentence.passage.id,
        sentence.span.start,
        sentence.span.end,
        sentence.text,
        round_score(min(1.0, relevance[at])),
        round_score(1 - doubt),
        tuple(sorted(agreeing)),
    )
