"""Shapes of tool.rag_answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.suite import DetailedRequest, Integer, Shape
from sanya.suites.herbs.contract import AnswerLanguage
from sanya.suites.herbs.graph.model import ReviewState, Strength
from sanya.suites.herbs.safety.contract import Contraindication, EntityCoverage
from sanya.suites.herbs.search.contract import AmbiguousName, QuestionText

MAX_PASSAGES = 20


class Retrieval(Shape):
    top_k: Annotated[Integer, Field(ge=1, le=MAX_PASSAGES)] = 5
    """Hits to answer from, e.g. 5"""


class RagAnswerInput(DetailedRequest):
    question: QuestionText
    """Question about Thai herbs, e.g. ขมิ้นชันใช้รักษาอะไร"""
    lang: AnswerLanguage = "auto"
    """Language of the answer; auto: as asked"""
    retrieval: Retrieval = Field(default=Retrieval())
    """How widely to look, e.g. {"top_k": 8}"""


class CitedSource(Shape):
    id: str
    """Source id"""
    title: str | None
    """Title"""
    url: str | None
    """Address"""
    paper_uri: str | None = None
    """Record of the paper, if it is stored here"""
    journal: str | None = None
    """Journal, by that record"""
    year: int | None = None
    """Year, by that record"""


class Citation(Shape):
    id: str
    """Statement id"""
    uri: str
    """Herb or paper it is about"""
    title: str
    """Its name"""
    span: str
    """Sentence as quoted"""
    used: bool
    """Said in the answer, not only bearing on it"""
    strength: Strength | None
    """Of a warning"""
    basis: str
    """source, rule: … or assigned"""
    review: ReviewState
    """State"""
    sources: list[CitedSource]
    """Who says so"""


class AnswerScores(Shape):
    retrieval: float
    """Probability that the hits hold the answer"""
    answer_conf: float
    """Probability that the answer is right"""


class Withheld(Shape):
    tests: list[Literal["citations", "answer_conf", "support"]]
    """Which failed"""
    citations: int
    """Found"""
    citations_needed: int
    """At least"""
    answer_conf: float
    """Reached"""
    answer_conf_needed: float
    """At least"""
    advice: str
    """What would satisfy it"""
    reason: str = ""
    """unrecognised, unrecorded, elsewhere, unsure, citations or support"""


class SafetyNote(Shape):
    results: list[Contraindication]
    """As tool.find_contraindications has it, strongest first"""
    total: int
    """In all"""
    coverage: list[EntityCoverage]
    """What is known at all"""


class RagAnswer(Shape):
    answer: str
    """Quoted sentences with [n] for the citation; "" if withheld"""
    citations: list[Citation]
    """In order of [n]"""
    scores: AnswerScores
    """Calibrated"""
    withheld: Withheld | None
    """Why there is no answer"""
    safety: SafetyNote | None
    """For questions about safety"""
    ambiguous: list[AmbiguousName]
    """Names that mean several species or formulations"""
    lang: Literal["th", "en"]
    """Of the answer"""
    phrased: bool
    """By the configured model, checked against the citations"""
    notice: str
    """Read it"""
    unrecognised: list[str] = Field(default=[])
    """Named in the question and not known; nothing was answered or checked about it"""
