"""Field types and shapes that several tools of the suite share."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.kernel.cursors import MAX_CURSOR_CHARS
from sanya.kernel.shapes import Shape, Text

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
