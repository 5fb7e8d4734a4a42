"""Shapes of tool.hybrid_search."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.suite import DetailedRequest, Integer, Shape, Text
from sanya.suites.herbs.contract import AnswerLanguage, EntityCandidate, EntityId
from sanya.suites.herbs.graph.model import ReviewState

MAX_QUESTION_CHARS = 10_000
MAX_HITS = 50

HitType = Literal["herb", "formulation", "paper", "chunk"]
QuestionText = Annotated[Text, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
Year = Annotated[Integer, Field(ge=1800, le=2200)]


class HerbSearchFilters(Shape):
    types: Annotated[list[HitType], Field(min_length=1, max_length=4)] | None = None
    """Only these kinds, e.g. ["herb"]"""
    ids: Annotated[list[EntityId], Field(min_length=1, max_length=50)] | None = None
    """Only these nodes, e.g. ["curcuma-longa"]"""
    sources: Annotated[list[EntityId], Field(min_length=1, max_length=50)] | None = None
    """Only these sources, by id"""
    review: Annotated[list[ReviewState], Field(min_length=1, max_length=3)] | None = None
    """Only of these states"""
    year_from: Year | None = None
    """Papers since this year, e.g. 2015"""
    year_to: Year | None = None
    """Papers until this year, e.g. 2024"""


class HybridSearchInput(DetailedRequest):
    query: QuestionText
    """Words or a name, e.g. ขมิ้นชัน"""
    lang: AnswerLanguage = "auto"
    """Language to search first; auto: that of the query"""
    filters: HerbSearchFilters | None = None
    """All must hold, e.g. {"types": ["herb"]}"""
    top_k: Annotated[Integer, Field(ge=1, le=MAX_HITS)] = 10
    """Most hits to return, e.g. 5"""


class HerbScoreParts(Shape):
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
    score_parts: HerbScoreParts
    """They add up to score"""
    reasons: list[str]
    """name, alias, romanised, slip, linked, kind, words, meaning"""
    relevance: float | None = None
    """How likely it answers, 0-1, whatever else was found"""


class AmbiguousName(Shape):
    name: str
    """As written"""
    candidates: list[EntityCandidate]
    """What it may mean"""


class HerbSearchAnswer(Shape):
    hits: list[SearchHit]
    """Best first"""
    lang: Literal["th", "en"]
    """Language of the query"""
    ambiguous: list[AmbiguousName]
    """Names that mean several species or formulations"""
