"""Judgements made by hand, so that figures and pages can be looked at without any search."""

from __future__ import annotations

from typing import Any

from sanya.suites.herbs.answers.confidence import AnswerSigns, RetrievalSigns
from sanya.suites.herbs.answers.draft import Draft
from sanya.suites.herbs.evaluation.fact_checking import Checked
from sanya.suites.herbs.evaluation.figures import Figures
from sanya.suites.herbs.evaluation.judgement import Judgement
from sanya.suites.herbs.evaluation.question_set import Question, ReferenceFact
from sanya.suites.herbs.evaluation.store import EvaluationRun, NewEvaluation
from sanya.suites.herbs.facts.fact import Fact

SURE, UNSURE = AnswerSigns(1.0, 1.0, 1.0, 1.0, 0.0), AnswerSigns(0.0, 0.0, 0.0, 0.0, 1.0)
TURMERIC = ReferenceFact("curcuma-longa", "interacts_with", "drug:warfarin")


def question(id: str, **fields: Any) -> Question:
    values: dict[str, Any] = {
        "split": "custom",
        "language": "en",
        "kind": "safety",
        "text": f"Question {id}?",
        "relevant": frozenset({"curcuma-longa"}),
        "facts": (TURMERIC,),
    }
    return Question(id, **(values | fields))


def judgement(asked: Question, *, sure: bool = True, right: bool = True, **fields: Any) -> Judgement:
    """Three citations, so that confidence alone decides whether it is given."""
    cited = tuple(
        Fact(f"f{number}", "curcuma-longa", "named", "ก", "a", (), "source", "reviewed", ("s",)) for number in range(3)
    )
    signs = SURE if sure else UNSURE
    draft = Draft(cited[:1], cited, (), RetrievalSigns(0.0, 0.0, 0.0, 0.0), signs)
    values: dict[str, Any] = {
        "found": ("curcuma-longa", "zingiber-officinale"),
        "sentences": (Checked("Turmeric interacts with warfarin.", "f0", True, True),),
    }
    return Judgement(question=asked, drafted=draft, right=right, **(values | fields))


def mixed() -> Figures:
    """Something of everything: right and wrong, given and withheld, found and not, in both languages."""
    outside: dict[str, Any] = {"relevant": frozenset(), "facts": (), "kind": "outside"}
    judged = (
        judgement(question("a")),
        judgement(question("b", language="th", text="ขมิ้นชันกินกับวาร์ฟารินได้ไหม"), right=False),
        judgement(question("c"), sure=False),
        judgement(question("d", **outside), sure=False, right=False),
        judgement(question("e", **outside), right=False),
        judgement(question("f"), found=("zingiber-officinale",), sure=False, right=False),
        judgement(question("g"), sentences=(Checked("Turmeric is safe.", "f0", False, True),)),
        judgement(question("h", judges_answer=False, facts=(), language="th"), right=False),
    )
    return Figures(judged, k=10, least_confidence=0.6, revision=3)


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
