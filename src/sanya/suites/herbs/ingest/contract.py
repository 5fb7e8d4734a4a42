"""Shapes of the ingest tools."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from sanya.suite import Integer, Shape, Text
from sanya.suite.jobs import JobEnding, JobState
from sanya.suites.herbs.contract import AnswerLanguage, ItemCount, ListCursor
from sanya.suites.herbs.ingest.documents import DocumentType

MAX_BATCH = 100
MAX_URI_CHARS = 4096
MAX_WAIT_S = 3600
MAX_CHANGES = 500
SHOWN_CHANGES = 50

JobId = Annotated[Text, Field(max_length=64)]
ChangeKind = Literal["source", "node", "name", "edge", "conflict", "ambiguous", "unlinked"]


class BatchItem(Shape):
    uri: Annotated[Text, Field(max_length=MAX_URI_CHARS)]
    """file:// address below a configured folder"""
    lang: AnswerLanguage = "auto"
    """Language of the document"""
    doc_type: DocumentType | None = None
    """Kind of document, e.g. monograph"""


class OcrProvider(Shape):
    provider: Annotated[Text, Field(max_length=64)] | None = None
    """Name of the engine"""
    params: dict[str, str] | None = None
    """Options of the engine"""


class NerProvider(Shape):
    provider: Literal["gazetteer"] | None = None
    """Name of the engine"""
    params: dict[str, str] | None = None
    """Options: it takes none"""


class IngestRunInput(Shape):
    dry_run: bool = True
    """true: only show what would change"""
    batch: Annotated[list[BatchItem], Field(max_length=MAX_BATCH)] = Field(default=[])
    """Documents to read; none with apply_job"""
    ocr: OcrProvider | None = None
    """Engine for scanned pages"""
    ner: NerProvider | None = None
    """Engine that finds names"""
    apply_job: JobId | None = None
    """Id of a dry run to write now"""
    wait_s: Annotated[Integer, Field(ge=0, le=MAX_WAIT_S)] = 20
    """Seconds to wait for the end, e.g. 20"""


class IngestStatusInput(Shape):
    job_id: JobId | None = None
    """Left out: your latest jobs"""
    wait_s: Annotated[Integer, Field(ge=0, le=60)] = 0
    """Seconds to wait for its end, e.g. 10"""
    limit: Annotated[Integer, Field(ge=1, le=MAX_CHANGES)] = SHOWN_CHANGES
    """Most changes or jobs, e.g. 50"""
    cursor: ListCursor | None = None
    """next_cursor of the page before"""


class JobInput(Shape):
    job_id: JobId
    """Id of a job from tool.ingest.run"""


class DiffChange(Shape):
    model_config = ConfigDict(validate_by_name=True)

    document: ItemCount
    """Number in the batch, from 1"""
    kind: ChangeKind
    """What it is"""
    id: str | None
    """Of the row, or of what is contradicted"""
    type: str | None
    """Of node, edge or mention"""
    text: str
    """For people"""
    start: str | None = Field(serialization_alias="from")
    """Edge: from id"""
    to: str | None
    """Edge: to id"""
    page: int | None
    """Page"""
    span: list[int] | None
    """First character of the page's text, and the one behind"""
    confidence: float | None
    """0 to 1"""
    candidates: list[str]
    """Ambiguous: node ids"""


class Counts(Shape):
    nodes: ItemCount
    """New"""
    edges: ItemCount
    """New"""
    names: ItemCount
    """New"""
    sources: ItemCount
    """New"""
    conflicts: ItemCount
    """Against what is known, not written"""
    ambiguous: ItemCount
    """Mentions of more than one thing"""
    unlinked: ItemCount
    """Mentions of nothing known"""
    linked: ItemCount
    """Mentions of one thing"""


class Tally(Shape):
    what: str
    """Name"""
    count: ItemCount
    """How often"""


class DocumentError(Shape):
    code: str
    """As of a refused call"""
    message: str
    """What to do"""


class DocumentReport(Shape):
    number: ItemCount
    """In the batch, from 1"""
    uri: str
    """As given"""
    status: JobState
    """Of this document"""
    digest: str | None
    """SHA-256 of its bytes"""
    pages: ItemCount
    """Read"""
    ocr_pages: ItemCount
    """Of them recognised from pictures"""
    notes: list[str]
    """What the reader says of pages"""
    counts: Counts
    """Of its diff"""
    seen: list[Tally]
    """What else was counted, such as redacted, negated, hedged"""
    nothing_new: bool
    """The graph has it already"""
    error: DocumentError | None
    """Why it failed"""


class JobProgress(Shape):
    done: float
    """Documents, the current one in part"""
    total: float | None
    """Documents"""
    message: str | None
    """What is going on"""


class JobSummary(Shape):
    job_id: str
    """Id"""
    status: JobState
    """State"""
    ending: JobEnding | None
    """Where it was cancelled, or rolled back later"""
    dry_run: bool
    """Nothing is written"""
    log_uri: str
    """Resource with the log"""
    log_path: str
    """The same over HTTP"""
    failure: str | None
    """Why it failed"""
    progress: JobProgress
    """How far"""
    attempts: ItemCount
    """Times begun"""
    created_at: str
    """UTC"""
    started_at: str | None
    """UTC"""
    finished_at: str | None
    """UTC"""


class IngestJob(JobSummary):
    documents: list[DocumentReport]
    """In the order of the batch"""
    changes: list[DiffChange]
    """What would be, or was, written; conflicts; mentions left open"""
    next_cursor: str | None
    """More changes: for tool.ingest.status"""


class IngestAnswer(Shape):
    job_id: str
    """For tool.ingest.status"""
    status: JobState
    """State"""
    log_uri: str
    """Resource with the log"""
    job: IngestJob
    """All of it"""


class IngestStatus(Shape):
    job: IngestJob | None
    """The job asked for"""
    jobs: list[JobSummary]
    """Without job_id: the newest first"""
    next_cursor: str | None
    """Null at the end"""
