"""Shapes of tool.query_kg."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from sanya.suite import DetailedRequest, Integer, Shape, Text
from sanya.suites.herbs.contract import MAX_ID_CHARS, EntityId, ItemCount, ListCursor
from sanya.suites.herbs.graph.model import EdgeType, NodeType, ReviewState, Strength
from sanya.suites.herbs.safety.severity import Severity

MAX_PATTERN_CHARS = 400
MAX_DEPTH = 5

FilterText = Annotated[Text, Field(max_length=MAX_ID_CHARS)]


class Start(Shape):
    type: NodeType
    """Type of the node, e.g. herb"""
    id: EntityId
    """Id or a clear name, e.g. ขมิ้นชัน"""


class PathFilters(Shape):
    edges: FilterText | None = None
    """Kinds of edges, e.g. treats|contraindicated_in"""
    min_strength: Strength | None = None
    """Weakest warning to show, e.g. moderate"""
    reviewed: bool = False
    """true: only reviewed statements"""
    source: FilterText | None = None
    """Only this source, by id"""


class QueryKgInput(DetailedRequest):
    start: Start
    """Node to start from, e.g. {"type": "herb", "id": "ขมิ้นชัน"}"""
    pattern: Annotated[Text, Field(max_length=MAX_PATTERN_CHARS)] | None = None
    """Types of nodes on the path, e.g. herb-[contains]->constituent->*"""
    filters: PathFilters | None = None
    """All must hold, e.g. {"edges": "treats"}"""
    max_depth: Annotated[Integer, Field(ge=0, le=MAX_DEPTH)] = 3
    """Most steps from the start, e.g. 2"""
    limit: Annotated[Integer, Field(ge=1, le=200)] = 25
    """Most paths to return, e.g. 25"""
    cursor: ListCursor | None = None
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
    review: ReviewState
    """State"""
    sources: list[str]
    """Source ids"""
    severity: Severity | None = None
    """Of a warning: contraindicated, major, moderate or minor"""


class PathPage(Shape):
    paths: list[list[PathNode]]
    """By length, then ids"""
    edges: list[PathEdge]
    """Statements along the paths, each once"""
    truncated: bool
    """Work was cut: go on with next_cursor"""
    work: ItemCount
    """Edges read"""
    next_cursor: str | None
    """Null at the end"""
