"""Shapes of `corpus.status` and `corpus.checkpoint.list`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sanya.suite import MAX_CURSOR_CHARS, Integer, Shape, Text


class StatusInput(Shape):
    pass


class WatchedQuery(Shape):
    query: str
    """PubMed query"""
    every_s: int
    """Seconds between syncs, while a server runs"""
    next_at: str
    """When it is due, ISO 8601 UTC"""
    last_at: str | None
    """When it was last synced"""
    last_status: str | None
    """What came of it"""


class SyncedQuery(Shape):
    query_key: str
    """Name of the sync"""
    term: str
    """PubMed query"""
    synced_to: str
    """Everything that entered PubMed up to here is stored, ISO 8601 UTC"""


class StatusAnswer(Shape):
    papers: Annotated[int, Field(ge=0)]
    """Papers in the corpus, without samples"""
    samples: Annotated[int, Field(ge=0)]
    """Sample records; the first real paper removes them"""
    newest_entry: str | None
    """Day on which PubMed took in the newest record"""
    chunks_without_vectors: Annotated[int, Field(ge=0)]
    """Chunks that are found by words only so far"""
    checkpoints: Annotated[int, Field(ge=0)]
    """Number of checkpoints; corpus.checkpoint.list lists them"""
    synced_queries: list[SyncedQuery]
    """How far each query was synced"""
    watched_queries: list[WatchedQuery]
    """Queries that a running server syncs by itself"""
    advice: str | None
    """What to do next, where the corpus is empty or behind"""


class ListCheckpointsInput(Shape):
    limit: Annotated[Integer, Field(ge=1, le=200)] = 50
    """Checkpoints per page, e.g. 20"""
    cursor: Annotated[Text, Field(max_length=MAX_CURSOR_CHARS)] | None = None
    """next_cursor of the page before"""


class ListedCheckpoint(Shape):
    checkpoint_id: str
    """The checkpoint; rag.search and rag.get take it"""
    name: str
    """Its name"""
    description: str | None
    """What it is for"""
    created_at: str
    """When it was made, ISO 8601 UTC"""
    primary_queries: list[str]
    """Queries that it belongs to"""
    papers: int
    """Papers in it"""
    as_of: str | None
    """Day of its newest record"""


class ListCheckpointsAnswer(Shape):
    checkpoints: list[ListedCheckpoint]
    """The newest first"""
    total: Annotated[int, Field(ge=0)]
    """How many there are in all"""
    next_cursor: str | None
    """For the next page; null at the end"""
