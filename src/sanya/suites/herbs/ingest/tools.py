"""The handlers of the ingest's tools, and the resource that is a job's log."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sanya.kernel.call import ALL_SCOPES, Caller, Context
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.kernel.job_runs import JobRunner
from sanya.kernel.jobs import Job, Jobs, new_job_id
from sanya.kernel.revisions import advance_revision
from sanya.kernel.suite import Content
from sanya.suites.herbs.graph.model import Graph
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.ingest import contract, job_report, staging
from sanya.suites.herbs.ingest.worker import KIND, Staged, check_ground, stored

_OFFERED = 100


@dataclass(frozen=True, slots=True)
class IngestTools:
    store: HerbStore
    runner: JobRunner
    cursors: Cursors

    @property
    def jobs(self) -> Jobs:
        return self.runner.jobs

    async def run(self, request: contract.IngestRunInput, context: Context) -> contract.IngestAnswer:
        _check(request)
        input = request.model_dump(mode="json", exclude={"wait_s"})
        if request.apply_job is not None:
            input["batch"] = await self._batch_to_apply(request.apply_job, context)
        job = await self.runner.submit(KIND, context.caller.id, input, new_job_id(context.now, context.id))
        job = await self.runner.finish(job, request.wait_s, context.progress)
        return await self._answer(job)

    async def status(self, request: contract.IngestStatusInput, context: Context) -> contract.IngestStatus:
        if request.job_id is None:
            return await self._listed(request, context)
        job = await self._job(request.job_id, context)
        if not job.has_ended and request.wait_s:
            job = await self.runner.wait(job.id, request.wait_s, context.progress)
        skip = self._opened(request.cursor, {"job": job.id})
        shown = await self._shown(job, int(skip or 0), request.limit)
        return contract.IngestStatus(job=shown, jobs=[], next_cursor=shown.next_cursor)

    async def cancel(self, request: contract.JobInput, context: Context) -> contract.IngestAnswer:
        job = await self._job(request.job_id, context)
        if job.state == "done":
            raise InvalidArgument(f"{job.id} is done; tool.ingest.rollback takes it back", field="job_id")
        await self.jobs.cancel(job.id, context.now)
        return await self._answer(await self.runner.wait(job.id, 5.0, context.progress))

    async def roll_back(self, request: contract.JobInput, context: Context) -> contract.IngestAnswer:
        job = await self._job(request.job_id, context)
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
        return await self._answer(await self._job(job.id, context))

    async def read_log(self, parts: Mapping[str, str], context: Context) -> Content:
        job = await self._job(parts["id"], context)
        lines = [f"{line.at} {line.text}\n" for line in await self.jobs.log(job.id)]
        return Content(text="".join(lines), mime_type="text/plain")

    async def job_ids(self, text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        """Ids that begin so, the newest first."""
        del chosen
        jobs = await self.jobs.list(kind=KIND, owner=_seen_by(caller), limit=_OFFERED)
        return [job.id for job in jobs if job.id.startswith(text)]

    async def _job(self, job_id: str, context: Context) -> Job:
        job = await self.jobs.get(job_id)
        if job is None or job.kind != KIND or not job.is_seen_by(context.caller):
            raise NotFound(f"there is no job {job_id!r} of yours", details={"job_id": job_id})
        return job

    async def _batch_to_apply(self, job_id: str, context: Context) -> list[dict[str, Any]]:
        """The documents of a dry run whose diffs still stand, one after the other."""
        job = await self._job(job_id, context)
        if not job.input["dry_run"] or not job.has_ended or job.ending is not None:
            raise InvalidArgument(f"{job.id} is no dry run that ran to its end", field="apply_job")
        staged = [stored(part, job.id) for part in await self.jobs.parts(job.id) if part.state == "done"]
        new = [one for one in staged if await staging.batch_of(self.store.database, one.diff.digest) is None]
        await asyncio.to_thread(_check_in_turn, await self.store.snapshot(), new)
        return list(job.input["batch"])

    async def _answer(self, job: Job) -> contract.IngestAnswer:
        shown = await self._shown(job)
        return contract.IngestAnswer(job_id=shown.job_id, status=shown.status, log_uri=shown.log_uri, job=shown)

    async def _shown(self, job: Job, skip: int = 0, limit: int = contract.SHOWN_CHANGES) -> contract.IngestJob:
        parts = await self.jobs.parts(job.id)
        every = await asyncio.to_thread(lambda: list(job_report.entries(parts)))
        found = every[skip : skip + limit]
        rows = await self.store.labels(job_report.ends_of(found))
        known = {str(id): str(thai or english or id) for id, _, thai, english in rows}
        labels = job_report.own_labels(every) | known
        return contract.IngestJob(
            **job_report.summary(job),
            documents=job_report.documents(job, parts),
            changes=[job_report.change(entry, labels) for entry in found],
            next_cursor=self.cursors.seal({"job": job.id}, [str(skip + limit)]) if skip + limit < len(every) else None,
        )

    async def _listed(self, request: contract.IngestStatusInput, context: Context) -> contract.IngestStatus:
        owner = _seen_by(context.caller)
        query = {"owner": owner}
        before = self._opened(request.cursor, query)
        jobs = list(await self.jobs.list(kind=KIND, owner=owner, before=before, limit=request.limit + 1))
        page = jobs[: request.limit]
        cursor = self.cursors.seal(query, [page[-1].id]) if len(jobs) > len(page) else None
        listed = [contract.JobSummary(**job_report.summary(job)) for job in page]
        return contract.IngestStatus(job=None, jobs=listed, next_cursor=cursor)

    def _opened(self, cursor: str | None, query: dict[str, Any]) -> str | None:
        return None if cursor is None else str(self.cursors.open(query, cursor)[0])


def _check_in_turn(graph: Graph, staged: list[Staged]) -> None:
    """Each stands on the graph as those before it leave it."""
    for one in staged:
        check_ground(graph, one)
        graph = staging.with_diff(graph, one.diff)


def _seen_by(caller: Caller) -> str | None:
    """Whose jobs a caller sees: their own, or everybody's."""
    return None if ALL_SCOPES in caller.scopes else caller.id


def _check(request: contract.IngestRunInput) -> None:
    if request.ner is not None and request.ner.params:
        raise InvalidArgument("ner.params must be empty: gazetteer takes none", field="ner.params")
    if request.apply_job is None:
        if not request.batch:
            raise InvalidArgument("batch must name at least one document", field="batch")
    elif request.batch:
        raise InvalidArgument("apply_job brings its own batch; leave batch out", field="batch")
    elif request.dry_run:
        raise InvalidArgument("apply_job writes what a dry run showed; it needs dry_run = false", field="dry_run")
