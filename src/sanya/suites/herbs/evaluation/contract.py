"""The shapes of tool.eval.run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.kernel.shapes import Integer, Shape, Text
from sanya.suites.herbs.contract import AnswerLanguage, Id
from sanya.suites.herbs.facts import Relation

MAX_QUESTIONS = 200
MAX_QUESTION_CHARS = 2000
MAX_K = 50

SetName = Literal["smoke", "curated", "custom"]
MetricName = Annotated[
    Text,
    Field(pattern=r"^((R|nDCG)@(k|[1-9]|[1-4][0-9]|50)|MRR|factuality|answers_right|answered|gate_precision|ECE)$"),
]


class CustomFact(Shape):
    subject: Id
    """Node id"""
    relation: Relation
    """Kind of statement"""
    object: Id
    """Node id, or words of the statement"""


class CustomQuestion(Shape):
    text: Annotated[Text, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
    """The question"""
    lang: AnswerLanguage = "auto"
    """Of the question"""
    kind: Annotated[Text, Field(min_length=1, max_length=40)] = "custom"
    """Group in the report"""
    relevant: Annotated[list[Id], Field(max_length=50)] = Field(default=[])
    """Ids that search should find"""
    facts: Annotated[list[CustomFact], Field(max_length=20)] | None = None
    """Any of them answers it; []: must be withheld; null: search alone"""


class EvaluationParams(Shape):
    k: Annotated[Integer, Field(ge=1, le=MAX_K)] = 10
    """For R@k, nDCG@k"""
    compare: bool = True
    """With the last run"""
    questions: Annotated[list[CustomQuestion], Field(min_length=1, max_length=MAX_QUESTIONS)] | None = None
    """Of a custom set"""


class EvalRunInput(Shape):
    set: SetName
    """Which questions"""
    metrics: Annotated[list[MetricName], Field(min_length=1, max_length=20)] | None = None
    """E.g. R@k, R@5, ECE; null: all"""
    params: EvaluationParams = Field(default=EvaluationParams())
    """How"""


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
