"""The answer gate: an answer that rests on too little is withheld, with what it would have needed.

A draft passes if it has at least `MIN_CITATIONS` citations that count and its confidence reaches the configured minimum
(setting `answer_confidence`). A phrased answer must also be supported by its citations, which `phrasing` tests. Failed
tests are listed in `withheld`, with the numbers reached and advice in the language of the question. Citations and
scores are returned in any case, so a reader may still look at the evidence.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal

from sanya.suites.herbs.answers.contract import Withheld
from sanya.suites.herbs.questions.question import ParsedQuestion

GateTest = Literal["citations", "answer_conf", "support"]
MIN_CITATIONS = 3


def find_failed_tests(citations: int, answer_conf: float, least_confidence: float) -> list[GateTest]:
    failed: list[GateTest] = []
    if citations < MIN_CITATIONS:
        failed.append("citations")
    if answer_conf < least_confidence:
        failed.append("answer_conf")
    return failed


def explain_withholding(
    failed: list[GateTest], citations: int, answer_conf: float, least_confidence: float, question: ParsedQuestion
) -> Withheld | None:
    """Return why the answer is withheld, None where no test failed."""
    if not failed:
        return None
    return Withheld(
        tests=failed,
        citations=citations,
        citations_needed=MIN_CITATIONS,
        answer_conf=answer_conf,
        answer_conf_needed=least_confidence,
        advice=_choose_advice(failed, question),
    )


def _choose_advice(failed: list[GateTest], question: ParsedQuestion) -> str:
    advice = _load_advice()[question.lang]
    if question.is_out_of_scope:
        return advice["elsewhere"]
    if len(question.mentions) > 1 and failed == ["answer_conf"]:
        return advice["unrecorded"]
    return " ".join(advice[test] for test in failed)


@cache
def _load_advice() -> dict[str, dict[str, str]]:
    text = (files("sanya.suites.herbs.answers") / "advice.json").read_text(encoding="utf-8")
    advice: dict[str, dict[str, str]] = json.loads(text)
    return advice
