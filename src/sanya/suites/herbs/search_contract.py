"""The shapes of the two tools that take a question: search and answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.kernel.shapes import Integer, Shape, Text
from sanya.suites.herbs.contract import AnswerLanguage, Candidate, Contraindication, Covered, Id
from sanya.suites.herbs.graph import Review, Strength

MAX_QUESTION_CHARS = 10_000
MAX_HITS = 50
MAX_PASSAGES = 20

HitType = Literal["herb", "formulation", "paper", "chunk"]
Question = Annotated[Text, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
Year = Annotated[Integer, Field(ge=1800, le=2200)]


class SearchFilters(Shape):
    types: Annotated[list[HitType], Field(min_length=1, max_length=4)] | None = None
    """Kinds"""
    ids: Annotated[list[Id], Field(min_length=1, max_length=50)] | None = None
    """Nodes"""
    sources: Annotated[list[Id], Field(min_length=1, max_length=50)] | None = None
    """Source ids"""
    review: Annotated[list[Review], Field(min_length=1, max_length=3)] | None = None
    """States"""
    year_from: Year | None = None
    """Papers since"""
    year_to: Year | None = None
    """Papers until"""


class HybridSearchInput(Shape):
    query: Question
    """Thai, English or mixed"""
    lang: AnswerLanguage = "auto"
    """Searched first"""
    filters: SearchFilters | None = None
    """Combine"""
    top_k: Annotated[Integer, Field(ge=1, le=MAX_HITS)] = 10
    """Most hits"""


class ScoreParts(Shape):
    words: float
    """BM25"""
    meaning: float
    """Vectors"""
    graph: float
    """Names and links of the graph"""


class SearchHit(Shape):
    id: str
    """Node id; of a chunk, node id and topic"""
    type: HitType
    """Type"""
    title: str
    """Name"""
    snippet: str
    """Best sentence"""
    score: float
    """0 to 1"""
    source: str
    """First source id of the snippet"""
    uri: str
    """Where to read it"""
    about: str
    """Node it is about"""
    matched_lang: Literal["th", "en"]
    """Language it was found in"""
    score_parts: ScoreParts
    """They add up to score"""
    reasons: list[str]
    """name, alias, romanised, slip, linked, kind, words, meaning"""


class AmbiguousName(Shape):
    name: str
    """As written"""
    candidates: list[Candidate]
    """What it may mean"""


class SearchAnswer(Shape):
    hits: list[SearchHit]
    """Best first"""
    lang: Literal["th", "en"]
    """Language of the query"""
    ambiguous: list[AmbiguousName]
    """Names that mean several species or formulations"""


class Retrieval(Shape):
    top_k: Annotated[Integer, Field(ge=1, le=MAX_PASSAGES)] = 5
    """Hits to answer from"""


class RagAnswerInput(Shape):
    question: Question
    """In Thai or English"""
    lang: AnswerLanguage = "auto"
    """Of the answer; auto: as asked"""
    retrieval: Retrieval = Field(default=Retrieval())
    """How widely to look"""


class CitedSource(Shape):
    id: str
    """Source id"""
    title: str | None
    """Title"""
    url: str | None
    """Address"""


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
    review: Review
    """State"""
    sources: list[CitedSource]
    """Who says so"""


class Scores(Shape):
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


class SafetyNote(Shape):
    results: list[Contraindication]
    """As tool.find_contraindications has it, strongest first"""
    total: int
    """In all"""
    coverage: list[Covered]
    """What is known at all"""


class RagAnswer(Shape):
    answer: str
    """Quoted sentences with [n] for the citation; "" if withheld"""
    citations: list[Citation]
    """In order of [n]"""
    scores: Scores
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
