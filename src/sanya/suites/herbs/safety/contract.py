"""Shapes of tool.find_contraindications."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.suite import DetailedRequest, Integer, Shape
from sanya.suite.citations import PaperStanding
from sanya.suites.herbs.contract import AnswerLanguage, EntityCandidate, EntityId, ItemCount, ListCursor, OwnerDecision
from sanya.suites.herbs.graph.model import ReviewState, Strength
from sanya.suites.herbs.safety.severity import Severity

MAX_ENTITIES = 20

LEFT_OUT_IN_SHORT = (
    "results.*.strength",
    "results.*.object_type",
    "results.*.matched",
    "results.*.sources",
    "results.*.basis",
    "results.*.statements",
    "results.*.narrowed",
    "results.*.repeats",
    "results.*.via_labels",
    "pairs.*.object_ids",
    "pairs.*.object_labels",
    "pairs.*.statement_ids",
    "pairs.*.on_record",
    "coverage.*.own",
    "coverage.*.inherited",
    "coverage.*.silent_ingredients",
    "coverage.*.silent_labels",
    "references.*.how_read",
    "references.*.url",
)
"""The statements behind each result: the result has their strongest severity, effect and management."""

EntityIds = Annotated[list[EntityId], Field(max_length=MAX_ENTITIES)]


class FindContraindicationsInput(DetailedRequest):
    herb_ids: EntityIds = Field(default=[])
    """Ids or names, e.g. ["ขมิ้นชัน"]"""
    formulation_ids: EntityIds = Field(default=[])
    """Ids or names, e.g. ["ยาหอมนวโกฐ"]"""
    drugs: EntityIds = Field(default=[])
    """Drugs, brands, Thai names or classes, e.g. ["warfarin"]"""
    conditions: EntityIds = Field(default=[])
    """Conditions, groups or ages, e.g. ["pregnancy", "4 year old"]"""
    lang: AnswerLanguage = "auto"
    """Language of labels; auto: as asked"""
    limit: Annotated[Integer, Field(ge=1, le=500)] = 100
    """Most results to return, e.g. 50"""
    cursor: ListCursor | None = None
    """next_cursor of the page before"""


class SourceNotice(Shape):
    source: str
    """Source id"""
    pmid: str
    """PubMed ID"""
    standing: PaperStanding
    """retracted, concern (expression of concern) or corrected"""


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
    severity: Severity | None = None
    """contraindicated, major, moderate or minor; strength is derived from it"""
    evidence_kind: str | None = None
    """official, trial, pharmacokinetic, observational, case_reports, animal, in_vitro or theoretical"""
    effect: str | None = None
    """What may happen"""
    mechanism: str | None = None
    """Why"""
    management: str | None = None
    """What to do"""
    route: str | None = None
    """oral, topical or any"""
    source_phrase: str | None = None
    """The source's narrower wording, where it is filed under a broader condition"""
    differences: list[str] = Field(default=[])
    """Sources that rate the same pair differently"""
    vias: list[str] = Field(default=[])
    """All nodes it is inherited from"""
    same_as: list[str] = Field(default=[])
    """Ids of statements in the same words, shown as this one"""
    decision: OwnerDecision | None = None
    """Of the owner's reviewer"""
    notices: list[SourceNotice] = Field(default=[])
    """Sources that were retracted, doubted or corrected since"""


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
    """Strongest first; those of an earlier result are named in repeats"""
    severity: Severity | None = None
    """Of the most severe statement"""
    effect: str | None = None
    """What may happen, by that statement"""
    management: str | None = None
    """What to do, by that statement"""
    narrowed: bool = True
    """False: shown because a drug or condition was not understood, not because it was asked"""
    repeats: list[str] = Field(default=[])
    """Ids of statements that an earlier result of this entity shows in full"""
    entity_label: str = ""
    """Its name"""
    via_labels: list[str] = Field(default=[])
    """Their names"""


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
    label: str = ""
    """Its name"""
    silent_labels: list[str] = Field(default=[])
    """Their names"""


class UnresolvedName(Shape):
    given: str
    """As sent"""
    field: str
    """Where"""
    reason: Literal["unknown", "ambiguous"]
    """Why"""
    candidates: list[EntityCandidate]
    """Perhaps meant"""
    message: str = ""
    """What was done with it, in a sentence"""


class PairVerdict(Shape):
    entity: str
    """Herb or formulation as sent"""
    entity_id: str | None
    """What it was read as; null if it was not understood"""
    object: str
    """Drug or condition as sent"""
    object_ids: list[str]
    """What it was read as; empty if it was not understood"""
    verdict: Literal["warned", "no_warning_recorded", "not_checked"]
    """no_warning_recorded: nothing on record names this, NOT known to be safe"""
    severity: Severity | None
    """Of the most severe statement, when warned"""
    statement_ids: list[str]
    """Statements that warn, most severe first"""
    on_record: ItemCount
    """Statements on record about the entity, whatever they are about"""
    is_ambiguous: bool
    """True: a name means several things; each has a row of its own"""
    candidates: list[EntityCandidate]
    """Perhaps meant, when not checked"""
    message: str
    """The verdict in a sentence"""
    notices: list[SourceNotice] = Field(default=[])
    """Sources of these statements that were retracted, doubted or corrected since"""
    entity_label: str | None = None
    """Its name"""
    object_labels: list[str] = Field(default=[])
    """Their names"""


class SourceReference(Shape):
    id: str
    """Source id"""
    title: str | None
    """Title"""
    year: int | None
    """Year"""
    url: str | None
    """Address; null: it has none"""
    how_read: str | None
    """whole, excerpt, abstract, copy, title or not-read"""
    pmid: str | None = None
    """PubMed ID, of a paper"""
    standing: PaperStanding | None = None
    """retracted, concern or corrected, if the paper is"""


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
    summary: str = ""
    """What was not understood, then the strongest verdicts, in sentences"""
    pairs: list[PairVerdict] = Field(default=[])
    """A verdict for every herb or formulation with every drug or condition of the request"""
    references: list[SourceReference] = Field(default=[])
    """Sources of the results on this page"""
