"""Handlers of the ingest tools, and of the resource that is a job's log."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sanya.suite import ALL_SCOPES, Caller, Content, Context, Cursors, InvalidArgument, NotFound
from sanya.suite.jobs import Job, JobRunner, Jobs, make_job_id
from sanya.suite.store import advance_revision
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.ingest import contract, job_report, staging
from sanya.suites.herbs.ingest.worker import KIND, StagedDocument, check_ground, read_staged

_MAX_COMPLETIONS = 100


@dataclass(frozen=True, slots=True)
class IngestTools:
    store: HerbStore
    runner: JobRunner
    cursors: Cursors

    @property
    def jobs(self) -> Jobs:
        return self.runner.jobs

    async def run(self, request: contract.IngestRunInput, context: Context) -> contract.IngestAnswer:
        _check_request(request)
        input = request.model_dump(mode="json", exclude={"wait_s"})
        if request.apply_job is not None:
            input["batch"] = await self._read_dry_batch(request.apply_job, context)
        job = await self.runner.submit(KIND, context.caller.id, input, make_job_id(context.now, context.id))
        job = await self.runner.finish(job, request.wait_s, context.progress)
        return await self._build_answer(job)

    async def get_status(self, request: contract.IngestStatusInput, context: Context) -> contract.IngestStatus:
        if request.job_id is None:
            return await self._list_jobs(request, context)
        job = await self._get_job(request.job_id, context)
        if not job.has_ended and request.wait_s:
            job = await self.runner.wait(job.id, request.wait_s, context.progress)
        skip = self._open_cursor(request.cursor, {"job": job.id})
        described = await self._describe_job(job, int(skip or 0), request.limit)
        return contract.IngestStatus(job=described, jobs=[], next_cursor=described.next_cursor)

    async def cancel(self, request: contract.JobInput, context: Context) -> contract.IngestAnswer:
        job = await self._get_job(request.job_id, context)
        if job.state == "done":
            raise InvalidArgument(f"{job.id} is done; take it back with tool.ingest.rollback", field="job_id")
        await self.jobs.cancel(job.id, context.now)
        return await self._build_answer(await self.runner.wait(job.id, 5.0, context.progress))

    async def roll_back(self, request: contract.JobInput, context: Context) -> contract.IngestAnswer:
        job = await self._get_job(request.job_id, context)
        if job.input["dry_run"]:
            raise InvalidArgument(f"{job.id} was a dry run: it wrote nothing to take back", field="job_id")
        if not job.has_ended:
            raise InvalidArgument(f"{job.id} is {job.state}; stop it with tool.ingest.cancel first", field="job_id")
        if job.ending != "rolled_back":
            async with self.store.database.transaction() as transaction:
                await advance_revision(transaction, "herbs")
                removed = await staging.remove_batch(transaction, job.id)
                line = f"rolled back: {removed} rows left the graph"
                await self.jobs.mark_rolled_back(transaction, job, line, context.now)
        return await self._build_answer(await self._get_job(job.id, context))

    async def read_log(self, parts: Mapping[str, str], context: Context) -> Content:
        job = await self._get_job(parts["id"], context)
        lines = [f"{line.at} {line.text}\n" for line in await self.jobs.read_log(job.id)]
        return Content(text="".join(lines), mime_type="text/plain")

    async def complete_job_ids(self, text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        """Return job ids that begin with the text, the newest first."""
        del chosen
        jobs = await self.jobs.list(kind=KIND, owner=_get_visible_owner(caller), limit=_MAX_COMPLETIONS)
        return [job.id for job in jobs if job.id.startswith(text)]

    async def _get_job(self, job_id: str, context: Context) -> Job:
        job = await self.jobs.get(job_id)
        if job is None or job.kind != KIND or not job.is_seen_by(context.caller):
            raise NotFound(
                f"you have no job {job_id!r}; tool.ingest.status lists your jobs", details={"job_id": job_id}
            )
        return job

    async def _read_dry_batch(self, job_id: str, context: Context) -> list[dict[str, Any]]:
        """Return the documents of a dry run, after checking that each diff still fits the graph."""
        job = await self._get_job(job_id, context)
        if not job.input["dry_run"] or not job.has_ended or job.ending is not None:
            raise InvalidArgument(f"{job.id} is not a dry run that finished; make a dry run first", field="apply_job")
        staged = [read_staged(part, job.id) for part in await self.jobs.list_parts(job.id) if part.state == "done"]
        new = [
            document
            for document in staged
            if await staging.find_batch(self.store.database, document.diff.digest) is None
        ]
        await asyncio.to_thread(_check_in_order, await self.store.load_graph(), new)
        return list(job.input["batch"])

    async def _build_answer(self, job: Job) -> contract.IngestAnswer:
        described = await self._describe_job(job)
        return contract.IngestAnswer(
            job_id=described.job_id, status=described.status, log_uri=described.log_uri, job=described
        )

    async def _describe_job(self, job: Job, skip: int = 0, limit: int = contract.SHOWN_CHANGES) -> contract.IngestJob:
        parts = await self.jobs.list_parts(job.id)
        entries = await asyncio.to_thread(lambda: list(job_report.list_entries(parts)))
        page = entries[skip : skip + limit]
        rows = await self.store.read_labels(job_report.collect_edge_ends(page))
        known = {str(id): str(thai or english or id) for id, _, thai, english in rows}
        labels = job_report.collect_new_labels(entries) | known
        return contract.IngestJob(
            **job_report.summarise_job(job),
            documents=job_report.report_documents(job, parts),
            changes=[job_report.describe_change(entry, labels) for entry in page],
            next_cursor=self.cursors.seal({"job": job.id}, [str(skip + limit)])
            if skip + limit < len(entries)
            else None,
        )

    async def _list_jobs(self, request: contract.IngestStatusInput, context: Context) -> contract.IngestStatus:
        owner = _get_visible_owner(context.caller)
        query = {"owner": owner}
        before = self._open_cursor(request.cursor, query)
        jobs = list(await self.jobs.list(kind=KIND, owner=owner, before=before, limit=request.limit + 1))
        page = jobs[: request.limit]
        cursor = self.cursors.seal(query, [page[-1].id]) if len(jobs) > len(page) else None
        summaries = [contract.JobSummary(**job_report.summarise_job(job)) for job in page]
        return contract.IngestStatus(job=None, jobs=summaries, next_cursor=cursor)

    def _open_cursor(self, cursor: str | None, query: dict[str, Any]) -> str | None:
        return None if cursor is None else str(self.cursors.open(query, cursor)[0])


def _check_in_order(graph: HerbGraph, staged: list[StagedDocument]) -> None:
    """Check each diff against the graph as the diffs before it leave it."""
    for document in staged:
        check_ground(graph, document)
        graph = staging.apply_diff(graph, document.diff)


def _get_visible_owner(caller: Caller) -> str | None:
    """Return the owner whose jobs the caller sees: the caller, or None for everybody's."""
    return None if ALL_SCOPES in caller.scopes else caller.id


def _check_request(request: contract.IngestRunInput) -> None:
    if request.ner is not None and request.ner.params:
        raise InvalidArgument("ner.params must be empty: the gazetteer takes no options", field="ner.params")
    if request.apply_job is None:
        if not request.batch:
            raise InvalidArgument("batch must name at least one document", field="batch")
    elif request.batch:
        raise InvalidArgument("apply_job brings its own batch; leave batch out", field="batch")
    elif request.dry_run:
        raise InvalidArgument("apply_job writes what a dry run showed; it needs dry_run = false", field="dry_run")
