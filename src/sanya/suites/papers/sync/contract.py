"""Shapes of the two tools that sync with PubMed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sanya.suite import Integer, Shape, Text
from sanya.suites.papers.sync.query_sync import OVERLAP_DAYS

SyncCount = Annotated[Integer, Field(ge=0)]


class SyncIncrementalInput(Shape):
    query: Annotated[Text, Field(min_length=1)]
    """PubMed query, in PubMed's own syntax"""
    limit: Annotated[Integer, Field(ge=1, le=500)] = 100
    """Most new papers to bring in this call"""


class SyncIncrementalAnswer(Shape):
    synced_documents: SyncCount
    """Papers that were stored"""
    total_found: SyncCount
    """Papers that PubMed has for the query since it was last synced"""
    status: str
    """What happened, and whether there is more"""


class FetchInput(Shape):
    doc_ids: Annotated[list[Annotated[str, Field(pattern=r"^pmid:[0-9]+$")]], Field(min_length=1, max_length=500)]
    """Papers to bring, e.g. ["pmid:12345"]"""


class FetchAnswer(Shape):
    inserted: SyncCount
    """Papers that are new here"""
    updated: SyncCount
    """Papers of which PubMed has a later version"""
    skipped: SyncCount
    """Papers that were here already, unchanged"""
    not_found: list[str]
    """Those of doc_ids that PubMed does not have, or has withdrawn"""


class SyncDeltaInput(Shape):
    query_key: Annotated[Text, Field(min_length=1)]
    """Name under which the progress of this query is kept"""
    term: Annotated[Text, Field(min_length=1)]
    """PubMed query, in PubMed's own syntax"""
    overlap_days: Annotated[Integer, Field(ge=0, le=365)] = OVERLAP_DAYS
    """Days before the last sync that are asked for again, for papers that came late"""


class SyncDeltaAnswer(Shape):
    job_id: str
    """Name of this run"""
    inserted: SyncCount
    """Papers that are new here"""
    updated: SyncCount
    """Papers of which PubMed has a later version"""
    skipped: SyncCount
    """Papers that were here already, unchanged"""
    pmids_processed: SyncCount
    """Papers that were looked at"""
    max_edat_seen: str | None
    """When the newest of them entered PubMed (ISO 8601 UTC)"""
    warnings: list[str]
    """What PubMed remarked, and papers it has withdrawn meanwhile"""
