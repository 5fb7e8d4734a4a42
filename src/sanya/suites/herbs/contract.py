"""The shapes of the graph's tools: paths and warnings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from sanya.kernel.cursors import MAX_CURSOR_CHARS
from sanya.kernel.shapes import Integer, Shape, Text
from sanya.suites.herbs.graph import EdgeType, NodeType, Review, Strength

MAX_ID_CHARS = 200
MAX_PATTERN_CHARS = 400
MAX_DEPTH = 5
MAX_ENTITIES = 20

Id = Annotated[Text, Field(min_length=1, max_length=MAX_ID_CHARS)]
Words = Annotated[Text, Field(max_length=MAX_ID_CHARS)]
Ids = Annotated[list[Id], Field(max_length=MAX_ENTITIES)]
Count = Annotated[int, Field(ge=0, le=10**9)]
Cursor = Annotated[Text, Field(min_length=1, max_length=MAX_CURSOR_CHARS)]
AnswerLanguage = Literal["th", "en", "auto"]


class Start(Shape):
    type: NodeType
    """Type"""
    id: Id
    """Or an unambiguous name"""


class PathFilters(Shape):
    edges: Words | None = None
    """E.g. treats|contains"""
    min_strength: Strength | None = None
    """Of warnings"""
    reviewed: bool = False
    """Only reviewed"""
    source: Words | None = None
    """Source id"""


class QueryKgInput(Shape):
    start: Start
    """First node"""
    pattern: Annotated[Text, Field(max_length=MAX_PATTERN_CHARS)] | None = None
    """E.g. herb-[contains]->constituent->*"""
    filters: PathFilters | None = None
    """Combine"""
    max_depth: Annotated[Integer, Field(ge=0, le=MAX_DEPTH)] = 3
    """Most steps"""
    limit: Annotated[Integer, Field(ge=1, le=200)] = 25
    """Most paths"""
    cursor: Cursor | None = None
    """next_cursor of the page before"""


class PathNode(Shape):
    id: str
    """Id"""
    type: NodeType
    """Type"""
    label: str
    """Thai name, else English"""
    label_en: str | None
    """English name"""


class PathEdge(Shape):
    model_config = ConfigDict(validate_by_name=True)

    type: EdgeType
    """Type"""
    start: str = Field(serialization_alias="from")
    """From id"""
    to: str
    """To id"""
    strength: Strength | None
    """Of a warning"""
    basis: str
    """source, rule: … or assigned"""
    review: Review
    """State"""
    sources: list[str]
    """Source ids"""


class PathPage(Shape):
    paths: list[list[PathNode]]
    """By length, then ids"""
    edges: list[PathEdge]
    """Statements along the paths, each once"""
    truncated: bool
    """Work was cut: go on with next_cursor"""
    work: Count
    """Edges read"""
    next_cursor: str | None
    """Null at the end"""


class FindContraindicationsInput(Shape):
    herb_ids: Ids = Field(default=[])
    """Herb ids, or names that mean one herb"""
    formulation_ids: Ids = Field(default=[])
    """Formulation ids or names"""
    drugs: Ids = Field(default=[])
    """Only warnings about these drugs, their classes and members"""
    conditions: Ids = Field(default=[])
    """Only warnings about these conditions"""
    lang: AnswerLanguage = "auto"
    """Of labels"""
    limit: Annotated[Integer, Field(ge=1, le=500)] = 100
    """Most results"""
    cursor: Cursor | None = None
    """next_cursor of the page before"""


class Statement(Shape):
    id: str
    """Id"""
    kind: str
    """contraindication, precaution or drug_interaction"""
    text: str
    """As filed"""
    evidence: str
    """Mechanism, effect, kind of evidence"""
    strength: Strength
    """Its own"""
    basis: str
    """Of the strength"""
    review: Review
    """needs_review: doubtful"""
    note: str | None
    """Why"""
    sources: list[str]
    """Source ids"""
    via: str | None
    """Ingredient it is inherited from"""
    stated_for: str | None
    """Single-herb medicine that the source speaks of, if not of the herb"""


class Contraindication(Shape):
    entity_id: str
    """Herb or formulation"""
    type: Literal["herb", "formulation"]
    """Which"""
    contraindication: str
    """Drug or condition"""
    evidence: str
    """Of the strongest statement"""
    strength: Strength
    """Strongest of all statements"""
    object_id: str
    """Its id"""
    object_type: Literal["drug", "condition"]
    """Which"""
    basis: str
    """Of the strength"""
    review: Review
    """Of the strongest"""
    sources: list[str]
    """All sources"""
    via: list[str]
    """Ingredients it is inherited from; empty if its own"""
    matched: list[str]
    """Which asked drug or condition"""
    statements: list[Statement]
    """All, strongest first"""


class Covered(Shape):
    entity_id: str
    """Herb or formulation"""
    status: Literal["recorded", "inherited_only", "none"]
    """none: nothing known, NOT safe"""
    own: Count
    """Own warnings"""
    inherited: Count
    """Of its ingredients"""
    silent_ingredients: list[str]
    """Herbs without a record"""
    unidentified_ingredients: list[str]
    """Not in the graph"""
    note: str | None
    """What is doubtful about it"""


class Candidate(Shape):
    id: str
    """Id"""
    label: str
    """Label"""


class Unresolved(Shape):
    given: str
    """As sent"""
    field: str
    """Where"""
    reason: Literal["unknown", "ambiguous"]
    """Why"""
    candidates: list[Candidate]
    """Perhaps meant"""


class ContraindicationPage(Shape):
    results: list[Contraindication]
    """Strongest first"""
    unknown_ids: list[str]
    """Not checked"""
    unresolved: list[Unresolved]
    """Why, for all fields"""
    coverage: list[Covered]
    """What is known at all"""
    total: Count
    """Results in all"""
    next_cursor: str | None
    """Null at the end"""
    notice: str
    """Read it"""
