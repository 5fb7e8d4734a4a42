"""Field types and shapes that several tools of the suite share."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.suite import MAX_CURSOR_CHARS, Shape, Text
from sanya.suites.herbs.graph.model import ReviewVerdict, StatementDecision

MAX_ID_CHARS = 200

EntityId = Annotated[Text, Field(min_length=1, max_length=MAX_ID_CHARS)]
ItemCount = Annotated[int, Field(ge=0, le=10**9)]
ListCursor = Annotated[Text, Field(min_length=1, max_length=MAX_CURSOR_CHARS)]
AnswerLanguage = Literal["th", "en", "auto"]


class EntityCandidate(Shape):
    id: str
    """Id"""
    label: str
    """Label"""
    type: str | None = None
    """herb, formulation, drug or condition"""


class OwnerDecision(Shape):
    verdict: ReviewVerdict
    """accept, correct or reject"""
    reviewer: str
    """Who"""
    date: str
    """When"""
    reason: str | None
    """Why"""
    outdated: bool
    """True: the statement became stronger since"""


def format_decision(decision: StatementDecision | None) -> OwnerDecision | None:
    if decision is None:
        return None
    return OwnerDecision(
        verdict=decision.verdict,
        reviewer=decision.reviewer,
        date=decision.date,
        reason=decision.reason,
        outdated=decision.is_outdated,
    )
