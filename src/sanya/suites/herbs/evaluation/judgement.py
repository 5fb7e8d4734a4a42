"""Asks the questions of a set and judges what comes back: which hits are relevant, whether the answer holds a fact that
answers the question, whether each of its sentences is borne out."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suites.herbs.answers.confidence import confidence
from sanya.suites.herbs.answers.draft import Draft, draft_from
from sanya.suites.herbs.answers.gate import failed_tests
from sanya.suites.herbs.answers.phrasing import phrase
from sanya.suites.herbs.evaluation.fact_checking import Checked, check_answer
from sanya.suites.herbs.evaluation.question_set import Question, ReferenceFact
from sanya.suites.herbs.facts.fact import Fact
from sanya.suites.herbs.questions.question import understand
from sanya.suites.herbs.search.index import Searchable
from sanya.suites.herbs.search.ranking import Narrowing, search

_ANSWERED_FROM = 5


@dataclass(frozen=True, slots=True)
class Judgement:
    question: Question
    found: tuple[str, ...]
    """The ids of the hits, best first."""
    drafted: Draft
    right: bool
    """Whether the answer holds a reference fact; where there is none, no answer is right."""
    sentences: tuple[Checked, ...]
    """Those of the answer, given or withheld."""

    @property
    def borne_out(self) -> tuple[bool, ...]:
        return tuple(one.is_borne_out for one in self.sentences)

    @property
    def has_found(self) -> bool:
        near = {hit.passage.about for hit in self.drafted.hits}
        return not self.question.relevant.isdisjoint(near)

    @property
    def answer_conf(self) -> float:
        return confidence("answer", self.drafted.signs)

    def is_withheld(self, least_confidence: float) -> bool:
        return bool(failed_tests(self.drafted.support, self.answer_conf, least_confidence))


async def judge(searchable: Searchable, question: Question, k: int = 10) -> Judgement:
    asked = understand(question.text, question.language, searchable.graph, searchable.gazetteer)
    hits = await search(searchable, asked, Narrowing(), max(k, _ANSWERED_FROM))
    drafted = await draft_from(searchable, asked, hits[:_ANSWERED_FROM])
    spans = [fact.said_in(asked.lang) for fact in drafted.said]
    # Without a model that phrases, whoever has set one: it need not say the same twice.
    text, _, _ = await phrase(None, asked, spans, 0)
    sentences = check_answer(searchable, text, drafted.said, asked.lang)
    right = any(_holds(fact, wanted) for fact in drafted.said for wanted in question.facts)
    return Judgement(question, tuple(hit.unit for hit in hits[:k]), drafted, right, sentences)


def _holds(fact: Fact, wanted: ReferenceFact) -> bool:
    if (fact.subject, fact.relation) != (wanted.subject, wanted.relation):
        return False
    return wanted.object in fact.objects or wanted.object.casefold() in f"{fact.english} {fact.thai}".casefold()
