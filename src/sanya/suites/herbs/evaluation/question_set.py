"""Questions with what is relevant to each and the facts that answer it. The curated set is ours, made from the fact
tables; the part that is held out was never looked at while search and answers were tuned."""

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
_SMOKE_A_KIND = 1


@dataclass(frozen=True, slots=True)
class ReferenceFact:
    """A fact that an answer should hold: of which entity, by which relation, naming what."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    id: str
    split: QuestionSplit
    language: QuestionLanguage
    kind: str
    """How it asks: by name, alias, romanised, with a slip, by symptom, about safety … `outside` is about something
    else, and `unrecorded` about what the graph knows, but not this of it: both must stay without an answer."""
    text: str
    relevant: frozenset[str]
    facts: tuple[ReferenceFact, ...]
    judges_answer: bool = True
    """Whether the answer is looked at as well, not only what search finds."""

    @property
    def has_answer(self) -> bool:
        return bool(self.facts)


@cache
def load_curated() -> tuple[EvaluationQuestion, ...]:
    lines = (files("sanya.suites.herbs.evaluation") / "curated.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(question_from_row(json.loads(line)) for line in lines)


@cache
def load_smoke() -> tuple[EvaluationQuestion, ...]:
    """The first development question of every kind in each language: little of everything, in seconds."""
    taken: Counter[tuple[str, str]] = Counter()
    chosen: list[EvaluationQuestion] = []
    for one in load_curated():
        if one.split == "development" and taken[one.language, one.kind] < _SMOKE_A_KIND:
            taken[one.language, one.kind] += 1
            chosen.append(one)
    return tuple(chosen)


def question_from_row(row: dict[str, Any]) -> EvaluationQuestion:
    return EvaluationQuestion(
        row["id"],
        row["split"],
        row["lang"],
        row["kind"],
        row["question"],
        frozenset(row["relevant"]),
        tuple(ReferenceFact(*fact) for fact in row["facts"]),
    )


def filter_answerable(questions: Iterable[EvaluationQuestion]) -> list[EvaluationQuestion]:
    return [one for one in questions if one.has_answer]
