"""Judgements written by hand, so that figures and pages can be tested without a search."""

from __future__ import annotations

from typing import Any

from sanya.suites.herbs.answers.confidence import NO_ANSWER, AnswerFeatures, RetrievalFeatures
from sanya.suites.herbs.answers.draft import AnswerDraft
from sanya.suites.herbs.answers.lines import AnswerLine
from sanya.suites.herbs.evaluation.fact_checking import CheckedSentence
from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.judgement import Judgement
from sanya.suites.herbs.evaluation.question_set import EvaluationQuestion, ReferenceFact
from sanya.suites.herbs.evaluation.store import EvaluationRun, NewEvaluation
from sanya.suites.herbs.facts.fact import HerbFact

SURE, UNSURE = AnswerFeatures(1.0, 1.0, 1.0, 1.0, 1.0, 1.0), NO_ANSWER
TURMERIC = ReferenceFact("curcuma-longa", "interacts_with", "drug:warfarin")


def question(id: str, **fields: Any) -> EvaluationQuestion:
    values: dict[str, Any] = {
        "split": "custom",
        "language": "en",
        "kind": "safety",
        "text": f"Question {id}?",
        "relevant": frozenset({"curcuma-longa"}),
        "facts": (TURMERIC,),
    }
    return EvaluationQuestion(id, **(values | fields))


def judgement(question: EvaluationQuestion, *, sure: bool = True, right: bool = True, **fields: Any) -> Judgement:
    """Build a draft with three citations, so that confidence alone decides whether it is given."""
    cited = tuple(
        HerbFact(f"f{number}", "curcuma-longa", "named", "ก", "a", (), "source", "reviewed", ("s",))
        for number in range(3)
    )
    signs = SURE if sure else UNSURE
    lines = (AnswerLine(cited[0]),)
    draft = AnswerDraft("safety", lines, cited, (), RetrievalFeatures(0.0, 0.0, 0.0, 0.0), signs)
    values: dict[str, Any] = {
        "hit_ids": ("curcuma-longa", "zingiber-officinale"),
        "sentences": (CheckedSentence("Turmeric interacts with warfarin.", "f0", True, True),),
    }
    return Judgement(question=question, drafted=draft, right=right, **(values | fields))


def mixed() -> EvaluationFigures:
    """Build figures with every case: right and wrong, given and withheld, found and not, in both languages."""
    outside: dict[str, Any] = {"relevant": frozenset(), "facts": (), "kind": "outside"}
    judged = (
        judgement(question("a")),
        judgement(question("b", language="th", text="ขมิ้นชันกินกับวาร์ฟารินได้ไหม"), right=False),
        judgement(question("c"), sure=False),
        judgement(question("d", **outside), sure=False, right=False),
        judgement(question("e", **outside), right=False),
        judgement(question("f"), hit_ids=("zingiber-officinale",), sure=False, right=False),
        judgement(question("g"), sentences=(CheckedSentence("Turmeric is safe.", "f0", False, True),)),
        judgement(question("h", judges_answer=False, facts=(), language="th"), right=False),
    )
    return EvaluationFigures(judged, k=10, least_confidence=0.6, revision=3)


def kept(id: str, **fields: Any) -> NewEvaluation:
    values: dict[str, Any] = {
        "number": 0,
        "set_name": "smoke",
        "questions": 22,
        "revision": 1,
        "metrics": {"R@10": (0.9, 18), "ECE": (0.1, 22)},
        "before": None,
        "previous_id": None,
        "at": "2026-01-05T08:00:00.000Z",
    }
    series, content = fields.pop("series", "s"), fields.pop("content", id)
    report = fields.pop("report", f"<!doctype html><style>body {{}}</style><p>{id}")
    return NewEvaluation(EvaluationRun(id=id, **(values | fields)), series, content, "in", {"set": "smoke"}, report)
