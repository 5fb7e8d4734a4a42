"""Question sets: each question with its relevant ids and the facts that answer it.

The curated set is ours, written from the fact tables. The asked set is ours too, in the words of patients and families,
written before the answers to it. Their held-out parts were not looked at, question by question, while search and
answers were tuned.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from sanya.suites.herbs.questions.question import QuestionLanguage

QuestionSplit = Literal["development", "held_out", "custom"]
ANYTHING = "*"
_SMOKE_QUESTIONS_PER_KIND = 1


@dataclass(frozen=True, slots=True)
class ReferenceFact:
    """A fact that an answer should state: subject, relation and object. `*` stands for any.

    The relation `warns` is any warning for the pair, as the safety check has it; it must come first.
    """

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    id: str
    split: QuestionSplit
    language: QuestionLanguage
    kind: str
    """The kind of question: by name, alias, romanised, with a slip, by symptom, about safety … Kind `outside` is about
    another subject, `unrecorded` about known nodes without such a statement: neither must be answered."""
    text: str
    relevant: frozenset[str]
    facts: tuple[ReferenceFact, ...]
    judges_answer: bool = True
    """False where only the search is judged, not the answer."""
    under: tuple[str, ...] = ()
    """Drugs and conditions that no suggested herb may be warned with."""
    reason: str = ""
    """Why it must be withheld: unknown, unrecorded, outside …"""

    @property
    def has_answer(self) -> bool:
        return bool(self.facts)


@cache
def load_curated() -> tuple[EvaluationQuestion, ...]:
    return _load_file("curated.jsonl")


@cache
def load_asked() -> tuple[EvaluationQuestion, ...]:
    """Return the questions in people's own words."""
    return _load_file("asked.jsonl")


def _load_file(name: str) -> tuple[EvaluationQuestion, ...]:
    lines = (files("sanya.suites.herbs.evaluation") / name).read_text(encoding="utf-8").splitlines()
    return tuple(read_question(json.loads(line)) for line in lines)


@cache
def load_smoke() -> tuple[EvaluationQuestion, ...]:
    """Return the first development question of every kind in each language, which takes seconds to run."""
    counts: Counter[tuple[str, str]] = Counter()
    chosen: list[EvaluationQuestion] = []
    for question in load_curated():
        if question.split == "development" and counts[question.language, question.kind] < _SMOKE_QUESTIONS_PER_KIND:
            counts[question.language, question.kind] += 1
            chosen.append(question)
    return tuple(chosen)


def read_question(row: dict[str, Any]) -> EvaluationQuestion:
    return EvaluationQuestion(
        row["id"],
        row["split"],
        row["lang"],
        row["kind"],
        row["question"],
        frozenset(row["relevant"]),
        tuple(ReferenceFact(*fact) for fact in row["facts"]),
        under=tuple(row.get("under", ())),
        reason=row.get("reason", ""),
    )


def filter_answerable(questions: Iterable[EvaluationQuestion]) -> list[EvaluationQuestion]:
    return [question for question in questions if question.has_answer]
