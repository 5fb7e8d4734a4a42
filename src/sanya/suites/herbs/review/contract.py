"""Shapes of a decision: what a reviewer gives, and the line that it is exported as.

No tool of an agent takes them. The command line, the console and imports do.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from sanya.suite import Integer, Shape, Text
from sanya.suites.herbs.contract import EntityId
from sanya.suites.herbs.graph.model import ReviewVerdict
from sanya.suites.herbs.safety.severity import Severity

FORMAT = "sanya.herb-review/1"
EvidenceKind = Literal[
    "official", "trial", "pharmacokinetic", "observational", "case_reports", "animal", "in_vitro", "theoretical"
]
StatementRoute = Literal["oral", "topical", "any"]
ShortText = Annotated[Text, Field(min_length=1, max_length=200)]
LongText = Annotated[Text, Field(min_length=1, max_length=2000)]
WebAddress = Annotated[Text, Field(max_length=2000, pattern=r"^https?://[^\s\x00]+$")]
ReviewDay = Annotated[Text, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Timestamp = Annotated[Text, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$")]


class ReviewSource(Shape):
    title: Annotated[Text, Field(min_length=1, max_length=500)]
    """Title, or a citation"""
    url: WebAddress | None = None
    """Address"""
    year: Annotated[Integer, Field(ge=1500, le=2200)] | None = None
    """Year"""


class Correction(Shape):
    """The fields that a correction changes. A text given in one language replaces the texts of both."""

    severity: Severity | None = None
    """Severity"""
    evidence: EvidenceKind | None = None
    """Kind of evidence"""
    route: StatementRoute | None = None
    """Route"""
    effect_en: LongText | None = None
    """What may happen, in English"""
    effect_th: LongText | None = None
    """What may happen, in Thai"""
    management_en: LongText | None = None
    """What to do, in English"""
    management_th: LongText | None = None
    """What to do, in Thai"""

    def list_changes(self) -> dict[str, Any]:
        changes = self.model_dump(exclude_none=True)
        for name in ("effect", "management"):
            in_english, in_thai = changes.get(f"{name}_en"), changes.get(f"{name}_th")
            if in_english or in_thai:
                changes |= {f"{name}_en": in_english or in_thai, f"{name}_th": in_thai or in_english}
        return changes


class DecisionInput(Shape):
    verdict: ReviewVerdict
    """accept, correct or reject"""
    reviewer: ShortText
    """Name of the reviewer"""
    date: ReviewDay | None = None
    """Day of the review; today if not given"""
    reason: LongText | None = None
    """Why"""
    sources: Annotated[list[ReviewSource], Field(max_length=20)] = Field(default=[])
    """What the decision rests on"""
    changes: Correction = Field(default=Correction())
    """What a correction changes"""


class SeenStatement(Shape):
    """The statement as the reviewer saw it."""

    severity: Severity
    """Severity"""
    evidence: ShortText | None = None
    """Kind of evidence"""


class DecisionLine(DecisionInput):
    """A decision as a line of an export."""

    format: Literal["sanya.herb-review/1"]
    """Format of the line"""
    statement: EntityId
    """Id of the statement"""
    subject: EntityId | None = None
    """Herb, formulation or constituent that it is about"""
    about: Annotated[list[EntityId], Field(max_length=500)] = Field(default=[])
    """Drugs or conditions; for readers"""
    seen: SeenStatement | None = None
    """The statement as it was decided; as it is now if not given"""
    decided_at: Timestamp | None = None
    """When it was recorded; now if not given"""
    id: EntityId | None = None
    """Id of the decision; for readers"""


class UndoInput(Shape):
    reviewer: ShortText
    """Who takes the decision back"""
    reason: LongText | None = None
    """Why"""


class QueueQuery(Shape):
    """A question for a part of the queue."""

    state: Literal["open", "outdated", "decided", "accepted", "corrected", "rejected", "all"] = "open"
    """State"""
    subject: EntityId | None = None
    """Id of a herb or formulation"""
    object: EntityId | None = None
    """Id of a drug or condition"""
    severity: Severity | None = None
    """Severity"""
    evidence: EvidenceKind | None = None
    """Kind of evidence"""
    source: EntityId | None = None
    """Id of a source"""
    limit: Annotated[Integer, Field(ge=1, le=500)] = 50
    """Most statements"""
    offset: Annotated[Integer, Field(ge=0)] = 0
    """Statements to skip"""
