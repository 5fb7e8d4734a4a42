"""Asks the questions of a set and judges what comes back: which hits are relevant, whether the answer holds a fact that
answers the question, whether each of its sentences is borne out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sanya.suites.herbs.answering import Draft, draft_from
from sanya.suites.herbs.confidence import confidence
from sanya.suites.herbs.evaluation.fact_checking import Checked, check_answer
from sanya.suites.herbs.evaluation.measures import (
    Judged,
    expected_calibration_error,
    factuality,
    gate_precision,
    mean,
    ndcg_at,
    recall_at,
    reciprocal_rank,
)
from sanya.suites.herbs.evaluation.question_set import Question, ReferenceFact, answerable
from sanya.suites.herbs.facts import Fact
from sanya.suites.herbs.gate import failed_tests
from sanya.suites.herbs.phrasing import phrase
from sanya.suites.herbs.questions import understand
from sanya.suites.herbs.search_index import Searchable
from sanya.suites.herbs.searching import Narrowing, search

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


def retrieval_measures(judgements: Iterable[Judgement], k: int = 10) -> dict[str, float]:
    some = [one for one in judgements if one.question.relevant]
    return {
        f"R@{k}": mean(recall_at(one.found, one.question.relevant, k) for one in some),
        "MRR": mean(reciprocal_rank(one.found, one.question.relevant) for one in some),
        f"nDCG@{k}": mean(ndcg_at(one.found, one.question.relevant, k) for one in some),
    }


def answer_measures(judgements: Sequence[Judgement], least_confidence: float) -> dict[str, float]:
    given = [one for one in judgements if not one.is_withheld(least_confidence)]
    kept_back = [one for one in judgements if one.is_withheld(least_confidence)]
    with_answer = answerable(one.question for one in judgements)
    return {
        "factuality": factuality(sentence for one in given for sentence in one.borne_out),
        "answers_right": mean(float(one.right) for one in given),
        "answered": len([one for one in given if one.question.has_answer]) / max(1, len(with_answer)),
        "gate_precision": gate_precision(not one.right for one in kept_back),
        "ECE": expected_calibration_error([Judged(one.answer_conf, one.right) for one in judgements]),
    }
