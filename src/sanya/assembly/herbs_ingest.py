"""Builds the ingest tools of the herbs suite: a reader for the owner's folders, and jobs that outlive a call."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sanya.assembly.home_resources import HomeResources
from sanya.engines.job_queue import EmbeddedQueue
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.jobs.job import JobQueue
from sanya.kernel.jobs.runner import JobRunner
from sanya.settings import Settings
from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.ingest.documents import DocumentReader
from sanya.suites.herbs.ingest.tools import IngestTools
from sanya.suites.herbs.ingest.worker import KIND, IngestWorker

INBOX = "inbox"


def build_ingest_tools(resources: HomeResources, store: HerbStore) -> IngestTools:
    work = IngestWorker(store, _open_reader(resources.settings))
    runner = JobRunner(resources.jobs, partial(_open_queue, resources), {KIND: work.run})
    return IngestTools(store, runner, resources.cursors)


def _open_reader(settings: Settings) -> DocumentReader:
    roots = [Path(root).expanduser() for root in settings.ingest_roots] or [settings.home / INBOX]
    limits = DocumentLimits(
        max_bytes=settings.ingest_max_bytes,
        max_pages=settings.ingest_max_pages,
        max_pixels=settings.ingest_max_pixels,
        max_seconds=settings.ingest_max_seconds,
        max_page_seconds=settings.ingest_max_page_seconds,
        max_nesting=settings.ingest_max_nesting,
        max_memory_mb=settings.ingest_max_memory_mb,
    )
    return open_reader(roots, limits, closed=[settings.home])


def _open_queue(resources: HomeResources) -> JobQueue:
    if resources.database.dialect == "sqlite":
        return EmbeddedQueue(resources.jobs)
    try:
        from sanya.engines.postgresql.job_queue import PostgresqlQueue  # here: it takes long to load
    except ImportError as error:
        raise StoreUnavailable("Jobs on PostgreSQL need a queue. Run: pip install 'sanya[postgres]'") from error
    return PostgresqlQueue(resources.settings.database_url, resources.jobs)
