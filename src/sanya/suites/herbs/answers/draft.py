"""Drafting an answer: facts of the graph, quoted whole, and the features by which its confidence is estimated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.retrieval.answers import AnswerPassage, AnswerSentence
from sanya.retrieval.stop_words import load_thai_stop_words
from sanya.suites.herbs.answers.confidence import AnswerFeatures, RetrievalFeatures, measure_known_share
from sanya.suites.herbs.answers.fact_selection import ScoredFact, derive_criteria, select_facts
from sanya.suites.herbs.facts.fact import WARNING_RELATIONS, HerbFact
from sanya.suites.herbs.graph.model import rank_strength
from sanya.suites.herbs.questions.question import FRAME_WORDS, ParsedQuestion, strip_recognised_words
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import HitFilter, RankedHit, search

_MAX_SENTENCES = 4
_MAX_WARNINGS = 6
_MAX_CITATIONS = 8
_MAX_HITS = 100
# A fact that fits less than this share of the best one is cited beside the answer, not quoted in it.
_MIN_FIT_SHARE = 0.75
_FIT_WEIGHT, _RELEVANCE_WEIGHT = 0.7, 0.3


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer before the gate."""

    sentences: tuple[HerbFact, ...]
    """The facts that the answer quotes, in order."""
    cited: tuple[HerbFact, ...]
    """The quoted facts, then further facts that bear on the question."""
    hits: tuple[RankedHit, ...]
    retrieval_features: RetrievalFeatures
    features: AnswerFeatures

    @property
    def support(self) -> int:
        """The number of citations that count. Unreviewed statements of documents are shown, but do not count."""
        return sum(not fact.is_from_document for fact in self.cited)


async def draft_answer(indexed: IndexedGraph, question: ParsedQuestion, top_k: int) -> AnswerDraft:
    hits = await search(indexed, question, HitFilter(), _MAX_HITS)
    # Documents take their own places, so that they never push out a hit of the reviewed graph.
    known = [hit for hit in hits if not _is_from_document(hit)][:top_k]
    documents = [hit for hit in hits if _is_from_document(hit)][:top_k]
    return await draft_from_hits(indexed, question, known + documents)


async def draft_from_hits(indexed: IndexedGraph, question: ParsedQuestion, hits: Sequence[RankedHit]) -> AnswerDraft:
    selected = select_facts(indexed, derive_criteria(indexed, question), hits)
    known = [scored for scored in selected if not scored.fact.is_from_document]
    chosen = await _choose_sentences(indexed, question, known)
    ranked = _rank_facts(known, chosen)
    quoted = _choose_quoted(ranked, question)
    cited = tuple(dict.fromkeys([*quoted, *(scored.fact for scored in ranked)]))[:_MAX_CITATIONS]
    from_documents = tuple(scored.fact for scored in selected if scored.fact.is_from_document)
    known_hits = [hit for hit in hits if not _is_from_document(hit)]
    retrieval_features = _measure_retrieval(indexed, question, known_hits)
    content = _DraftContent(quoted, ranked, chosen, retrieval_features.graph)
    features = _measure_answer(indexed, question, content)
    return AnswerDraft(quoted, cited + from_documents, tuple(hits), retrieval_features, features)


def _is_from_document(hit: RankedHit) -> bool:
    return all(fact.is_from_document for fact in hit.passage.facts)


@dataclass(frozen=True, slots=True)
class _DraftContent:
    quoted: tuple[HerbFact, ...]
    ranked: Sequence[ScoredFact]
    chosen: Mapping[str, AnswerSentence]
    graph: float


async def _choose_sentences(
    indexed: IndexedGraph, question: ParsedQuestion, facts: Sequence[ScoredFact]
) -> dict[str, AnswerSentence]:
    """Return, by fact id, the sentences that the answer selector chose, each with its relevance to the question."""
    passages = [
        AnswerPassage(scored.fact.id, scored.fact.get_sentence(question.lang), scored.fit, whole=True)
        for scored in facts
    ]
    sentences = await indexed.library.answer_selector.choose(question.text, passages, limit=len(passages))
    return {sentence.passage_id: sentence for sentence in sentences}


def _rank_facts(facts: Sequence[ScoredFact], chosen: Mapping[str, AnswerSentence]) -> list[ScoredFact]:
    """Rank by fit and relevance. A fact that repeats a better one was not chosen, has no relevance and ranks behind."""

    def sort_key(scored: ScoredFact) -> tuple[float, int, str]:
        sentence = chosen.get(scored.fact.id)
        score = _FIT_WEIGHT * scored.fit + (_RELEVANCE_WEIGHT * sentence.relevance if sentence else 0.0)
        return -round(score, 6), -rank_strength(scored.fact.strength), scored.fact.id

    return sorted(facts, key=sort_key)


def _choose_quoted(ranked: Sequence[ScoredFact], question: ParsedQuestion) -> tuple[HerbFact, ...]:
    best_fit = max((scored.fit for scored in ranked), default=0.0)
    fitting = [scored.fact for scored in ranked if scored.fit >= _MIN_FIT_SHARE * best_fit]
    if question.is_about_safety and fitting and fitting[0].relation in WARNING_RELATIONS:
        # The strongest warning comes first: a reader who reads one line must have read that one.
        return tuple(sorted(fitting[:_MAX_WARNINGS], key=lambda fact: -rank_strength(fact.strength)))
    return tuple(fitting[:_MAX_SENTENCES])


def _measure_retrieval(indexed: IndexedGraph, question: ParsedQuestion, hits: Sequence[RankedHit]) -> RetrievalFeatures:
    if not hits:
        return RetrievalFeatures(0.0, 0.0, 0.0, 0.0)
    texts = [hit.passage.document.text for hit in hits]
    top = hits[0].parts
    return RetrievalFeatures(
        graph=max((min(1.0, hit.parts["graph"] * 3) for hit in hits if hit.is_linked), default=0.0),
        words=min(1.0, top["words"] * 3),
        meaning=min(1.0, max(hit.similarity for hit in hits)),
        known=_measure_known_words(indexed, question, texts),
    )


def _measure_answer(indexed: IndexedGraph, question: ParsedQuestion, content: _DraftContent) -> AnswerFeatures:
    if not content.quoted:
        return AnswerFeatures(0.0, 0.0, 0.0, 0.0, 0.0)
    sentences = [content.chosen[fact.id] for fact in content.quoted if fact.id in content.chosen]
    texts = [text for fact in content.quoted for text in (fact.thai, fact.english)]
    return AnswerFeatures(
        fit=max(scored.fit for scored in content.ranked),
        graph=content.graph,
        relevance=max((sentence.relevance for sentence in sentences), default=0.0),
        known=_measure_known_words(indexed, question, texts),
        asked_elsewhere=float(question.is_out_of_scope),
    )


def _measure_known_words(indexed: IndexedGraph, question: ParsedQuestion, texts: Sequence[str]) -> float:
    """Return the share of the question's content words that the texts hold."""
    ignored = load_thai_stop_words() | FRAME_WORDS
    rest = strip_recognised_words(question)
    content_words = [word for word in indexed.library.reader.extract_words(rest) if word not in ignored]
    text_words = {word for text in texts for word in indexed.tokenize(text)}
    return measure_known_share(content_words, text_words, has_names=bool(question.mentions))
