"""`sanya herbs ingest`, `jobs`, `job`, `apply` and `rollback`: read documents into the graph and manage those jobs.

The owner at the terminal may name any file: this one call may read its folder. An agent never gets that permission.
"""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace, _SubParsersAction
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Call
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.herbs.ingest_tables import show_changes, show_documents, show_jobs
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.tool_calls import JsonObject, fetch_body, make_call, require_body

if TYPE_CHECKING:
    from sanya.app import App


_SHOWN = 500


def add_ingest_arguments(actions: _SubParsersAction[ArgumentParser]) -> None:
    ingest = actions.add_parser("ingest", help="Read documents into the graph.", allow_abbrev=False)
    ingest.add_argument("files", nargs="+", type=Path, metavar="FILE", help=".pdf, .txt, .html or .docx files.")
    ingest.add_argument("--apply", action="store_true", help="Write the result, unreviewed (default: only show it).")
    ingest.add_argument("--lang", choices=("th", "en", "auto"), default="auto", help="Language of the documents.")
    ingest.add_argument("--ocr", metavar="PROVIDER", help="OCR provider for scanned pages (default: tesseract).")
    ingest.add_argument(
        "--ocr-param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="Parameter for the provider; repeatable.",
    )
    ingest.set_defaults(act=_ingest)
    jobs = actions.add_parser("jobs", help="List ingests, newest first.", allow_abbrev=False)
    jobs.add_argument("--limit", type=int, default=20, metavar="N", help="Maximum number of jobs, 1-500 (default 20).")
    jobs.set_defaults(act=_list_jobs)
    job = actions.add_parser("job", help="Show one ingest: documents, changes, log.", allow_abbrev=False)
    job.add_argument("--log", action="store_true", help="Show the log instead.")
    job.add_argument("--cancel", action="store_true", help="Cancel the job.")
    job.add_argument("--resume", action="store_true", help="Finish the job here, unless a worker has claimed it.")
    job.set_defaults(act=_show_job)
    apply = actions.add_parser("apply", help="Write exactly what a dry run showed.", allow_abbrev=False)
    apply.set_defaults(act=_apply)
    rollback = actions.add_parser("rollback", help="Remove everything that an ingest wrote.", allow_abbrev=False)
    rollback.set_defaults(act=_undo_ingest)
    for action in (job, apply, rollback):
        action.add_argument("job_id", metavar="JOB", help="Id of the job.")
    for action in (ingest, jobs, job, apply, rollback):
        action.add_argument("--json", action="store_true", help="Print the answer as JSON.")


def _ingest(options: Namespace) -> int:
    paths = [path.expanduser().resolve() for path in options.files]
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        raise CommandFailed(f"file not found: {missing[0]}")
    arguments: JsonObject = {
        "dry_run": not options.apply,
        "batch": [{"uri": path.as_uri(), "lang": options.lang} for path in paths],
    }
    if options.ocr or options.ocr_param:
        arguments["ocr"] = {"provider": options.ocr, "params": dict(map(_parse_parameter, options.ocr_param))}
    return _run(options, arguments, ingest_roots=tuple(sorted({str(path.parent) for path in paths})))


def _apply(options: Namespace) -> int:
    return _run(options, {"apply_job": options.job_id, "dry_run": False})


def _run(options: Namespace, arguments: JsonObject, **overrides: Any) -> int:
    async def work(app: App) -> JsonObject:
        with progress_bar("Ingesting") as progress:
            started = await _call(app, Call("tool.ingest.run", arguments, surface="cli", progress=progress))
        return await _fetch_job(app, started["job_id"])

    return _show(options, run_in_home(options, work, busy=True, **overrides))


def _list_jobs(options: Namespace) -> int:
    body = fetch_body(options, "tool.ingest.status", {"limit": options.limit})
    if options.json:
        write_json(body)
    else:
        show_jobs(body["jobs"])
    return OK


def _show_job(options: Namespace) -> int:
    if options.cancel:
        return _show(options, fetch_body(options, "tool.ingest.cancel", {"job_id": options.job_id})["job"])
    if options.log:
        write_line(fetch_body(options, f"job://{options.job_id}/log")["text"].rstrip("\n"))
        return OK

    async def work(app: App) -> JsonObject:
        if options.resume:
            await _resume(app, options.job_id)
        return await _fetch_job(app, options.job_id)

    return _show(options, run_in_home(options, work))


def _undo_ingest(options: Namespace) -> int:
    return _show(options, fetch_body(options, "tool.ingest.rollback", {"job_id": options.job_id})["job"])


def _show(options: Namespace, body: JsonObject) -> int:
    if options.json:
        write_json(body)
    else:
        show_documents(body)
        show_changes(body)
        _show_end(body)
    return FAULT if body["status"] == "error" and body["ending"] is None else OK


def _show_end(body: JsonObject) -> None:
    """Say on stderr how the job ended and what to do next."""
    job_id = body["job_id"]
    if body["ending"] == "rolled_back":
        write_note(f"{job_id} was rolled back: the graph contains nothing of it.")
    elif body["ending"] == "cancelled":
        write_note(f"{job_id} was cancelled.")
    elif body["status"] in ("queued", "running"):
        write_note(f"{job_id} is {body['status']}. To check again: sanya herbs job {job_id}")
    elif body["failure"]:
        write_note(f"{job_id}: {body['failure']}")
    elif all(document["nothing_new"] for document in body["documents"]):
        write_note("Nothing new: the graph contains all of it already.")
    elif body["dry_run"]:
        write_note(f"Nothing was written. To write exactly this: sanya herbs apply {job_id}")
    else:
        write_note(f"Written, unreviewed. To remove it: sanya herbs rollback {job_id}")


async def _resume(app: App, job_id: str) -> None:
    """Run the background workers of a server until the job ends."""
    workers = [worker for suite in app.kernel.catalogue.suites if suite.name == "herbs" for worker in suite.workers]
    tasks = [asyncio.ensure_future(worker.run()) for worker in workers]
    try:
        with progress_bar("Ingesting") as progress:
            status = "running"
            while status in ("queued", "running"):
                arguments = {"job_id": job_id, "wait_s": 60, "limit": 1}
                call = Call("tool.ingest.status", arguments, surface="cli", progress=progress)
                status = (await _call(app, call))["job"]["status"]
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _fetch_job(app: App, job_id: str) -> JsonObject:
    """Return the job with the first page of its changes."""
    arguments = {"job_id": job_id, "limit": _SHOWN}
    job: JsonObject = (await _call(app, Call("tool.ingest.status", arguments, surface="cli")))["job"]
    return job


async def _call(app: App, call: Call) -> JsonObject:
    return require_body(await make_call(app, call))


def _parse_parameter(given: str) -> tuple[str, str]:
    name, is_pair, value = given.partition("=")
    if not is_pair:
        raise CommandFailed(f"--ocr-param takes NAME=VALUE, got {given!r}")
    return name, value
