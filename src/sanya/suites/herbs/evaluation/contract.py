"""Shapes of tool.eval.run."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from sanya.suite import Integer, Shape, Text
from sanya.suites.herbs.contract import AnswerLanguage, EntityId

MAX_QUESTIONS = 200
MAX_QUESTION_CHARS = 2000
MAX_K = 50

SetName = Literal["smoke", "curated", "custom", "asked"]
MetricName = Annotated[
    Text,
    Field(pattern=r"^((R|nDCG)@(k|[1-4]?[1-9]|[1-5]0)|MRR|factuality|answers_right|answered|gate_precision|ECE)$"),
]


class CustomQuestion(Shape):
    text: Annotated[Text, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
    """Question"""
    lang: AnswerLanguage = "auto"
    """Its language"""
    kind: Annotated[Text, Field(min_length=1, max_length=40)] = "custom"
    """Group"""
    relevant: Annotated[list[EntityId], Field(max_length=50)] = Field(default=[])
    """Ids to be found"""
    facts: (
        Annotated[list[Annotated[list[EntityId], Field(min_length=3, max_length=3)]], Field(max_length=20)] | None
    ) = None
    """[subject, relation, object]; []: withhold; null: search only"""


# The published schema shows only the outline of a question: the whole would exceed the room of one tool in a listing.
# Input is validated by the whole shape above.
_OUTLINE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "Question in Thai or English"},
        "relevant": {"type": "array", "items": {"type": "string"}, "description": "Ids to be found"},
        "facts": {
            "type": ["array", "null"],
            "items": {"type": "array", "items": {"type": "string"}},
            "description": "[subject, relation, object]; []: withhold; null: search only",
        },
    },
    "required": ["text"],
}


class EvaluationParams(Shape):
    k: Annotated[Integer, Field(ge=1, le=MAX_K)] = 10
    """Rank for R@k and nDCG@k, e.g. 10"""
    compare: bool = True
    """true: compare with the last run"""
    questions: (
        Annotated[
            list[Annotated[CustomQuestion, WithJsonSchema(_OUTLINE)]], Field(min_length=1, max_length=MAX_QUESTIONS)
        ]
        | None
    ) = None
    """Questions of a custom set"""


class EvalRunInput(Shape):
    set: SetName
    """Set of questions, e.g. smoke"""
    metrics: Annotated[list[MetricName], Field(min_length=1, max_length=20)] | None = None
    """Metrics to report, e.g. ["R@10", "MRR"]; null: all"""
    params: EvaluationParams = Field(default_factory=EvaluationParams)
    """How to measure, e.g. {"k": 5}"""


class MetricValue(Shape):
    name: str
    """E.g. R@10"""
    value: float
    """0 to 1"""
    n: int
    """Questions, answers or sentences it rests on"""
    previous: float | None
    """In the last other run"""
    change: float | None
    """Since then"""


class EvalRunAnswer(Shape):
    metrics: list[MetricValue]
    """As asked"""
    report_uri: str
    """HTML page, as MCP resource"""
    report_path: str
    """The same on HTTP"""
    run_id: str
    """Made from what was measured"""
    questions: int
    """Asked"""
    answered: int
    """Not withheld"""
    least_confidence: float
    """τ of the gate"""
    revision: int
    """Of the graph"""
    not_measured: list[str]
    """Asked for, without a question for it"""
    previous_run: str | None
    """Compared with"""
    repeated: bool
    """Measured before, to the same result"""
