"""Shapes of tool.find_contraindications."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.kernel.shapes import Integer, Shape
from sanya.suites.herbs.contract import AnswerLanguage, EntityCandidate, EntityId, ItemCount, ListCursor
from sanya.suites.herbs.graph.model import ReviewState, Strength

MAX_ENTITIES = 20

EntityIds = Annotated[list[EntityId], Field(max_length=MAX_ENTITIES)]


class FindContraindicationsInput(Shape):
    herb_ids: EntityIds = Field(default=[])
    """Herb ids, or names that mean one herb"""
    formulation_ids: EntityIds = Field(default=[])
    """Formulation ids or names"""
    drugs: EntityIds = Field(default=[])
    """Only warnings about these drugs, their classes and members"""
    conditions: EntityIds = Field(default=[])
    """Only warnings about these conditions"""
    lang: AnswerLanguage = "auto"
    """Of labels"""
    limit: Annotated[Integer, Field(ge=1, le=500)] = 100
    """Most results"""
    cursor: ListCursor | None = None
    """next_cursor of the page before"""


class WarningStatement(Shape):
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
    review: ReviewState
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
    review: ReviewState
    """Of the strongest"""
    sources: list[str]
    """All sources"""
    via: list[str]
    """Ingredients it is inherited from; empty if its own"""
    matched: list[str]
    """Which asked drug or condition"""
    statements: list[WarningStatement]
    """All, strongest first"""


class EntityCoverage(Shape):
    entity_id: str
    """Herb or formulation"""
    status: Literal["recorded", "inherited_only", "none"]
    """none: nothing known, NOT safe"""
    own: ItemCount
    """Own warnings"""
    inherited: ItemCount
    """Of its ingredients"""
    silent_ingredients: list[str]
    """Herbs without a record"""
    unidentified_ingredients: list[str]
    """Not in the graph"""
    note: str | None
    """What is doubtful about it"""


class UnresolvedName(Shape):
    given: str
    """As sent"""
    field: str
    """Where"""
    reason: Literal["unknown", "ambiguous"]
    """Why"""
    candidates: list[EntityCandidate]
    """Perhaps meant"""


class ContraindicationPage(Shape):
    results: list[Contraindication]
    """Strongest first"""
    unknown_ids: list[str]
    """Not checked"""
    unresolved: list[UnresolvedName]
    """Why, for all fields"""
    coverage: list[EntityCoverage]
    """What is known at all"""
    total: ItemCount
    """Results in all"""
    next_cursor: str | None
    """Null at the end"""
    notice: str
    """Read it"""
