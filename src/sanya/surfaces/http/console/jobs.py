"""Jobs in the browser: the list, a job with its progress, and its log. These reads are cheap enough to poll.

Tools start and cancel jobs and return their results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import ALL_SCOPES, Caller
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.kernel.jobs.job import Job
from sanya.surfaces.http.asgi import DATA_HEADERS, HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.ledger import read_query

if TYPE_CHECKING:
    from sanya.app import App

PATH = "/jobs"
_PAGE_SIZE = 50
_TEXT = b"text/plain; charset=utf-8"


class JobPages:
    """Shows callers their own jobs, and every job to a caller with all scopes."""

    def __init__(self, app: App) -> None:
        self._jobs = app.jobs

    async def list(self, request: HttpRequest) -> HttpResponse:
        parameters = read_query(request, {"before"})
        owner = None if ALL_SCOPES in request.caller.scopes else request.caller.id
        jobs = await self._jobs.list(owner=owner, before=parameters.get("before"), limit=_PAGE_SIZE)
        before = jobs[-1].id if len(jobs) == _PAGE_SIZE else None
        return respond_json({"jobs": [_as_json(job) for job in jobs], "before": before})

    async def show(self, request: HttpRequest) -> HttpResponse:
        """Serve `/jobs/{id}` as JSON with the log lines after `?after=`, and `/jobs/{id}/log` as text."""
        path: str = request.scope["path"].rstrip("/").removeprefix(f"{PATH}/")
        if path.endswith("/log"):
            job = await self._find(path.removesuffix("/log"), request.caller)
            lines = [f"{line.at} {line.text}\n" for line in await self._jobs.read_log(job.id)]
            return HttpResponse(200, "".join(lines).encode("utf-8"), _TEXT, DATA_HEADERS)
        job = await self._find(path, request.caller)
        after = read_query(request, {"after"}).get("after", "0")
        if not (after.isascii() and after.isdigit() and len(after) < 10):
            raise InvalidArgument("after must be the number of a log line", field="after")
        log = [
            {"number": line.number, "at": line.at, "text": line.text}
            for line in await self._jobs.read_log(job.id, int(after))
        ]
        return respond_json({**_as_json(job), "log": log})

    async def _find(self, id: str, caller: Caller) -> Job:
        job = await self._jobs.get(id)
        if job is None or not job.is_seen_by(caller):
            raise NotFound(f"No job {id[:80]!r}, or it is another caller's. {PATH} lists yours.")
        return job


def _as_json(job: Job) -> dict[str, Any]:
    batch = job.input.get("batch")
    return {
        "job_id": job.id,
        "kind": job.kind,
        "owner": job.owner,
        "status": job.state,
        "ending": job.ending,
        "dry_run": bool(job.input.get("dry_run")),
        "documents": [str(document.get("uri", "")) for document in batch] if isinstance(batch, list) else [],
        "progress": {"done": job.progress.done, "total": job.progress.total, "message": job.progress.message},
        "attempts": job.attempts,
        "cancel_asked": job.cancel_asked,
        "error": job.error,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
        "log_path": f"{PATH}/{job.id}/log",
    }
