"""Judging one question: which hits are relevant, whether the draft states a reference fact, and whether each of its
sentences is supported."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suites.herbs.answers.confidence import estimate_confidence
from sanya.suites.herbs.answers.draft import AnswerDraft, draft_from_hits
from sanya.suites.herbs.answers.gate import find_failed_tests
from sanya.suites.herbs.answers.phrasing import phrase_answer
from sanya.suites.herbs.evaluation.fact_checking import CheckedSentence, check_answer
from sanya.suites.herbs.evaluation.question_set import EvaluationQuestion, ReferenceFact
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.questions.question import parse_question
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import HitFilter, search

_ANSWER_HITS = 5


@dataclass(frozen=True, slots=True)
class Judgement:
    question: EvaluationQuestion
    hit_ids: tuple[str, ...]
    """The ids of the hits, best first."""
    drafted: AnswerDraft
    right: bool
    """True where the draft states a reference fact; without a reference fact no answer is right."""
    sentences: tuple[CheckedSentence, ...]
    """The checked sentences of the draft, given or withheld."""

    @property
    def supported_sentences(self) -> tuple[bool, ...]:
        return tuple(sentence.is_supported for sentence in self.sentences)

    @property
    def has_relevant_hit(self) -> bool:
        about = {hit.passage.about for hit in self.drafted.hits}
        return not self.question.relevant.isdisjoint(about)

    @property
    def answer_conf(self) -> float:
        return estimate_confidence("answer", self.drafted.features)

    def is_withheld(self, least_confidence: float) -> bool:
        return bool(find_failed_tests(self.drafted.support, self.answer_conf, least_confidence))


async def judge(indexed: IndexedGraph, question: EvaluationQuestion, k: int = 10) -> Judgement:
    parsed = parse_question(question.text, question.language, indexed.graph, indexed.gazetteer)
    hits = await search(indexed, parsed, HitFilter(), max(k, _ANSWER_HITS))
    drafted = await draft_from_hits(indexed, parsed, hits[:_ANSWER_HITS])
    spans = [fact.get_sentence(parsed.lang) for fact in drafted.sentences]
    # No model phrases the text, even where one is configured: a model need not write the same twice.
    text, _, _ = await phrase_answer(None, parsed, spans, 0)
    sentences = check_answer(indexed, text, drafted.sentences, parsed.lang)
    right = any(_is_stated(fact, reference) for fact in drafted.sentences for reference in question.facts)
    return Judgement(question, tuple(hit.unit for hit in hits[:k]), drafted, right, sentences)


def _is_stated(fact: HerbFact, reference: ReferenceFact) -> bool:
    if (fact.subject, fact.relation) != (reference.subject, reference.relation):
        return False
    return reference.object in fact.objects or reference.object.casefold() in f"{fact.english} {fact.thai}".casefold()
