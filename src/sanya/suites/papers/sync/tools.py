"""Handlers of the tools that bring papers from PubMed: translate arguments into a query, and its result into shapes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from sanya.suite import Context, Example, InvalidArgument, RateLimited, Tool, UpstreamFailed
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.sync import contract
from sanya.suites.papers.sync.query_sync import PubMedSync, PubMedSyncResult, SyncQuery

OpenSync = Callable[[], Awaitable[PubMedSync]]
"""Returns the sync. The connection to PubMed opens with the first call."""

_INCREMENTAL_MS = 300_000
_DELTA_MS = 3_600_000  # batches stored by then stay, and the next call continues


@dataclass(frozen=True, slots=True)
class SyncTools:
    open_sync: OpenSync

    async def sync_incremental(
        self, request: contract.SyncIncrementalInput, context: Context
    ) -> contract.SyncIncrementalAnswer:
        sync = await self.open_sync()
        query = SyncQuery(request.query, _check_term(request.query, "query"), context.now)
        synced = await sync.sync_new(query, request.limit, context.progress)
        brought = synced.stored.inserted + synced.stored.updated
        return contract.SyncIncrementalAnswer(
            synced_documents=brought, total_found=synced.found, status=describe_status(synced)
        )

    async def sync_delta(self, request: contract.SyncDeltaInput, context: Context) -> contract.SyncDeltaAnswer:
        sync = await self.open_sync()
        term = _check_term(request.term, "term")
        query = SyncQuery(request.query_key, term, context.now, request.overlap_days)
        synced = await sync.sync_all(query, context.progress)
        return contract.SyncDeltaAnswer(
            job_id=f"sync_{context.now:%Y-%m-%dT%H:%M:%SZ}",
            inserted=synced.stored.inserted,
            updated=synced.stored.updated,
            skipped=synced.stored.skipped,
            pmids_processed=synced.checked,
            max_edat_seen=synced.stored.max_edat_seen,
            warnings=[*synced.warnings, *_describe_withdrawn(synced)],
        )

    async def fetch(self, request: contract.FetchInput, context: Context) -> contract.FetchAnswer:
        sync = await self.open_sync()
        pmids = [doc_id.removeprefix("pmid:").lstrip("0") or "0" for doc_id in request.doc_ids]
        fetched = await sync.fetch(pmids, context.progress)
        return contract.FetchAnswer(
            inserted=fetched.stored.inserted,
            updated=fetched.stored.updated,
            skipped=fetched.stored.skipped,
            not_found=[f"pmid:{pmid}" for pmid in fetched.missing],
        )


def describe_status(synced: PubMedSyncResult) -> str:
    brought = synced.stored.inserted + synced.stored.updated
    said = f"{brought:,} new papers of {synced.found:,} found"
    if not synced.is_complete:
        return f"{said}; there are more, call again"
    return "; ".join([f"{said}; nothing is left to bring", *synced.warnings, *_describe_withdrawn(synced)])


def _describe_withdrawn(synced: PubMedSyncResult) -> list[str]:
    if not synced.withdrawn:
        return []
    return [f"{synced.withdrawn:,} of the papers found were withdrawn by PubMed before they could be fetched"]


def _check_term(text: str, field: str) -> str:
    if not text.strip():
        raise InvalidArgument(f"{field} is blank; write a PubMed query", field=field)
    return text.strip()


def build_sync_tools(open_sync: OpenSync) -> tuple[Tool, ...]:
    tools = SyncTools(open_sync)
    tool = partial(
        Tool,
        suite="papers",
        dialect=DIALECT,
        effect="write",
        idempotent=True,
        open_world=True,
        faults=(UpstreamFailed, RateLimited),
    )
    return (
        tool(
            name="pubmed.sync.incremental",
            operator=True,
            title="Bring new papers",
            description="Operators: searches PubMed and stores papers that are not here yet, from where the last "
            "sync ended. For later versions as well use pubmed.sync_delta; it never deletes papers.",
            input=contract.SyncIncrementalInput,
            output=contract.SyncIncrementalAnswer,
            handler=tools.sync_incremental,
            timeout_ms=_INCREMENTAL_MS,
            examples=(Example("A few papers", {"query": "GLP-1 receptor agonist AND obesity", "limit": 20}),),
        ),
        tool(
            name="pubmed.fetch",
            operator=True,
            title="Fetch papers",
            description="Operators: brings single papers from PubMed by PMID, and later versions of stored ones. For "
            "all papers of a topic use pubmed.sync.incremental; it never searches.",
            input=contract.FetchInput,
            output=contract.FetchAnswer,
            handler=tools.fetch,
            timeout_ms=_INCREMENTAL_MS,
            examples=(Example("Two papers", {"doc_ids": ["pmid:32312261", "pmid:15801937"]}),),
        ),
        tool(
            name="pubmed.sync_delta",
            operator=True,
            title="Sync a query",
            description="Operators: stores everything that entered PubMed for a query since its last sync, and "
            "later versions. For a few new papers use pubmed.sync.incremental; a failed run never loses its place.",
            input=contract.SyncDeltaInput,
            output=contract.SyncDeltaAnswer,
            handler=tools.sync_delta,
            timeout_ms=_DELTA_MS,
            unhashed=("job_id",),
            examples=(
                Example(
                    "With a name of its own", {"query_key": "glp1_v1", "term": "GLP-1 receptor agonist AND obesity"}
                ),
            ),
        ),
    )
