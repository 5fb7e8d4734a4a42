"""Asks the questions of a set and judges what comes back: which hits are relevant, whether the answer holds a fact that
answers the question, whether each of its sentences is borne out."""

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

_ANSWERED_FROM = 5


@dataclass(frozen=True, slots=True)
class Judgement:
    question: EvaluationQuestion
    found: tuple[str, ...]
    """The ids of the hits, best first."""
    drafted: AnswerDraft
    right: bool
    """Whether the answer holds a reference fact; where there is none, no answer is right."""
    sentences: tuple[CheckedSentence, ...]
    """Those of the answer, given or withheld."""

    @property
    def supported_sentences(self) -> tuple[bool, ...]:
        return tuple(one.is_supported for one in self.sentences)

    @property
    def has_relevant_hit(self) -> bool:
        near = {hit.passage.about for hit in self.drafted.hits}
        return not self.question.relevant.isdisjoint(near)

    @property
    def answer_conf(self) -> float:
        return estimate_confidence("answer", self.drafted.features)

    def is_withheld(self, least_confidence: float) -> bool:
        return bool(find_failed_tests(self.drafted.support, self.answer_conf, least_confidence))


async def judge(searchable: IndexedGraph, question: EvaluationQuestion, k: int = 10) -> Judgement:
    asked = parse_question(question.text, question.language, searchable.graph, searchable.gazetteer)
    hits = await search(searchable, asked, HitFilter(), max(k, _ANSWERED_FROM))
    drafted = await draft_from_hits(searchable, asked, hits[:_ANSWERED_FROM])
    spans = [fact.get_sentence(asked.lang) for fact in drafted.sentences]
    # Without a model that phrases, whoever has set one: it need not say the same twice.
    text, _, _ = await phrase_answer(None, asked, spans, 0)
    sentences = check_answer(searchable, text, drafted.sentences, asked.lang)
    right = any(_holds(fact, wanted) for fact in drafted.sentences for wanted in question.facts)
    return Judgement(question, tuple(hit.unit for hit in hits[:k]), drafted, right, sentences)


def _holds(fact: HerbFact, wanted: ReferenceFact) -> bool:
    if (fact.subject, fact.relation) != (wanted.subject, wanted.relation):
        return False
    return wanted.object in fact.objects or wanted.object.casefold() in f"{fact.english} {fact.thai}".casefold()
