"""The answer gate: an answer that rests on too little is withheld, with what it would have needed.

A draft passes if it has at least `MIN_CITATIONS` citations that count and its confidence reaches the configured minimum
(setting `answer_confidence`). A phrased answer must also be supported by its citations, which `phrasing` tests. Failed
tests are listed in `withheld`, with the numbers reached and advice in the language of the question. Citations and
scores are returned in any case, so a reader may still look at the evidence.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from sanya.suites.herbs.answers.contract import Withheld
from sanya.suites.herbs.answers.draft import MIN_CITATIONS, AnswerDraft
from sanya.suites.herbs.questions.question import ParsedQuestion
from sanya.suites.herbs.search.contract import AmbiguousName

GateTest = Literal["citations", "answer_conf", "support"]
WithholdingReason = Literal["unrecognised", "unrecorded", "elsewhere", "unsure", "citations", "support"]


@dataclass(frozen=True, slots=True)
class GateNumbers:
    """The numbers that an answer reached, and the confidence it needs."""

    citations: int
    answer_conf: float
    answer_conf_needed: float


def find_failed_tests(draft: AnswerDraft, numbers: GateNumbers) -> list[GateTest]:
    """Return the tests that the draft fails. No confidence withholds a recorded warning for exactly what was asked."""
    failed: list[GateTest] = []
    if numbers.citations < MIN_CITATIONS:
        failed.append("citations")
    is_too_unsure = numbers.answer_conf < numbers.answer_conf_needed
    if not draft.lines or (is_too_unsure and not draft.is_recorded_warning):
        failed.append("answer_conf")
    return failed


def explain_withholding(
    failed: list[GateTest],
    draft: AnswerDraft,
    numbers: GateNumbers,
    question: ParsedQuestion,
    meanings: Sequence[AmbiguousName],
) -> Withheld | None:
    """Return why the answer is withheld, None where no test failed. `meanings` are those of unrecognised names."""
    if not failed:
        return None
    return Withheld(
        tests=failed,
        citations=numbers.citations,
        citations_needed=MIN_CITATIONS,
        answer_conf=numbers.answer_conf,
        answer_conf_needed=numbers.answer_conf_needed,
        advice=_choose_advice(failed, draft, question, meanings),
        reason=_choose_reason(failed, draft),
    )


def _choose_reason(failed: list[GateTest], draft: AnswerDraft) -> WithholdingReason:
    """Return why the draft failed its tests, as far as it is known."""
    if "support" in failed:
        return "support"
    if draft.is_vetoed:
        return "unrecognised"
    if draft.kind in ("elsewhere", "no_herb"):
        return "elsewhere"
    if draft.is_unrecorded:
        return "unrecorded"
    return "unsure" if "answer_conf" in failed else "citations"


def _choose_advice(
    failed: list[GateTest], draft: AnswerDraft, question: ParsedQuestion, meanings: Sequence[AmbiguousName]
) -> str:
    advice = _load_advice()[question.lang]
    match _choose_reason(failed, draft):
        case "unrecognised":
            return " ".join(
                [
                    advice["unrecognised"].format(names=", ".join(question.unrecognised)),
                    *(_list_meanings(advice["several_meanings"], meaning) for meaning in meanings),
                ]
            )
        case "unrecorded" if draft.kind == "dose":
            return advice["dose_unrecorded"]
        case "elsewhere" if draft.kind == "no_herb":
            return advice["no_herb"]
        case "citations" if draft.lines:
            return advice["few_statements"]
        case ("unrecorded" | "elsewhere" | "support") as reason:
            return advice[reason]
        case _:
            return " ".join(advice[test] for test in failed)


def _list_meanings(sentence: str, meaning: AmbiguousName) -> str:
    return sentence.format(name=meaning.name, herbs=", ".join(herb.label for herb in meaning.candidates))


@cache
def _load_advice() -> dict[str, dict[str, str]]:
    text = (files("sanya.suites.herbs.answers") / "advice.json").read_text(encoding="utf-8")
    advice: dict[str, dict[str, str]] = json.loads(text)
    return advice
